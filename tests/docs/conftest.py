"""The machines that run the recipes of `examples/ci`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # they lie here, and importlib mode adds no path
