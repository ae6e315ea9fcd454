"""Checks what a server wrote, by the schemas of the protocol and by the tools' own schemas."""

import json
from pathlib import Path

from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

MODERN = "2026-07-28"
RESULTS = {
    "initialize": "InitializeResult",
    "ping": "EmptyResult",
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
}
ERRORS = {
    -32700: "ParseError",
    -32600: "InvalidRequestError",
    -32601: "MethodNotFoundError",
    -32602: "InvalidParamsError",
    -32603: "InternalError",
}


class Record:
    """What one client and one server said to each other, as tee.py recorded it."""

    def __init__(self, path: Path):
        # Only a newline ends a line: a text may hold other separators.
        lines = path.read_bytes().decode().split("\n")[:-1]
        said = {mark: [line[1:] for line in lines if line[0] == mark] for mark in "><!="}
        self.requests = {
            message["id"]: message for message in map(json.loads, said[">"]) if "id" in message
        }
        self.messages = [json.loads(line) for line in said["<"]]
        assert not any("\u2028" in line or "\u2029" in line for line in said["<"]), "unescaped"
        self.errors = "\n".join(said["!"])
        self.exit_code = int(said["="][0]) if said["="] else None

    def revision(self) -> str:
        """The revision of the handshake, or the one that needs none."""
        handshakes = [
            message["result"]["protocolVersion"]
            for message in self.messages
            if self.requests[message["id"]]["method"] == "initialize"
        ]
        return handshakes[-1] if handshakes else MODERN


class Schemas:
    """The protocol's schemas, one for each revision; without their folder, any message will do."""

    def __init__(self, folder: Path | None):
        self.folder = folder

    def check(self, revision: str, names: str | list[str], value) -> None:
        """Checks by the first of the names that the revision has, if it has one."""
        if not self.folder:
            return
        root = json.loads((self.folder / revision / "schema.json").read_text())
        defs = "$defs" if "$defs" in root else "definitions"
        for name in [names] if isinstance(names, str) else names:
            if name in root[defs]:
                reference = {"$ref": f"#/{defs}/{name}"}
                check({**root, "allOf": [reference]}, value, f"{name} of {revision}")
                return

    def check_record(self, record: Record) -> int:
        """Checks every message of the server; says how many there were."""
        revision = record.revision()
        outputs = {}
        answered = []
        for message in record.messages:
            self.check(revision, "JSONRPCMessage", message)
            if "id" not in message:
                self.check(revision, "ServerNotification", message)
                continue
            answered.append(message["id"])
            request = record.requests[message["id"]]
            if "error" in message:
                self.check(revision, ["JSONRPCErrorResponse", "JSONRPCError"], message)
                if revision == MODERN:
                    self.check(revision, ERRORS[message["error"]["code"]], message["error"])
                continue
            self.check(revision, ["JSONRPCResultResponse", "JSONRPCResponse"], message)
            result = message["result"]
            self.check(revision, RESULTS[request["method"]], result)
            for tool in result.get("tools", []):
                Draft202012Validator.check_schema(tool["inputSchema"])
                Draft202012Validator.check_schema(tool.get("outputSchema", True))
                outputs[tool["name"]] = tool.get("outputSchema")
        assert sorted(answered) == sorted(record.requests), "each request has one answer"
        for message in record.messages:
            self.check_output(record, outputs, message)
        return len(record.messages)

    @staticmethod
    def check_output(record: Record, outputs: dict, message: dict) -> None:
        """A tool with an output schema answers with a value that fits it, others with none."""
        request = record.requests.get(message.get("id"))
        result = message.get("result", {})
        if not request or request["method"] != "tools/call" or not result:
            return
        if result.get("isError"):
            return
        name = request["params"]["name"]
        if outputs[name] is None:
            assert "structuredContent" not in result, f"{name} is content-only"
        else:
            check(outputs[name], result["structuredContent"], f"the output schema of {name}")


def check(schema, value, name: str) -> None:
    validator = validator_for(schema, default=Draft202012Validator)
    errors = [
        f"{error.json_path}: {error.message}"
        for error in validator(schema).iter_errors(value)
    ]
    assert not errors, f"{json.dumps(value)} does not fit {name}:\n" + "\n".join(errors)
