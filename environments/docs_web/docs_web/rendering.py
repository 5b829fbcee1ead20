"""The page templates."""

from __future__ import annotations

from typing import Any

import jinja2

_TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader("docs_web"), autoescape=True, undefined=jinja2.StrictUndefined
)


def render(template: str, **values: Any) -> str:
    """Return a page."""
    return _TEMPLATES.get_template(template).render(values)
