"""What an assistant may answer: rules from the configuration, and the wording that shows whether they are kept."""
