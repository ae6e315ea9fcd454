"""Stands between a client and a server and records what they say: tee.py LOG COMMAND [ARGUMENT...]

Each line of the log has a mark for who said it: `>` the client, `<` the server, `!` the server on
stderr. The last one, `=`, has the server's exit code. A message is recorded before it is passed
on, so a reply never stands above its request.
"""

import contextlib
import os
import subprocess
import sys
import threading


def main() -> int:
    log = open(sys.argv[1], "ab", buffering=0)
    server = subprocess.Popen(
        sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )

    def relay(mark, source, sink):
        # Whoever has closed its end wants no more of it.
        with contextlib.suppress(BrokenPipeError):
            for line in source:
                log.write(mark + line.removesuffix(b"\n") + b"\n")
                if sink:
                    sink.write(line)
                    sink.flush()
            if sink is server.stdin:
                sink.close()

    # The client may hold its end open when the server has ended.
    threading.Thread(target=relay, args=(b">", sys.stdin.buffer, server.stdin), daemon=True).start()
    outputs = [
        threading.Thread(target=relay, args=(b"<", server.stdout, sys.stdout.buffer)),
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
