"""What the report carries of others is what was written down, and can be fetched again."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "vendor.py"


@pytest.fixture(scope="module")
def vendor() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("vendor", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_carried_files_are_those_written_down(vendor: ModuleType) -> None:
    """Every file has the hash of its version, its licence is with it, and nothing else lies there."""
    assert vendor.main(["--check"]) == 0
    files = [name for package in vendor.packages().values() for name in package["files"]]
    assert {file.name for file in vendor.VENDOR.iterdir()} == {"vendor.toml", *files}
    assert "MIT License" in (vendor.VENDOR / "chart.js.LICENSE.md").read_text()


def test_a_changed_file_is_told(vendor: ModuleType) -> None:
    """One byte more, and the sentence names the file and both hashes."""
    package = vendor.packages()["chart.js"]
    contents = {name: (vendor.VENDOR / name).read_bytes() for name in package["files"]}
    [sentence] = vendor.wrong(package, {**contents, "chart.js": contents["chart.js"] + b" "})
    assert sentence.startswith("chart.js has the hash ")
    assert package["files"]["chart.js"]["sha256"] in sentence
