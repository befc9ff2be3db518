"""What is special about one framework, whichever instrumentation watches it: a file each."""
