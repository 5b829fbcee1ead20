"""The wheel of this checkout, built once for a session."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from wheels import ROOT, build, run

collect_ignore = ["todo_bench"]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of what git tracks; the copy is gone afterwards."""
    folder = tmp_path_factory.mktemp("build")
    source = folder / "source"
    listed = run(
        "git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT
    ).stdout.splitlines()
    for name in listed:
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    built = build(source, folder)
    shutil.rmtree(source)
    return built
