"""Shows the desktop's screen, which is only in memory, on the machine's own: for whoever watches it by VNC.

    python3 mirror.py XWD-FILE

Copies the frame of an Xvfb, as `-fbdir` lays it into a file, to the frame buffer whenever it has changed.
"""

from __future__ import annotations

import mmap
import struct
import sys
import time
from pathlib import Path

_EVERY = 0.25  # seconds
_BUFFER = Path("/dev/fb0")
_ABOUT = Path("/sys/class/graphics/fb0")
_HEADER = struct.Struct(">25I")  # of an XWD file; what is used of it stands below
_SIZE, _HEIGHT, _LINE, _COLOURS = 0, 5, 12, 19


def main(file: Path) -> None:
    """Copy until the machine ends; an X server that was started anew has a new file."""
    with _BUFFER.open("r+b") as opened:
        stride = int((_ABOUT / "stride").read_text())
        height = int((_ABOUT / "virtual_size").read_text().split(",")[1])
        buffer = mmap.mmap(opened.fileno(), stride * height)
        shown = b""
        while True:
            time.sleep(_EVERY)
            frame = _frame(file, stride, height)
            if frame is not None and frame != shown:
                buffer[: len(frame)] = shown = frame


def _frame(file: Path, stride: int, height: int) -> bytes | None:
    """Return the picture in the frame buffer's layout; None while there is none that fits it."""
    try:
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content:
            fields = _HEADER.unpack_from(content)
            start = fields[_SIZE] + 12 * fields[_COLOURS]
            line, lines = fields[_LINE], min(fields[_HEIGHT], height)
            if line == stride:
                return content[start : start + line * lines]
            kept = min(line, stride)
            rows = (
                content[start + line * row : start + line * row + kept].ljust(stride, b"\0")
                for row in range(lines)
            )
            return b"".join(rows)
    except (OSError, ValueError, struct.error):
        return None


if __name__ == "__main__":
    main(Path(sys.argv[1]))
