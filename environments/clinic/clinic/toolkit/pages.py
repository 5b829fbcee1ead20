"""What pages with a form show beside the record."""

from typing import Any, TypeAlias

from clinic.toolkit.entry import Problems
from clinic.visit import Visit

Warnings: TypeAlias = list[str] | None


def said(visit: Visit, problems: Problems | None, warnings: Warnings = None) -> dict[str, Any]:
    """Return status and context of a page that is shown as it is, with refusals (422), or asking to confirm."""
    return {
        "status": 422 if problems else 200,
        "problems": problems or Problems(),
        "warnings": warnings or [],
        "asking": bool(warnings),
        "form": visit.form,
    }
