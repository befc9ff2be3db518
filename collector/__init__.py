"""The running agent: it receives traces, scores answers, judges gates, and serves what it knows."""
