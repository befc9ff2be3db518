"""Retrieved documents, in whatever shape they were written, as passages."""
