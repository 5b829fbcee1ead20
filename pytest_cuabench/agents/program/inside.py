"""Run inside of the box: forward a port of its loopback to the door, and run the program.

Reads its orders from standard input as JSON, so that no token or key is on a command line. Standard library only.
"""

import json
import os
import resource
import socket
import subprocess
import sys
import threading


def forward(port, door):
    """Pass on each connection to a port to the door's Unix socket."""
    listening = socket.create_server(("127.0.0.1", port))
    threading.Thread(target=_accept, args=(listening, door), daemon=True).start()


def _accept(listening, door):
    while True:
        near, _ = listening.accept()
        far = socket.socket(socket.AF_UNIX)
        try:
            far.connect(door)
        except OSError:
            near.close()
            continue
        for one, other in ((near, far), (far, near)):
            threading.Thread(target=_copy, args=(one, other), daemon=True).start()


def _copy(one, other):
    try:
        while data := one.recv(65536):
            other.sendall(data)
    except OSError:
        pass
    finally:
        try:
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def main():
    """Run the program, and exit as it does."""
    orders = json.load(sys.stdin)
    for name, text in orders["write"].items():
        os.makedirs(os.path.dirname(os.path.abspath(name)), exist_ok=True)
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    for name, most in orders["limits"].items():
        limit = getattr(resource, name)
        resource.setrlimit(limit, (most, most))
    forward(orders["port"], orders["door"])
    try:
        program = subprocess.Popen(orders["command"], env=orders["environment"], stdin=subprocess.DEVNULL)  # noqa: S603
    except OSError as error:
        sys.exit(f"cannot start {orders['command'][0]!r}: {error.strerror}")
    code = program.wait()
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
