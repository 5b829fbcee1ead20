"""Downloads for the desktop, fetched by the supervisor: programs in the box have no network."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request

from guest.osworld.replies import MAX_UPLOAD, Refused

_TRIES = 3
_SECONDS = 60.0


async def fetch(url: str) -> bytes:
    """Download a URL.

    Raises:
        Refused: It is not a web address, does not answer, or is too large.
    """
    if not url.startswith(("http://", "https://")):
        raise Refused(400, "url must begin with http:// or https://")
    why = ""
    for _ in range(_TRIES):
        try:
            return await asyncio.to_thread(_fetched, url)
        except (OSError, ValueError) as error:  # ValueError: not a URL
            why = str(error) or type(error).__name__
            if isinstance(error, urllib.error.HTTPError) and error.code < 500:
                break
    raise Refused(500, f"the download of {url[:200]} failed: {why[:200]}")


def _fetched(url: str) -> bytes:
    opener = urllib.request.build_opener(urllib.request.HTTPHandler, urllib.request.HTTPSHandler, _OnTheWeb)
    with opener.open(url, timeout=_SECONDS) as reply:
        content = reply.read(MAX_UPLOAD + 1)
    if len(content) > MAX_UPLOAD:
        raise Refused(413, f"{url[:200]} holds more than {MAX_UPLOAD} bytes")
    return bytes(content)


class _OnTheWeb(urllib.request.HTTPRedirectHandler):
    """Follows redirects to http and https only."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
        """Reject other redirects."""
        if not newurl.startswith(("http://", "https://")):
            raise Refused(400, "the download is redirected off the web")
        return super().redirect_request(req, fp, code, msg, headers, newurl)
