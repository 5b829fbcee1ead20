"""What the plugin costs where it is installed: its import, and the collection of 2,000 instances.

Beside the import of other plugins, and the collection of 2,000 plainly parametrized tests, in the same run.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROUNDS = 7
SAMPLE = Path(__file__).parents[1] / "tests" / "sample_suite"
PLAIN = """
import pytest

@pytest.mark.parametrize("n", range(2000))
def test_plain(n):
    pass
"""


def import_ms(module: str) -> float:
    """Return the median time of importing a module, after pytest itself is there."""
    code = f"import pytest, time; t = time.perf_counter(); import {module}; print(1000 * (time.perf_counter() - t))"
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(ROUNDS)
    ]
    return median(float(run.stdout) for run in runs)


def collect_s(*arguments: str | Path) -> float:
    """Return the median time of a whole `pytest --collect-only` in a subprocess."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        command = [
            sys.executable,
            "-m",
            "pytest",
            "--collect-only",
            "-qq",
            "-p",
            "no:cacheprovider",
            *arguments,
        ]
        subprocess.run(command, capture_output=True, check=True)
        times.append(time.perf_counter() - start)
    return median(times)


def main() -> None:
    """Measure and print."""
    ours = import_ms("pytest_cuabench.plugin")
    print(f"import of the plugin: {ours:.1f} ms")
    for module in ("xdist.plugin", "pytest_asyncio.plugin", "allure_pytest.plugin"):
        theirs = import_ms(module)
        print(f"  {module}: {theirs:.1f} ms, {theirs / ours:.1f}x ours")
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "test_plain.py"
        plain.write_text(PLAIN)
        parametrized = collect_s("-p", "no:cuabench", plain)
        nothing = collect_s("-p", "no:cuabench", plain, "-k", "test_plain and 1999")
        instances = collect_s("--agent=noop", "--cua-seeds=0-332", SAMPLE, f"--rootdir={folder}")
    print(f"collecting 2,000 plain parameters: {parametrized:.2f} s; 1,998 instances: {instances:.2f} s")
    print(f"  per whole run of pytest, whose start alone takes about {nothing:.2f} s")


if __name__ == "__main__":
    main()
