"""One file a step, in order; steps that were released are never changed."""
