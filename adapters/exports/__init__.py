"""What other tools give back of the spans they were sent: APIs and export files."""
