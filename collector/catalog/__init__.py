"""The catalog as part of the agent: its files and servers, watched, and built into one file that workers map."""
