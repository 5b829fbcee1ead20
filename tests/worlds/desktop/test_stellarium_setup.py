from __future__ import annotations

import asyncio
from typing import Any

import pytest

from guest.applications import stellarium


@pytest.mark.parametrize(("answers", "found"), [([False, "ok"], True), ([False] * 1000, False)])
def test_an_object_is_asked_for_again(
    answers: list[object], found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planet has no place until it was drawn, so it may be refused at first; a name that is not known stays refused."""
    left = iter(answers)

    async def ask(desktop: Any, *calls: Any) -> list[object]:
        return [next(left)]

    monkeypatch.setattr(stellarium, "_SEARCH", 0.2)
    application = stellarium.Stellarium()
    monkeypatch.setattr(application, "_ask", ask)
    desktop: Any = None
    assert asyncio.run(application._found_later(desktop, ("main/focus", {"target": "Mars"}))) is found
