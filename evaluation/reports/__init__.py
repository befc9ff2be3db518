"""Reports: what a run, a comparison or a stretch of traffic shows, the decision first."""
