"""From traces to scores: adapting, sampling and scoring, a step each."""
