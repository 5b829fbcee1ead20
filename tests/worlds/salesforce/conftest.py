"""The org's program lies beside the plugin and is no installed package."""

import sys
from pathlib import Path

ENVIRONMENTS = Path(__file__).resolve().parents[3] / "environments"
for folder in ("salesforce", "kit"):
    if str(ENVIRONMENTS / folder) not in sys.path:
        sys.path.append(str(ENVIRONMENTS / folder))
