"""Write docs/scuba-collateral.md, and the last section of docs/scuba-errata.md: see scripts/scuba-pages."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path += map(
    str, (ROOT, ROOT / "tests", *(ROOT / "environments" / name for name in ("salesforce", "kit")))
)

from tests.worlds.salesforce import scuba_collateral, scuba_upstream  # noqa: E402 - the path comes first
from tests.worlds.salesforce.scuba_trials import SUITE  # noqa: E402

if __name__ == "__main__":
    page = scuba_upstream.PAGE
    rest, _, _ = page.read_text(encoding="utf-8").partition(scuba_upstream.HEADING)
    page.write_text(rest.rstrip() + "\n\n" + scuba_upstream.section(), encoding="utf-8")
    if "--scores" not in sys.argv:
        first = {task.template: task for task in reversed(SUITE.tasks)}
        tried = scuba_collateral.tally(list(first.values())[::-1])
        scuba_collateral.PAGE.write_text(scuba_collateral.text(tried), encoding="utf-8")
