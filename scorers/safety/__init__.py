"""Safety: refusals, protected data, policies and injected instructions."""
