"""Commands about the similarity threshold of retrieval: measure runs, sweep over them, replay live traffic."""
