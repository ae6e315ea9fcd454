"""Checks what a server wrote, by the schemas of the protocol and by the tools' own schemas."""

import json
from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from record import MODERN, Record

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


class Schemas:
    """The protocol's schemas, one for each revision; without their folder, any message will do."""

    def __init__(self, folder: Path | None):
        self.folder = folder

    def check(self, revision: str, names: str | list[str], value) -> None:
        """Checks by the first of the names that the revision has."""
        if not self.folder:
            return
        names = [names] if isinstance(names, str) else names
        by_name = validators(self.folder / revision / "schema.json")
        name = next(name for name in names if name in by_name)
        fits(by_name[name], value, f"{name} of {revision}")

    def check_record(self, record: Record) -> int:
        """Checks every message of the server; says how many there were."""
        revision = record.revision()
        for message in record.messages:
            self.check(revision, "JSONRPCMessage", message)
            if "method" not in message:
                self.check_answer(revision, record.request_of(message)["method"], message)
            elif "id" in message:
                assert revision != MODERN, f"a request: {message}"
                self.check(revision, "ServerRequest", message)
            else:
                self.check(revision, "ServerNotification", message)
        check_order(record)
        check_outputs(record)
        return len(record.messages)

    def check_answer(self, revision: str, method: str, message: dict) -> None:
        if "error" in message:
            self.check(revision, ["JSONRPCErrorResponse", "JSONRPCError"], message)
            if revision == MODERN:
                self.check(revision, ERRORS[message["error"]["code"]], message["error"])
            return
        self.check(revision, ["JSONRPCResultResponse", "JSONRPCResponse"], message)
        result = message["result"]
        asks = result.get("resultType") == "input_required"
        self.check(revision, "InputRequiredResult" if asks else RESULTS[method], result)


def check_order(record: Record) -> None:
    """Each request has one answer, or none once it was cancelled; progress comes before it."""
    pending, cancelled, tokens = {}, [], {}
    for speaker, message in record.said:
        params = message.get("params", {})
        if speaker == "client" and message.get("method") == "notifications/cancelled":
            cancelled.append(params["requestId"])
        elif speaker == "client" and "method" in message and "id" in message:
            pending[message["id"]] = message
            token = params.get("_meta", {}).get("progressToken")
            if token is not None:
                tokens[token] = (message["id"], float("-inf"))
        elif speaker == "server" and message.get("method") == "notifications/progress":
            id, before = tokens[params["progressToken"]]
            assert id in pending and params["progress"] > before, message
            tokens[params["progressToken"]] = (id, params["progress"])
        elif speaker == "server" and "method" not in message:
            assert message["id"] in pending, f"a second answer: {message}"
            assert message["id"] not in cancelled, f"an answer to a cancelled request: {message}"
            del pending[message["id"]]
    # A client that has killed its server has perhaps not waited for it.
    if record.exit_code is not None:
        assert set(pending) == set(cancelled), f"no answer: {pending}"


def check_outputs(record: Record) -> None:
    """A tool with an output schema answers with a value that fits it, others with none."""
    outputs = {}
    for message in record.messages:
        for tool in message.get("result", {}).get("tools", []):
            Draft202012Validator.check_schema(tool["inputSchema"])
            Draft202012Validator.check_schema(tool.get("outputSchema", True))
            outputs[tool["name"]] = tool.get("outputSchema")
    for message in record.messages:
        request = record.request_of(message)
        result = message.get("result", {})
        if not request or request["method"] != "tools/call" or "content" not in result:
            continue
        if result.get("isError"):
            continue
        name = request["params"]["name"]
        if outputs[name] is None:
            assert "structuredContent" not in result, f"{name} has no output schema"
        else:
            validator = validator_for(outputs[name], default=Draft202012Validator)
            what = f"the output schema of {name}"
            fits(validator(outputs[name]), result["structuredContent"], what)


@cache
def validators(path: Path) -> dict:
    """A validator for each definition of a schema file."""
    root = json.loads(path.read_text())
    defs = "$defs" if "$defs" in root else "definitions"
    validator = validator_for(root, default=Draft202012Validator)
    return {
        name: validator({**root, "allOf": [{"$ref": f"#/{defs}/{name}"}]}) for name in root[defs]
    }


def fits(validator, value, what: str) -> None:
    errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]
    assert not errors, f"{json.dumps(value)} does not fit {what}:\n" + "\n".join(errors)
