"""The documentation, and what generates its pages."""
