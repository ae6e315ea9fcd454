"""The client `mcp` 1 of PyPI, which asks for the revision of its mode; see steps.py."""

import anyio
from mcp import ClientSession, McpError, StdioServerParameters, stdio_client, types

from play import OSLO, main, plain, together


async def oslo(_context, _params) -> types.ElicitResult:
    return types.ElicitResult(**OSLO)


async def call(session, tool, arguments=None, progress=False, cancel=False) -> dict:
    reports = []
    with anyio.CancelScope() as scope:
        # The client neither says the id of a call nor tells the server that one is cancelled.
        id = session._request_id

        async def report(done, total, message):
            reports.append([done, total, message])
            if cancel:
                params = types.CancelledNotificationParams(requestId=id)
                notification = types.CancelledNotification(params=params)
                await session.send_notification(types.ClientNotification(notification))
                scope.cancel()

        try:
            result = await session.call_tool(
                tool, arguments, progress_callback=report if progress else None
            )
            outcome = {"result": plain(result)}
        except McpError as error:
            outcome = {"error": {"code": error.error.code, "message": error.error.message}}
    if scope.cancelled_caught:
        outcome = {"cancelled": True}
    return outcome | {"progress": reports}


async def play(command, mode, steps) -> dict:
    types.LATEST_PROTOCOL_VERSION = mode
    server = StdioServerParameters(command=command[0], args=command[1:])
    outcomes = []
    async with (
        stdio_client(server) as streams,
        ClientSession(*streams, elicitation_callback=oslo) as session,
    ):
        revision = (await session.initialize()).protocolVersion
        tools = (await session.list_tools()).tools
        for step in steps:
            outcomes += await together(session, step, call)
    return {"revision": revision, "tools": [plain(tool) for tool in tools], "outcomes": outcomes}


if __name__ == "__main__":
    main(play)
