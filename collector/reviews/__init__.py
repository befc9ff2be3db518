"""Reviews by people: packets without systems and scores, labels, and a log of who saw what."""
