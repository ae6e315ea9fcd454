"""Calls greeter and notes as a user's client would: examples.py FOLDER_OF_PROGRAMS [SCHEMAS]

Each test runs in each mode of the client with a server and a notebook of its own; afterwards all
that the server wrote is checked, and that it ended by itself when the client closed the pipe.
"""

import json
import sys
import tempfile
import traceback
from pathlib import Path

import anyio
from mcp import Client, MCPError, StdioServerParameters

import tee
from record import records
from wire import Schemas

# Each mode of the client, with the version that it comes to.
MODES = {"auto": "2026-07-28", "2026-07-28": "2026-07-28", "legacy": "2025-11-25"}
TESTS = []


def program(name: str):
    """Makes a function a test of this example."""

    def register(test):
        TESTS.append((name, test))
        return test

    return register


def text(result) -> str:
    assert [block.type for block in result.content] == ["text"], result.content
    return result.content[0].text


async def value(client: Client, tool: str, **arguments):
    """The structured result of a call, which its text has to mirror."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text(result)
    assert json.loads(text(result)) == result.structured_content
    return result.structured_content


async def refusal(client: Client, tool: str, **arguments) -> str:
    """The text of a call that fails as a tool's call, where a model reads it."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result
    assert result.structured_content is None
    return text(result)


@program("greeter")
async def names_itself_and_lists_its_tool(client, _directory):
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == ["greet"]
    assert tools[0].description == "Greets a person by name."
    assert tools[0].annotations.read_only_hint is True
    assert tools[0].input_schema["required"] == ["name"]


@program("greeter")
async def greets(client, _directory):
    assert await value(client, "greet", name="Ada") == {"message": "Hello, Ada!"}
    odd = "\u2028 \U0001f600 \"\\"
    assert await value(client, "greet", name=odd) == {"message": f"Hello, {odd}!"}


@program("greeter")
async def names_every_violation(client, _directory):
    words = await refusal(client, "greet", name="", nmae="Ada")
    assert "/name: must have at least 1 character" in words, words
    assert "nmae" in words, words
    assert "/name" in await refusal(client, "greet", name=7)
    assert "name" in await refusal(client, "greet")


@program("greeter")
async def refuses_an_unknown_tool_by_the_protocol(client, _directory):
    await unknown(client, "greeet")
    assert await value(client, "greet", name="Ada") == {"message": "Hello, Ada!"}


async def unknown(client, tool):
    try:
        result = await client.call_tool(tool, {})
    except MCPError as error:
        assert error.code == -32602, error
        assert error.message.startswith(f"Unknown tool: {tool}"), error
    else:
        raise AssertionError(f"{tool} answered {result}")


@program("notes")
async def lists_its_tools_with_shared_schemas(client, _directory):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    names = ["add_note", "delete_note", "export_notes", "get_note", "list_notes", "update_note"]
    assert list(tools) == names
    assert tools["export_notes"].output_schema is None
    note = tools["get_note"].output_schema
    assert note["type"] == "object" and note["$ref"] == "#/$defs/note", note
    assert tools["list_notes"].input_schema["properties"]["limit"]["default"] == 20


@program("notes")
async def adds_and_gets(client, _directory):
    plain = await value(client, "add_note", title="Milk")
    assert plain.pop("created") > 1_700_000_000
    assert plain == {
        "id": 1, "title": "Milk", "body": "", "tags": [], "priority": "normal", "due": None
    }
    full = await value(
        client, "add_note", title="Ada", body="Ask.", tags=["work"], priority="high", due="2026-12-31"
    )
    assert await value(client, "get_note", id=2) == full
    assert (full["id"], full["tags"], full["priority"], full["due"]) == (
        2, ["work"], "high", "2026-12-31"
    )


@program("notes")
async def lists_by_tag_and_priority(client, _directory):
    for number in range(25):
        tags = ["even"] if number % 2 == 0 else []
        priority = "high" if number % 5 == 0 else "low"
        await value(client, "add_note", title=f"{number}", tags=tags, priority=priority)

    async def listed(**filters):
        result = await value(client, "list_notes", **filters)
        return [int(note["title"]) for note in result["notes"]], result["total"]

    assert await listed() == (list(range(24, 4, -1)), 25)
    assert await listed(limit=2) == ([24, 23], 25)
    assert await listed(limit=2.0) == ([24, 23], 25), "an integer by its value"
    assert await listed(tag="even", limit=100) == (list(range(24, -1, -2)), 13)
    assert await listed(tag="even", priority="high") == ([20, 10, 0], 3)
    assert await listed(tag="odd") == ([], 0)
    assert "/limit" in await refusal(client, "list_notes", limit=0)


