"""Trained models: one readable file each, with a card in docs/models."""
