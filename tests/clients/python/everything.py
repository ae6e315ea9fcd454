"""The client `mcp` 2 of PyPI; what it reads and writes is in steps.py."""

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import ElicitResult

from play import OSLO, main, plain, together


async def oslo(_context, _params) -> ElicitResult:
    return ElicitResult(**OSLO)


async def call(client, tool, arguments=None, progress=False, cancel=False) -> dict:
    reports = []
    # The client tells the server when a call is cancelled with its scope.
    with anyio.CancelScope() as scope:

        async def report(done, total, message):
            reports.append([done, total, message])
            if cancel:
                scope.cancel()

        try:
            result = await client.call_tool(
                tool, arguments, progress_callback=report if progress else None
            )
            outcome = {"result": plain(result)}
        except MCPError as error:
            outcome = {"error": {"code": error.code, "message": error.message}}
    if scope.cancelled_caught:
        outcome = {"cancelled": True}
    return outcome | {"progress": reports}


async def play(command, mode, steps) -> dict:
    server = StdioServerParameters(command=command[0], args=command[1:])
    outcomes = []
    async with Client(server, mode=mode, elicitation_callback=oslo) as client:
        tools = (await client.list_tools()).tools
        for step in steps:
            outcomes += await together(client, step, call)
        revision = client.protocol_version
    return {"revision": revision, "tools": [plain(tool) for tool in tools], "outcomes": outcomes}


if __name__ == "__main__":
    main(play)
