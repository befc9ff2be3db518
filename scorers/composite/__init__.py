"""What other metrics add up to: one number from 0 to 100, and the probability that an answer is unsafe."""
