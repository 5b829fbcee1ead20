"""Building wheels, and running programs that do not see this checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(*command: str | Path, cwd: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a program without what the environment says of Python."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))
    }
    return subprocess.run(command, cwd=cwd, env=kept, capture_output=True, text=True, check=check)


def build(source: Path, folder: Path) -> Path:
    """Build a wheel with the hatchling that is installed here; no network is needed."""
    run(
        *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder),
        source,
        cwd=folder,
    )
    return next(folder.glob("*.whl"))
