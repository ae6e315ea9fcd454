"""Stands between a client and a server and records what they say: tee.py FOLDER COMMAND...

Each run makes a record of its own in the folder; their names are in the order of the runs. Each
line of a record has a mark for who said it: `>` the client, `<` the server, `!` the server on
stderr. The last one, `=`, has the server's exit code; it is missing where the client has killed
this program. A message is recorded before it is passed on, so a reply never stands above its
request.
"""

import contextlib
import os
import socket
import stat
import subprocess
import sys
import threading
import time


def channel(like: int) -> tuple[int, int]:
    """The ends to read and to write of a socket pair, as node makes, or a pipe, as others do."""
    if stat.S_ISSOCK(os.fstat(like).st_mode):
        reader, writer = socket.socketpair()
        return reader.detach(), writer.detach()
    return os.pipe()


def main() -> int:
    log = open(os.path.join(sys.argv[1], f"{time.monotonic_ns():020}"), "ab", buffering=0)
    its_stdin, to_server = channel(0)
    from_server, its_stdout = channel(1)
    server = subprocess.Popen(
        sys.argv[2:], stdin=its_stdin, stdout=its_stdout, stderr=subprocess.PIPE
    )
    os.close(its_stdin)
    os.close(its_stdout)

    def relay(mark, source, sink, ends=False):
        # Whoever has closed its end wants no more of it.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for line in source:
                log.write(mark + line.removesuffix(b"\n") + b"\n")
                if sink:
                    sink.write(line)
                    sink.flush()
            if ends:
                sink.close()

    stdin = open(to_server, "wb")
    stdout = open(from_server, "rb")
    # The client may hold its end open when the server has ended.
    client = (b">", sys.stdin.buffer, stdin, True)
    threading.Thread(target=relay, args=client, daemon=True).start()
    outputs = [
        threading.Thread(target=relay, args=(b"<", stdout, sys.stdout.buffer)),
        threading.Thread(target=relay, args=(b"!", server.stderr, None)),
    ]
    for output in outputs:
        output.start()
    code = server.wait()
    for output in outputs:
        output.join()
    log.write(b"=%d\n" % code)
    return code


if __name__ == "__main__":
    code = main()
    # Not the interpreter's own end, which waits for the thread that reads stdin.
    os._exit(code if code >= 0 else 1)
