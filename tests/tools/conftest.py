"""The developers' tools are scripts; their tests import them from beside."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
