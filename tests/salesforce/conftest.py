"""The org's program lies beside the plugin and is no installed package."""

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

ENVIRONMENTS = Path(__file__).resolve().parents[2] / "environments"
for folder in ("salesforce", "kit"):
    if str(ENVIRONMENTS / folder) not in sys.path:
        sys.path.append(str(ENVIRONMENTS / folder))

# A busy machine is no failure.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")
