"""Screenshots within the page: scaled down, deduplicated, and read only when the page is written.

Those that are in object storage are linked, also from a page that holds the others.
"""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

_WIDTH = 1280  # pixels, maximum
_QUALITY = 60


class Pictures:
    """Numbers the pictures of the page; without `inline` the page holds none.

    Attributes:
        origins: The servers of linked pictures, as in a content security policy.
    """

    def __init__(self, inline: bool) -> None:
        self.inline = inline
        self._numbers: dict[bytes, int] = {}
        self._files: list[Path] = []
        self.origins: set[str] = set()

    def link(self, address: str) -> None:
        """Allow the page to show pictures from an address."""
        parts = urlsplit(address)
        if parts.netloc:  # pages from a disk may show pictures from there anyway
            self.origins.add(f"{parts.scheme}://{parts.netloc}")

    def number(self, file: Path) -> int:
        """Return the number of a picture; equal pictures have the same number."""
        content = hashlib.sha256(file.read_bytes()).digest()
        if content not in self._numbers:
            self._numbers[content] = len(self._files)
            self._files.append(file)
        return self._numbers[content]

    def elements(self) -> Iterator[str]:
        """Yield one HTML element per picture."""
        for number, file in enumerate(self._files):
            text = base64.b64encode(_webp(file)).decode()
            yield f'<script type="image/webp" id="picture-{number}">{text}</script>\n'


def _webp(file: Path) -> bytes:
    from PIL import Image

    with Image.open(file) as source:
        picture = source.convert("RGB")
    picture.thumbnail((_WIDTH, _WIDTH))
    out = io.BytesIO()
    picture.save(out, "WEBP", quality=_QUALITY, method=2)
    return out.getvalue()
