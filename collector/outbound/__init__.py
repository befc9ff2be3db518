"""Requests to other systems: the client, its bounds, back-off and status."""
