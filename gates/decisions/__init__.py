"""What is recorded of a decision, and what is recommended."""
