from __future__ import annotations

import sys
from pathlib import Path

ENVIRONMENTS = Path(__file__).parents[3] / "environments"
for folder in ("hospital", "kit"):
    if str(ENVIRONMENTS / folder) not in sys.path:
        sys.path.append(str(ENVIRONMENTS / folder))
