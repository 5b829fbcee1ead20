"""The ledger's lines before they are attempts: what identifies an attempt, and judgements that came later.

    {"type": "attempt", ...}                             one attempt as it ended
    {"type": "regrade", "attempt": KEY, "outcome": ...}  the same attempt as later checks judge it

Nothing recorded is changed by a later judgement; whoever reads the attempts finds the latest one in its place.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

ATTEMPT, REGRADE = "attempt", "regrade"
_PLACES = ("trajectory", "screenshot")  # where it lies may change when runs are merged
_JUDGED = ("outcome", "verdict", "error")


def key_of(record: Mapping[str, Any]) -> str:
    """Return what identifies an attempt in whichever run it lies."""
    content = {name: value for name, value in record.items() if name not in _PLACES}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


def regrade(record: Mapping[str, Any], judged: Mapping[str, Any], when: str, version: str) -> dict[str, Any]:
    """Return the line that says how an attempt is judged now; both are attempts as the ledger writes them."""
    return {
        "type": REGRADE,
        "attempt": key_of(record),
        "instance": record["instance"],
        "was": record["outcome"],
        **{name: judged[name] for name in _JUDGED},
        "regraded": when,
        "plugin": version,
    }


def with_latest_judgements(records: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the attempts, each as it was judged last."""
    attempts, later = [], {}
    for record in records:
        if record.get("type") == ATTEMPT:
            attempts.append(record)
        elif record.get("type") == REGRADE:
            later[record["attempt"]] = record
    for attempt in attempts:
        judged = later.get(key_of(attempt)) if later else None
        yield {**attempt, **_judgement(judged)} if judged else attempt


def _judgement(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: record[name] for name in (*_JUDGED, "regraded")}
