"""Third-party files in the report, the org's pages and the documentation have the hashes that are written down."""

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


@pytest.mark.parametrize(
    ("folder", "licences"),
    [
        (0, {"chart.js.LICENSE.md": "MIT License"}),
        (
            1,
            {
                "slds.LICENSE.txt": "salesforce.com",
                "icons.LICENSE.txt": "NoDerivatives",
                "htmx.LICENSE.txt": "BSD",
            },
        ),
        (2, {"LICENSE.iframe-worker": "Martin Donath"}),
    ],
    ids=["report", "org", "documentation"],
)
def test_carried_files_are_those_written_down(
    vendor: ModuleType, folder: int, licences: dict[str, str]
) -> None:
    """Every file has the hash of its version, its licence is with it, and nothing else lies there."""
    assert vendor.main(["--check"]) == 0
    place = vendor.FOLDERS[folder]
    files = [name for package in vendor.packages(place).values() for name in package["files"]]
    assert {file.name for file in place.iterdir()} == {"vendor.toml", *files}
    for name, words in licences.items():
        assert words in (place / name).read_text()


def test_a_changed_file_is_told(vendor: ModuleType) -> None:
    """One byte more, and the sentence names the file and both hashes."""
    report = vendor.FOLDERS[0]
    package = vendor.packages(report)["chart.js"]
    contents = {name: (report / name).read_bytes() for name in package["files"]}
    [sentence] = vendor.wrong(package, {**contents, "chart.js": contents["chart.js"] + b" "})
    assert sentence.startswith("chart.js has the hash ")
    assert package["files"]["chart.js"]["sha256"] in sentence
