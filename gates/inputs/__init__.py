"""What gates read: evaluations as columns, changes, slices."""
