"""The workbench of reviewers: one packet at a time in the browser."""
