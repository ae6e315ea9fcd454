"""What one client and one server said to each other, as tee.py recorded it."""

import json
from pathlib import Path

MODERN = "2026-07-28"


class Record:
    """The messages in their order, `client` and `server` by who said them."""

    def __init__(self, path: Path):
        # Only a newline ends a line: a text may hold other separators.
        lines = path.read_bytes().decode().split("\n")[:-1]
        assert not any("\u2028" in line or "\u2029" in line for line in lines if line[0] == "<"), (
            "unescaped"
        )
        speakers = {">": "client", "<": "server"}
        self.said = [
            (speakers[line[0]], json.loads(line[1:])) for line in lines if line[0] in speakers
        ]
        self.requests = {
            message["id"]: message
            for speaker, message in self.said
            if speaker == "client" and "method" in message and "id" in message
        }
        self.messages = [message for speaker, message in self.said if speaker == "server"]
        self.errors = "\n".join(line[1:] for line in lines if line[0] == "!")
        codes = [int(line[1:]) for line in lines if line[0] == "="]
        self.exit_code = codes[0] if codes else None

    def methods(self) -> list[str]:
        """The methods of the client's requests."""
        return [request["method"] for request in self.requests.values()]

    def request_of(self, message: dict) -> dict | None:
        """The client's request that this message of the server answers."""
        return None if "method" in message else self.requests[message["id"]]

    def calls(self) -> dict[str, dict]:
        """The client's calls by their ids."""
        return {
            id: request["params"]
            for id, request in self.requests.items()
            if request["method"] == "tools/call"
        }

    def revision(self) -> str:
        """The revision of the handshake, or the one that needs none."""
        handshakes = [
            message["result"]["protocolVersion"]
            for message in self.messages
            if (request := self.request_of(message)) and request["method"] == "initialize"
        ]
        return handshakes[-1] if handshakes else MODERN


def records(folder: Path) -> list[Record]:
    """The records of a folder, the first server's first."""
    return [Record(path) for path in sorted(folder.iterdir())]
