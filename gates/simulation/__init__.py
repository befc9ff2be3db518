"""How long a gate takes to see a change of a given size: simulated traffic."""
