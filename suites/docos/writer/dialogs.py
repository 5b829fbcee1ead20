"""What is set in dialogs of LibreOffice Writer, in the form of `toolkit/dialogs.py`.

`menu` with its entry opens the dialog of this name, which is the window, and OK applies it. What was done is in the
report, which has to be saved besides; with `options`, it is in the settings, and nothing has to be saved.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from pytest_cuabench import Case, Evidence, Findings, State, Values

from ..toolkit import dialogs
from ..toolkit.changes import misread
from ..toolkit.dialogs import changed_the_neighbour, left_unsaved, slipped, solve
from ..toolkit.steps import Steps

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]

_VILLAGES = ("Brookfield", "Ashcombe", "Millhaven", "Thornbury", "Elmstead")
_OPEN = [
    {"place": "files/work/report.fodt", "why": "it is judged by its content"},
    {
        "place": "settings/registrymodifications.xcu/Office.Writer/Layout/Other:ApplyCharUnit",
        "why": "Writer writes it when its page General is opened, which does not show it",
    },
]


def setup(random: Random) -> Steps:
    """Open a short report on one of several villages."""
    text = Path(__file__).with_name("report.fodt").read_text(encoding="utf-8")
    yield {
        "do": "write",
        "path": "work/report.fodt",
        "text": text.replace("Brookfield", random.choice(_VILLAGES)),
    }
    yield {"do": "open", "path": "work/report.fodt"}


def case(state: State, random: Random, values: Values) -> Values:
    """Choose the values that differ by seed, and say how the dialog is opened and closed."""
    menu = list(values.get("menu", ()))
    window = f'dialog[name^="{values.get("window") or menu[-1].rstrip(".")}"]'
    ok, cancel = ({"click": f'{window} >> push-button[name="{name}"]'} for name in ("OK", "Cancel"))
    options = bool(values.get("options"))
    save = {"wait": 2} if options else {"press": "ctrl+s"}  # options are saved by themselves, a second later
    filled = dialogs.case(state, random, values)
    return {
        "closing": [ok, save],
        "unsaved": [cancel if options else ok],
        **filled,
        "opening": filled.get("opening", []) + ([{"menu": menu}] if menu else []),
        "window": window,
        "along": [*filled.get("along", ()), *_OPEN],
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Judge as all dialogs are; Writer saves its own styles as soon as one of its dialogs has listed them."""
    before, after = (state.collections["document"] for state in (evidence.before, evidence.after))
    styles = {key for key in after if "/style/" in key or "/master/" in key}
    used = {
        ("master" if name.endswith("master-page-name") else "style", value)
        for key in after.keys() - styles
        for name, value in after[key].items()
        if name.endswith(("style-name", "master-page-name"))
    }
    listed = [
        {"place": f"document/{key}", "why": "Writer saves its own styles, and no text has this one"}
        for key in styles - before.keys()
        if (key.split("/")[1], after[key].get("@name")) not in used
    ]
    yield from dialogs.check(evidence, misread(case, along=[*case["along"], *listed]))
