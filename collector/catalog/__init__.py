"""The catalog as part of the agent: where it comes from, made into a file that workers map, watched, and told of."""
