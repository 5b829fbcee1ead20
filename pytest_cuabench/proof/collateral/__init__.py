"""Generated collateral claims: a task's reference plus a further write, or with a changed field, is not a success.

* `markup` finds elements of a served page and holds the values of its forms;
* `form_pilot` plays reference solutions over HTTP, without a browser;
* `offers` finds the writes that the pages offer, and fills in their forms until one is accepted;
* `branching` plays a reference once, makes each further write on a copy of the session, and judges it;
* `otherwise` replays the reference with one control of one form changed, and judges the result.

All but this file need the extra `audit`.
"""

from __future__ import annotations

from pathlib import Path

KNOWLEDGE = "collateral"  # the module of a suite that implements `branching.Knowledge`


def is_claimed(suite: Path) -> bool:
    """Whether a suite's folder has a `collateral.py`, without which there is no such claim."""
    return (suite / f"{KNOWLEDGE}.py").is_file()
