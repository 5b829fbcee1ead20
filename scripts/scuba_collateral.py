"""Write docs/scuba-collateral.md: how many kinds of further writes were tried beside SCUBA's tasks, and accepted.

scripts/scuba-collateral
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT), *(str(ROOT / "environments" / name) for name in ("salesforce", "kit"))]

from tests.salesforce.scuba_collateral import PAGE, tally, text  # noqa: E402 - the path comes first
from tests.salesforce.scuba_trials import SUITE  # noqa: E402

if __name__ == "__main__":
    first = {task.template: task for task in reversed(SUITE.tasks)}
    PAGE.write_text(text(tally(list(first.values())[::-1])), encoding="utf-8")
