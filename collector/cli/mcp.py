"""The MCP server, for coding and on-call agents."""

from __future__ import annotations

from collector.cli.shared import LOCAL, TokenOption, UrlOption, command, installed


@command
def mcp(url: UrlOption = LOCAL, token_file: TokenOption = None) -> int:
    """Serve MCP over standard input and output: verdicts, decisions, worst answers and explanations of a running agent.

    All tools only read. Needs the extra `mcp`. Exit code 0 when standard input ends, or 2 if it cannot be served.
    """
    from collector.mcp.server import serve
    from collector.mcp.tools import AgentTools

    serve(AgentTools(url=url, token_file=token_file), version=installed())
    return 0
