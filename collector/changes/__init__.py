"""What changed: versions that answers show, versions of the scorers, and rows of the ledger as others read them."""
