"""What every client does with the example `everything`, and what it should see of it.

A client is a program. It reads one JSON value from stdin, `{"command", "mode", "steps"}`: the
server to start, how to begin, and the steps, each a list of calls to make at the same time. It
lists the tools, makes the calls, closes the server, and writes what it saw to stdout:
`{"revision", "tools", "outcomes"}`, the outcomes in the order of the calls. It answers an
elicitation with the city Oslo.

A call is `{"tool", "arguments", "progress", "cancel"}`; all but the tool may be missing. With
`progress` its outcome has the reports that came, and with `cancel` it is cancelled at the first
one. An outcome is `{"result"}`, `{"error": {"code", "message"}}` or `{"cancelled": true}`, and
`"progress"`: `[[progress, total, message], ...]`.
"""

import base64
import io
import json
import struct
import wave
import zlib
from collections.abc import Callable
from pathlib import Path

ODD = "\u2028 \U0001f600 \"\\"


def contracts(folder: Path) -> dict[str, dict]:
    """The tools as their contracts have them, by name."""
    documents = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    tools = [document for document in documents if "inputSchema" in document]
    for tool in tools:
        tool.pop("x-relay", None)
    return {tool["name"]: tool for tool in tools}


def listed(tool: dict, revision: str) -> dict:
    """A contract without what an older revision does not know."""
    late = {"title": "2025-06-18", "outputSchema": "2025-06-18", "annotations": "2025-03-26"}
    return {name: value for name, value in tool.items() if revision >= late.get(name, "")}


def steps(revision: str) -> list[list[tuple[dict, Callable]]]:
    """The steps: each call with the check of its outcome."""
    old = revision < "2025-06-18"
    oldest = revision < "2025-03-26"
    too_much = "the sum of {0} and {0} needs more than 64 bits".format(5 * 10**18)
    unheard = "Audio of 844 bytes (audio/wav): this client's version of MCP cannot carry it."
    return [
        [(call("echo", text="Hello"), text("Hello"))],
        [(call("echo", text=ODD), text(ODD))],
        [(call("noargs"), text("It ran."))],
        [(call("add", a=2, b=3), text('{"sum":5}') if old else structured({"sum": 5}))],
        [(call("add", a=5 * 10**18, b=5 * 10**18), failure(too_much))],
        [(call("fail"), failure("it failed, and says so"))],
        [(call("private_fail"), failure("Tool execution failed."))],
        [(call("panic"), failure("Tool execution failed."))],
        [(call("echo", txt="Hello"), refusal('member "text", which is missing', "/txt: "))],
        [(call("missing"), error(-32602, "Unknown tool: missing"))],
        [(call("image"), image)],
        [(call("audio"), text(unheard) if oldest else audio)],
        [(call("link"), text("mcp: https://modelcontextprotocol.io/") if old else link)],
        [(call("embedded"), embedded)],
        [(call("print"), text("Printed."))],
        [(call("big", bytes=200_000), text("x" * 200_000))],
        [
            (call("block", ms=300), text("Blocked for 300 ms.")),
            (call("echo", text="meanwhile"), text("meanwhile")),
        ],
        [(call("slow", ms=150, steps=3) | {"progress": True}, reported(3, with_words=not oldest))],
        [(call("slow", ms=30_000, steps=100) | {"progress": True, "cancel": True}, cancelled)],
        [(call("echo", text="after it"), text("after it"))],
        [(call("ask_city"), refusal("elicitation") if old else text("Oslo"))],
    ]


def call(tool: str, **arguments) -> dict:
    return {"tool": tool, "arguments": arguments} if arguments else {"tool": tool}


def content(outcome: dict, fails: bool = False) -> list[dict]:
    """The blocks of a result, without what a client adds to say that nothing is there."""
    result = outcome["result"]
    assert (result.get("isError") or False) == fails, outcome
    return [
        {name: value for name, value in block.items() if value is not None}
        for block in result["content"]
    ]


def only_text(outcome: dict, fails: bool) -> str:
    [block] = content(outcome, fails)
    assert block["type"] == "text", block
    assert outcome["result"].get("structuredContent") is None, outcome
    return block["text"]


def text(words: str) -> Callable:
    def check(outcome):
        assert only_text(outcome, fails=False) == words

    return check


def failure(words: str) -> Callable:
    def check(outcome):
        assert only_text(outcome, fails=True) == words

    return check


def refusal(*parts: str) -> Callable:
    """A failure in the server's words, which have these parts."""

    def check(outcome):
        words = only_text(outcome, fails=True)
        assert all(part in words for part in parts)

    return check


def structured(value) -> Callable:
    def check(outcome):
        [mirror] = content(outcome)
        assert outcome["result"]["structuredContent"] == value == json.loads(mirror["text"])

    return check


def error(code: int, message: str) -> Callable:
    def check(outcome):
        assert outcome["error"]["code"] == code
        # A client may put words of its own before the server's.
        assert message in outcome["error"]["message"]

    return check


def reported(steps: int, with_words: bool) -> Callable:
    def check(outcome):
        words = [f"step {step} of {steps}" if with_words else None for step in range(1, steps + 1)]
        assert only_text(outcome, fails=False) == f"Steps: {steps}"
        expected = [[step, steps, words] for step, words in enumerate(words, start=1)]
        # The clients of npm lose the last report when they read it together with the answer.
        assert outcome["progress"] in (expected, expected[:-1])

    return check


def cancelled(outcome: dict) -> None:
    assert outcome["cancelled"] is True
    assert len(outcome["progress"]) == 1


def image(outcome: dict) -> None:
    [block] = content(outcome)
    assert (block["type"], block["mimeType"]) == ("image", "image/png")
    assert block["annotations"]["audience"] == ["user"]
    check_png(base64.b64decode(block["data"], validate=True))


def audio(outcome: dict) -> None:
    [block] = content(outcome)
    assert (block["type"], block["mimeType"]) == ("audio", "audio/wav")
    with wave.open(io.BytesIO(base64.b64decode(block["data"], validate=True))) as sound:
        assert (sound.getframerate(), sound.getnframes()) == (8000, 800)
        assert len(sound.readframes(800)) == 800


def link(outcome: dict) -> None:
    [block] = content(outcome)
    assert block == {
        "type": "resource_link",
        "uri": "https://modelcontextprotocol.io/",
        "name": "mcp",
        "title": "Model Context Protocol",
        "description": "Where the protocol is described.",
        "mimeType": "text/html",
    }


def embedded(outcome: dict) -> None:
    poem, pixel = content(outcome)
    assert poem["resource"] == {
        "uri": "everything:///poem.txt",
        "text": "Roses are red.\n",
        "mimeType": "text/plain",
    }
    assert pixel["resource"]["mimeType"] == "image/png"
    check_png(base64.b64decode(pixel["resource"]["blob"], validate=True))


def check_png(png: bytes) -> None:
    """One pixel, and each chunk with its checksum."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = {}, 8
    while at < len(png):
        [length] = struct.unpack_from(">I", png, at)
        named = png[at + 4 : at + 8 + length]
        assert struct.unpack_from(">I", png, at + 8 + length) == (zlib.crc32(named),)
        chunks[named[:4]] = named[4:]
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    assert struct.unpack_from(">II", chunks[b"IHDR"]) == (1, 1)
    assert len(zlib.decompress(chunks[b"IDAT"])) == 4
