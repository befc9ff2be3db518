"""Listings: what a source of documents has, and what an index serves, as entries of a catalog."""
