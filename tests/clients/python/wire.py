"""Checks what a server wrote, by the schema of the protocol and by the tools' own schemas."""

import json
from pathlib import Path

from jsonschema import Draft202012Validator

RESULTS = {
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


class Schema:
    """The protocol's schema; without a file, any message will do."""

    def __init__(self, path: Path | None):
        self.root = json.loads(path.read_text()) if path else None

    def check(self, name: str, value) -> None:
        if self.root:
            check({**self.root, "$ref": f"#/$defs/{name}"}, value, name)

    def check_record(self, record: Record) -> int:
        """Checks every message of the server; says how many there were."""
        outputs = {}
        answered = []
        for message in record.messages:
            self.check("JSONRPCMessage", message)
            if "id" not in message:
                self.check("ServerNotification", message)
                continue
            self.check("JSONRPCResponse", message)
            answered.append(message["id"])
            request = record.requests[message["id"]]
            if "error" in message:
                self.check("JSONRPCErrorResponse", message)
                self.check(ERRORS[message["error"]["code"]], message["error"])
                continue
            result = message["result"]
            self.check(RESULTS[request["method"]], result)
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
    errors = [
        f"{error.json_path}: {error.message}"
        for error in Draft202012Validator(schema).iter_errors(value)
    ]
    assert not errors, f"{json.dumps(value)} does not fit {name}:\n" + "\n".join(errors)
