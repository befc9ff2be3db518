"""Reports as files: read from run folders or a running agent, written as HTML, Markdown or JSON, and bundled."""
