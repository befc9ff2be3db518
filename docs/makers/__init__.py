"""What generates pages of the documentation from code."""
