"""Reviews by people: what a label says, how labels of one answer are settled, and how far reviewers agree."""
