"""The MCP server: what a running agent knows, for coding and on-call agents, which may read and change nothing."""
