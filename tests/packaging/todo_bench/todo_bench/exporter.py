"""An exporter that writes one line for each attempt."""

from pathlib import Path

from pytest_cuabench import Run


def export(run: Run, folder: Path) -> Path:
    """Write `lines.txt` into the folder of the export."""
    file = folder / "lines.txt"
    file.write_text("".join(f"{attempt.instance} {attempt.outcome}\n" for attempt in run.attempts()))
    return file
