"""Names of a run's files, and lines of the ledger as plain data: keys of attempts, and regrades.

    {"type": "attempt", ...}                             one attempt as it ended
    {"type": "regrade", "attempt": KEY, "outcome": ...}  a later verdict of the same attempt

A regrade does not change recorded lines; readers of attempts get the newest verdict.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

LEDGER, ABOUT = "ledger.jsonl", "run.json"  # files of a run
ATTEMPT, REGRADE = "attempt", "regrade"
_NOT_CONTENT = ("trajectory", "screenshot", "signed")  # fields that a merge changes
_JUDGED = ("outcome", "verdict", "error")


def key_of(record: Mapping[str, Any]) -> str:
    """Return the key of an attempt, which stays the same when runs are merged."""
    content = {name: value for name, value in record.items() if name not in _NOT_CONTENT}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


def regrade(
    record: Mapping[str, Any],
    judged: Mapping[str, Any],
    when: str,
    version: str,
    *,
    task: str = "",
    upstream: bool = False,
) -> dict[str, Any]:
    """Return the regrade line of an attempt; both arguments are attempts as plain data.

    Args:
        task: Hash of the task that judged it.
        upstream: Whether it was scored by the benchmark authors' rules.
    """
    return {
        "type": REGRADE,
        "attempt": key_of(record),
        "instance": record["instance"],
        "was": record["outcome"],
        **{name: judged[name] for name in _JUDGED},
        "regraded": when,
        "plugin": version,
        "task": task,
        "upstream": upstream,
    }
