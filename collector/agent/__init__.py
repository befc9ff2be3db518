"""The agent put together: its parts, its steps, its process."""
