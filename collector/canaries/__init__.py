"""Canaries: questions of the catalog, asked of a retriever or an application before users ask them."""
