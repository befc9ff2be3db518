"""Finding protected data in a text: identifiers that carry a check, contact data, secrets and keys."""
