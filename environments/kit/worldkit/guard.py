"""Browser-side protection: origin checks of forms, and security headers."""

from starlette.requests import Request
from starlette.responses import Response

POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}
FOREVER = "public, max-age=31536000, immutable"


def same_origin(request: Request) -> bool:
    """Whether a page of the session itself sent this form."""
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if site is None and origin is None:
        return False
    return site in (None, "same-origin") and origin in (None, f"http://{request.headers.get('host')}")


def protect(response: Response, cache: str = "no-store") -> Response:
    """Add the security headers of every response."""
    for name, value in HEADERS.items():
        response.headers[name] = value
    response.headers["cache-control"] = cache
    return response
