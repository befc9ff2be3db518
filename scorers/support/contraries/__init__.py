"""What a claim says that a rule of its context rules out, told by the shapes that rules have."""
