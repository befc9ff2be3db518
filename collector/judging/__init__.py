"""Gates over the stored evaluations: verdicts, decisions, their records."""