@program("notes")
async def updates_what_is_given(client, _directory):
    note = await value(client, "add_note", title="Milk", body="2 l", due="2026-12-31")
    changed = await value(client, "update_note", id=1, title="Oat milk")
    assert changed == {**note, "title": "Oat milk"}
    cleared = await value(client, "update_note", id=1, due=None, tags=["shop"])
    assert cleared == {**changed, "due": None, "tags": ["shop"]}
    assert await value(client, "get_note", id=1) == cleared


@program("notes")
async def deletes(client, directory):
    note = await value(client, "add_note", title="Milk")
    assert await value(client, "delete_note", id=1) == note
    assert await refusal(client, "get_note", id=1) == "there is no note 1"
    assert json.loads((directory / "notes.json").read_text())["notes"] == []


@program("notes")
async def exports_content(client, _directory):
    note = await value(client, "add_note", title="Milk", body="2 l", tags=["shop"])
    await value(client, "add_note", title="Ada")
    result = await client.call_tool("export_notes", {"tag": "shop"})
    assert not result.is_error and result.structured_content is None
    summary, document = result.content
    assert summary.text == "Notes: 1"
    assert (document.resource.mime_type, document.resource.text) == (
        "text/markdown", "# Milk #shop\n\n2 l\n\n"
    )
    result = await client.call_tool("export_notes", {"tag": "shop", "format": "json"})
    assert json.loads(result.content[1].resource.text) == [note]


@program("notes")
async def refuses_what_the_contract_does(client, directory):
    words = await refusal(client, "add_note", title="Milk", priority="urgent", tags=["a", "a"])
    assert '/priority: must be one of "low", "normal", "high"' in words, words
    assert "/tags: " in words, words
    long = await refusal(client, "add_note", title="x" * 201, tags=list("abcdefghijk"))
    assert "/title: " in long and "/tags: " in long, long
    assert not (directory / "notes.json").exists(), "a handler ran"
    await unknown(client, "add_notes")


@program("notes")
async def serves_calls_at_the_same_time(client, _directory):
    ids = []

    async def add(number):
        ids.append((await value(client, "add_note", title=f"{number}"))["id"])

    async with anyio.create_task_group() as calls:
        for number in range(40):
            calls.start_soon(add, number)
    assert sorted(ids) == list(range(1, 41))
    result = await client.call_tool("list_notes")
    assert result.structured_content["total"] == 40, "no arguments are an empty object"


@program("notes")
async def says_that_a_note_is_missing(client, _directory):
    for tool in ["get_note", "update_note", "delete_note"]:
        assert await refusal(client, tool, id=7) == "there is no note 7"


@program("notes")
async def keeps_the_cause_of_a_failure_private(client, directory):
    (directory / "notes.json.new").mkdir()
    assert await refusal(client, "add_note", title="Milk") == "Tool execution failed."
    (directory / "notes.json.new").rmdir()
    assert (await value(client, "add_note", title="Milk"))["id"] == 1


async def run(programs: Path, schemas: Schemas, mode: str, name: str, test) -> int:
    """Runs a test and checks the record of it; says how many messages the server wrote."""
    with tempfile.TemporaryDirectory() as directory:
        directory, log = Path(directory), Path(directory, "log")
        log.mkdir()
        arguments = [str(directory / "notes.json")] if name == "notes" else []
        server = StdioServerParameters(
            command=sys.executable, args=[tee.__file__, str(log), str(programs / name), *arguments]
        )
        with anyio.fail_after(60):
            async with Client(server, mode=mode) as client:
                assert client.protocol_version == MODES[mode]
                await test(client, directory)
        [record] = records(log)
        assert record.exit_code == 0, f"the server ended with {record.exit_code}"
        methods = record.methods()
        assert ("server/discover" in methods) == (mode == "auto"), methods
        assert ("initialize" in methods) == (mode == "legacy"), methods
        private = test is keeps_the_cause_of_a_failure_private
        assert ("add_note" in record.errors) == bool(record.errors) == private, record.errors
        return schemas.check_record(record)


def main() -> int:
    programs = Path(sys.argv[1]).resolve()
    schemas = Schemas(Path(sys.argv[2]) if len(sys.argv) > 2 else None)
    failed = messages = 0
    for mode in MODES:
        for name, test in TESTS:
            title = f"{mode}: {name} {test.__name__.replace('_', ' ')}"
            try:
                messages += anyio.run(run, programs, schemas, mode, name, test)
                print(f"ok      {title}")
            except Exception:
                failed += 1
                print(f"FAILED  {title}\n{traceback.format_exc()}")
    if schemas.folder:
        print(f"{messages} messages of the servers fit the protocol's schemas")
    print(f"{len(MODES) * len(TESTS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
