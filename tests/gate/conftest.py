"""Records to be judged, without playing."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # `gate_records` lies here, and importlib mode adds no path
