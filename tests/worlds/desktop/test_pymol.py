from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from drivers.guests import Guest, absent

PEPTIDE = "/usr/share/pymol/data/demo/pept.pdb"
LINES = ["load " + PEPTIDE + ", pept", "as sticks", "distance span, first name CA, last name CA"]
pytestmark = pytest.mark.slow  # PyMOL starts: about 2 s each


@pytest.fixture(scope="module")
def pymol() -> Iterator[Guest]:
    """A guest with PyMOL on its screen."""
    if not Path(PEPTIDE).is_file() or not Path("/usr/bin/pymol").is_file():
        pytest.skip("PyMOL is not installed; type: apt-get install pymol python3-pymol")
    if reason := absent():
        pytest.skip(reason)
    guest = Guest(screen="1920x1080")
    guest.begin("pymol", [{"do": "run", "lines": LINES}])
    yield guest
    guest.close()


def entered(guest: Guest, line: str) -> None:
    guest.act({"kind": "type", "text": line}, {"kind": "key", "keys": ["enter"]})


def test_the_setup_is_what_the_session_tells(pymol):
    """Objects, residues and measurements are as the lines of the setup made them; settings are the usual ones."""
    told = pymol.collections()
    residues = told["residues"].values()
    assert told["objects"]["pept"]["type"] == "molecule"
    assert sum(row["atoms"] for row in residues) == told["objects"]["pept"]["atoms"]
    assert all(row["shown"] == {"sticks": row["atoms"]} for row in residues)
    (measured,) = told["measurements"]["span"]["rows"]
    assert measured["kind"] == "distance"
    assert all(atom.endswith("/CA") for atom in measured["atoms"])
    assert told["settings"] == {}


def test_what_is_typed_is_told(pymol):
    """A colour, a setting and a selection show in the state; only a line of Python is counted as one."""
    entered(pymol, "color red, resi 5")
    entered(pymol, "bg_color white")
    entered(pymol, "select five, resi 5")
    told = pymol.collections()
    (red,) = (row for row in told["residues"].values() if row["colors"].get("C") == ["#ff0000"])
    assert told["settings"]["bg_rgb"]["value"] == "#ffffff"
    assert told["selections"]["five"]["atoms"] == red["atoms"]
    assert told["console"]["python"]["lines"] == 0
    entered(pymol, "print(1 + 1)")
    assert pymol.collections()["console"]["python"]["lines"] == 1


def test_names_by_counting_are_no_setting(pymol):
    """A measurement without a name is told, and PyMOL's counter of such names is not."""
    entered(pymol, "distance resi 3 & name CA, resi 5 & name CA")
    told = pymol.collections()
    assert len(told["measurements"]) == 2
    assert "dist_counter" not in told["settings"]


def test_an_invisible_cartoon_is_not_told(pymol):
    """A representation is in the state where PyMOL draws it, not where only a flag was set."""
    entered(pymol, "show nonbonded")
    assert all("nonbonded" not in row["shown"] for row in pymol.collections()["residues"].values())


READING = (
    "rr=[]; iterate resi 5, rr.append(resn+resi)",
    "print(rr)",
    "print(', '.join(sorted(set(rr))))",
    "stored.found = list(rr); iterate resi 5, stored.found.append(name)",
)


def test_lists_of_atoms_are_made_and_printed(pymol):
    """What only lists and prints names of atoms leaves PyMOL believed, however it is typed."""
    for line in READING:
        entered(pymol, line)
        told = pymol.call("GET", "/session/state")
        assert (told["trouble"], told["unsealed"]) == (None, None), line


def test_a_window_that_was_opened_again_tells_settings_as_the_first_does(pymol):
    """The settings that are told are those that differ from the first start, whichever window tells them."""
    entered(pymol, "quit")
    pymol.act({"kind": "open_app", "name": "pymol"})
    for _ in range(100):
        told = pymol.call("GET", "/session/state")
        if not told["unsealed"] and not told["trouble"] and told["collections"]["settings"] == {}:
            break  # what it draws with is set when it first draws
        time.sleep(0.2)
    assert (told["trouble"], told["unsealed"]) == (None, None)
    assert told["collections"]["settings"] == {}
    time.sleep(1)
    entered(pymol, "bg_color white")
    entered(pymol, f"load {PEPTIDE}, pept")
    told = pymol.collections()
    assert told["settings"] == {"bg_rgb": {"value": "#ffffff"}}
    assert "pept" in told["objects"]


def test_a_closed_window_leaves_what_was_told_last(pymol):
    """An agent that quits the program has not broken the desktop: its last state counts, and the reason is told."""
    before = pymol.collections()
    entered(pymol, "quit")
    for _ in range(50):  # it takes a moment to end
        if (told := pymol.call("GET", "/session/state"))["unsealed"]:
            break
    assert (told["trouble"], told["collections"]["objects"]) == (None, before["objects"])
    assert "pymol was closed" in told["unsealed"]
