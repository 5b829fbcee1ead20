"""The page on conformance tells what the tests recorded, failures too."""

from __future__ import annotations

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "conformance.py"
BUSY = "429 with Retry-After"


@pytest.fixture
def conformance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, loaded without running it, with a folder of its own."""
    spec = spec_from_file_location("conformance", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "conformance", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "KEPT", tmp_path)
    return module


def record(folder: Path, part: str, *tests: tuple[str, bool | str, dict[str, list[list[object]]]]) -> None:
    """Write what pytest would write of some tests: name, whether it passed or why it failed, what was recorded."""
    suite = ElementTree.Element("testsuite")
    for name, passed, told in tests:
        case = ElementTree.SubElement(suite, "testcase", classname="m", name=name)
        properties = ElementTree.SubElement(case, "properties")
        for key, entries in told.items():
            for entry in entries:
                ElementTree.SubElement(properties, "property", name=key, value=json.dumps(entry))
        if isinstance(passed, str):
            ElementTree.SubElement(case, "skipped", type="pytest.xfail", message=passed)
        elif not passed:
            ElementTree.SubElement(case, "failure")
    ElementTree.ElementTree(suite).write(folder / f"{part}.xml")


def test_the_page_tells_what_was_recorded(conformance: ModuleType, tmp_path: Path) -> None:
    """What passed, failed, does not apply or was not played is told apart, and numbers are those of the record."""
    record(
        tmp_path,
        "episodes",
        ("m", True, {"case": [["claude", "plain", True]]}),
        ("m", False, {"case": [["claude", BUSY, True], ["claude", "safety check", False]]}),
        ("m", True, {"case": [["gemini", "plain", True]]}),
    )
    record(tmp_path, "mistakes", ("m", True, {"case": [["gemini", "wrong value typed", True]]}))
    record(
        tmp_path,
        "grid",
        ("m", True, {"grid": [["claude", "1280x720", 81, 81, 0.5]]}),
        ("m", False, {"grid": [["claude", "1367x771", 80, 81, 5.5]]}),
    )
    record(tmp_path, "chromium", ("test_conforms[a]", True, {}), ("test_conforms[b]", False, {}))
    for driver in ("xvfb", "docker"):
        record(tmp_path, driver, ("test_conforms[a]", True, {}), ("test_conforms[b]", "no undo", {}))
    reads: dict[str, list[list[object]]] = {"read": [["qwen", "understood", 3], ["qwen", "refused", 4]]}
    record(tmp_path, "readers", ("m", True, reads), ("m", False, {"read": [["qwen", "refused", 1]]}))
    kinds = {"unclosed tag": 2, "import": 1}
    told: dict[str, list[list[object]]] = {"golden": [["qwen-vl", 19, 3, kinds], ["glm", 4, 2, {}]]}
    record(tmp_path, "replies", ("m", True, told))

    page = conformance.text("")

    assert "| glm | 4 | – | 2 |\n| qwen-vl | 19 | import 1, unclosed tag 2 | 3 |" in page
    assert "| claude | passed | FAILED | n.a. | – |" in page
    assert "| gemini | passed | – | – | passed |" in page
    assert "| claude | 81/81, 0.5 | 80/81, 5.5 |" in page
    assert "| chromium | 2 | 1 | 0 |" in page
    assert "| xvfb | 2 | 1 | 1 |" in page
    assert "- `b`: no undo (xvfb, docker)." in page
    assert "qemu |" not in page
    assert "| qwen | 8 | 3 | 5 | 1 |" in page


def test_a_section_that_was_not_run_stays(conformance: ModuleType, tmp_path: Path) -> None:
    """A section whose tests were not run here is that of the page before; the others are written anew."""
    sections = (
        "Whole episodes\n\nold",
        "Click grid\n\ngrid",
        "Drivers\n\ngone",
        "Parsers of replies\n\nlast",
    )
    old = "\n\n".join(("# Head", *(f"## {section}" for section in sections), ""))
    record(tmp_path, "chromium", ("test_conforms[a]", True, {}))
    page = conformance.text(old)
    assert "## Whole episodes\n\nold\n\n## Click grid\n\ngrid\n\n## Drivers\n" in page
    assert "| chromium | 1 | 1 | 0 |\n\n## Parsers of replies\n\nlast\n" in page
    assert conformance.text(page) == page


def test_an_unknown_part_is_named(conformance: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    """A part that is none is said, with those that are, and nothing is run."""
    assert conformance.main(["everything"]) == 2
    assert "no part is named everything; known: episodes" in capsys.readouterr().out
