"""Parses copies of files that programs have written: started by `reading.py`, with limits.

On standard input a line of JSON, a list of [name, form, bytes, patterns to leave out], and then the files; on standard
output a line for each file, with its rows.
"""

from __future__ import annotations

import json
import sys

from guest.applications import formats
from guest.reading import READY


def main() -> None:
    """Read, and print the rows of each file as soon as they are known."""
    _tell(READY)
    for name, form, size, without in json.loads(sys.stdin.buffer.readline()):
        rows = formats.read(name, form, sys.stdin.buffer.read(size), without)
        _tell(json.dumps(rows) + "\n")


def _tell(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


main()
