"""Has each client use the example `everything`: everything.py FOLDER_OF_PROGRAMS [SCHEMAS]

stdin names the clients that can be run, a line each: its name, then its program and the program's
arguments, with tabs between them. What they do is in steps.py. Afterwards all that the server wrote
is checked, and that it ended by itself when the client closed the pipe.
"""

import json
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

import tee
from record import MODERN, Record, records
from steps import contracts, listed, steps
from wire import Schemas

LATEST_LEGACY = "2025-11-25"
CONTRACTS = Path(__file__).parents[2] / "schemas" / "everything"


@dataclass
class Mode:
    """A way to begin, with the revision it comes to and what each server is asked first."""

    name: str
    revision: str
    first: list[str]


LEGACY = Mode("legacy", LATEST_LEGACY, ["initialize"])
MODES = {
    "mcp 2 (PyPI)": [
        LEGACY,
        Mode("auto", MODERN, ["server/discover"]),
        Mode(MODERN, MODERN, ["tools/list"]),
    ],
    "mcp 1 (PyPI)": [
        Mode(revision, revision, ["initialize"])
        for revision in ["2024-11-05", "2025-03-26", "2025-06-18", LATEST_LEGACY]
    ],
    # The first server is a probe, which the client kills.
    "@modelcontextprotocol/client (npm)": [
        LEGACY,
        Mode("auto", MODERN, ["server/discover", "tools/list"]),
        Mode("pinned", MODERN, ["server/discover", "tools/list"]),
    ],
    "@modelcontextprotocol/sdk (npm)": [LEGACY],
    "rmcp (crates.io)": [
        LEGACY,
        Mode("auto", MODERN, ["server/discover"]),
        Mode("discover", MODERN, ["server/discover"]),
    ],
}


def run(program: Path, client: list[str], mode: Mode, schemas: Schemas) -> int:
    """Runs a client and judges what came of it; says how many messages the server wrote."""
    tools = contracts(CONTRACTS)
    plan = steps(mode.revision)
    with tempfile.TemporaryDirectory() as folder:
        orders = {
            "command": [sys.executable, tee.__file__, folder, str(program)],
            "mode": mode.name,
            "steps": [[call for call, _ in step] for step in plan],
        }
        ran = subprocess.run(
            client, input=json.dumps(orders), capture_output=True, text=True, timeout=60
        )
        said = records(Path(folder))
    assert ran.returncode == 0, ran.stderr
    seen = json.loads(ran.stdout)

    assert seen["revision"] == mode.revision, seen["revision"]
    check_tools(seen["tools"], tools, mode.revision)
    expected = [pair for step in plan for pair in step]
    for (call, check), outcome in zip(expected, seen["outcomes"], strict=True):
        try:
            check(outcome)
        except Exception as wrong:
            raise AssertionError(f"{call} came to {outcome}") from wrong

    assert [record.methods()[0] for record in said] == mode.first
    assert said[-1].revision() == mode.revision
    check_end(said[-1], set(tools))
    return sum(schemas.check_record(record) for record in said)


def check_tools(seen: list[dict], tools: dict, revision: str) -> None:
    assert [tool["name"] for tool in seen] == sorted(tools)
    for tool in seen:
        expected = listed(tools[tool["name"]], revision)
        # A client may add members to say that nothing is there.
        found = {name: value for name, value in tool.items() if value is not None}
        assert found == expected, f"{found} is not {expected}"


def check_end(record: Record, tools: set[str]) -> None:
    """All tools were called, none held up another, and the server ended by itself."""
    calls = record.calls()
    left_out = tools - {params["name"] for params in calls.values()}
    assert not left_out, left_out
    answers = [
        calls[message["id"]].get("arguments")
        for message in record.messages
        if "method" not in message and message["id"] in calls
    ]
    assert answers.index({"text": "meanwhile"}) < answers.index({"ms": 300})
    reports = [
        message["params"]["progress"]
        for message in record.messages
        if message.get("method") == "notifications/progress"
    ]
    assert reports[:4] == [1, 2, 3, 1], reports
    for line in ["the cause is private", "as the contract says", "this line is no message"]:
        assert line in record.errors
    assert record.exit_code == 0, f"the server ended with {record.exit_code}"


def main() -> int:
    program = Path(sys.argv[1], "everything").resolve()
    schemas = Schemas(Path(sys.argv[2]) if len(sys.argv) > 2 else None)
    passed = failed = messages = 0
    for line in sys.stdin:
        name, *client = line.rstrip("\n").split("\t")
        for mode in MODES[name]:
            began = time.monotonic()
            try:
                messages += run(program, client, mode, schemas)
                passed += 1
                print(f"ok      {name}, {mode.name}: {time.monotonic() - began:.1f} s")
            except Exception:
                failed += 1
                print(f"FAILED  {name}, {mode.name}\n{traceback.format_exc()}")
    if schemas.folder:
        print(f"{messages} messages of the servers fit the protocol's schemas")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
