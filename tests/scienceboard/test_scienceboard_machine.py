"""Preparing and asking an upstream machine, over strict fakes: what is sent, what comes back, and how servers die."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import date
from typing import Any

import pytest
import pytest_asyncio
from cuabench_suite_scienceboard.upstream.asking import ask
from cuabench_suite_scienceboard.upstream.evaluators import findings
from cuabench_suite_scienceboard.upstream.initialise import initialise, until_answering
from cuabench_suite_scienceboard.upstream.probes import kept, probes
from cuabench_suite_scienceboard.upstream.records import Record

from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.evidence import Evidence, State
from scienceboard.fakes.celestia import FakeCelestia
from scienceboard.fakes.grass import FakeGrass
from scienceboard.fakes.guest import BASIC
from scienceboard.fakes.kalgebra import FakeKAlgebra
from scienceboard.fakes.serving import Fake
from scienceboard.lab import Lab
from scienceboard.small_records import small

Labs = Callable[..., Lab]
MAIN = "/home/user/atelier/main.tex"


async def still() -> None:
    """The screen of a fake is always at rest."""


async def judged(record: Record, lab: Lab) -> list[bool]:
    """Prepare, ask everything, and return what each item is found to be."""
    await initialise(record, lab.machine, still)
    return await asked(record, lab)


async def asked(record: Record, lab: Lab) -> list[bool]:
    """Ask everything, and return what each item is found to be."""
    replies = await ask(lab.machine, probes(record))
    evidence = Evidence(State({}), State(kept(replies)), None, "success")
    return [finding.reached for finding in findings(record, evidence)]


@pytest_asyncio.fixture
async def closing(make_lab: Labs) -> AsyncIterator[Labs]:
    """Return a maker of labs whose clients are closed at the end."""
    made: list[Lab] = []

    def make(application: Fake | None = None) -> Lab:
        made.append(make_lab(application))
        return made[-1]

    yield make
    for lab in made:
        await lab.machine.close()


CELESTIA = small(
    type="Celestia",
    initialize=[
        {"func": "opt", "depth": 6},
        {"func": "launch", "wait": 10, "command": "LD=/x /app/bin/celestia-qt6 «PORTLIKE»", "shell": True},
    ],
    query=[{"name": "Neptune", "type": 2}, {"name": "Sol", "type": 1}],
    evaluate=[
        {"type": "info", "key": "lambda dump: dump['config']['starStyle']", "value": 2},
        {
            "type": "info",
            "key": "lambda dump: dump['entity']['Neptune']['distance']",
            "value": 0,
            "pred": "lambda key, value: abs(key - value) < 150000",
        },
    ],
)
KALGEBRA = small(
    initialize=[
        {"func": "touch", "path": "/home/user/script.kal", "text": "r := a->q->a*q"},
        {"func": "launch", "wait": 2.5, "command": "/app/bin/kalgebra «PORTLIKE»", "shell": True},
        {"func": "tab", "index": 1},
        {"func": "func_2d", "expr": "x->x^2"},
        {"func": "func_3d", "expr": "z=x*y"},
    ],
    evaluate=[
        {"type": "eqn", "key": [[2, 4], [2, 5.5]], "value": {"(2, 4)": True, "(2, 5.5)": False}},
        {"type": "eqn", "key": [[2, 3, 6]], "value": {"(2, 3, 6)": True, "style": 0}},
        {"type": "eqn", "key": "#SIZE", "value": 1},
        {"type": "var", "key": "euler", "value": "#UNDEF"},
        {"type": "val", "key": "pi", "value": 3.14159265},
    ],
)
GRASS = small(
    type="GrassGIS",
    initialize=[
        {"func": "execute", "command": "rm -rf /home/user/grassdata/*/*/.gislock", "shell": True},
        {"func": "launch", "wait": 5, "command": 'bash -ic "FLASK_PORT=8000 grass --gui /x"', "shell": True},
        {
            "func": "map",
            "grassdb": "/home/user/grassdata",
            "location": "grassdata_piemonte_utm32n_wgs84_grass7",
            "mapset": "PERMANENT",
        },
        {"func": "layer", "wait": 5, "query": {"name": "boundary_region"}},
        {"func": "scale", "scale": 25},
        {"func": "cmd"},
    ],
    evaluate=[
        {
            "type": "info",
            "key": "lambda dump: dump['layers']",
            "value": "boundary_region@PERMANENT",
            "pred": "lambda key, value: any([item['name'] == value for item in key])",
        },
        {"type": "info", "key": "lambda dump: dump['statusbar']['scale']", "value": 25},
        {
            "type": "db",
            "cmd": "v.db.select",
            "kwargs": {"map": "boundary_region@PERMANENT", "format": "json"},
            "key": "lambda out: out['info']['columns']",
            "value": "ISTAT",
            "pred": "lambda key, value: any([item['name'] == value for item in key])",
        },
        {
            "type": "db",
            "cmd": "v.to.db",
            "kwargs": {"flags": "p", "map": "boundary_region@PERMANENT"},
            "key": "lambda out: out.strip()",
            "value": "cat|x|y|z\n257|-79.1|8.3|0",
        },
    ],
)
CHIMERAX = small(
    type="ChimeraX",
    initialize=[
        {"func": "execute", "command": ["rm", "/home/user/old"]},
        {
            "func": "launch",
            "wait": 7.5,
            "command": ["chimerax", "--cmd", "remotecontrol rest port «PORTLIKE»"],
        },
        {"func": "clear_log"},
        {"func": "open", "name": "3ppd"},
        {"func": "turn", "axis": "y", "angle": 1},
        {"func": "alphafold_match", "name": "A8Z1J3"},
        {"func": "color", "style": "rainbow"},
        {"func": "color", "style": "bypolymer"},
        {
            "func": "download",
            "url": "https://files.rcsb.org/download/3ppd.cif",
            "path": "/home/user/prot.cif",
        },
        {"func": "destroy", "wait": 2.5},
    ],
    evaluate=[
        {"type": "info", "key": "sel", "value": ["atom id /A:1"]},
        {"type": "states", "key": "_state_containers.models._models.(1,)._name", "value": "3ppd"},
        {"type": "file", "key": "/home/user/prot.cif", "value": "rcsb"},
        {
            "type": "file",
            "key": "/home/user/log.txt",
            "value": "lambda: __import__('datetime').datetime.today().strftime('%Y-%m-%d')",
        },
    ],
)
LEAN = small(
    type="Lean",
    snapshot=None,
    initialize=[
        {"func": "import", "libs": ["Mathlib"]},
        {"func": "open", "libs": ["Set", "Filter"]},
        {"func": "def", "expr": "def two := 2"},
        {"func": "query", "expr": "theorem T : two = 2 := by sorry"},
        {"func": "launch", "wait": 10, "command": "code /home/user/sci", "shell": True},
    ],
    evaluate=[{"type": "placeholder"}],
)
TEX = small(
    type="TeXstudio",
    initialize=[
        {"func": "touch", "path": MAIN, "text": "Lean \\cite{}."},
        {"func": "touch", "path": "/home/user/atelier/refs.bib", "text": "@misc{lean}"},
        {"func": "append", "path": "/home/user/atelier/refs.bib", "content": "\n@misc{coq}"},
        {"func": "launch", "wait": 2.5, "command": f"texstudio {MAIN}", "shell": True},
        {
            "func": "launch",
            "wait": 7.5,
            "command": ["chimerax", "--cmd", "remotecontrol rest port «PORTLIKE»"],
        },
        {"func": "chimerax_clear_log"},
        {"func": "chimerax_open", "name": "251d"},
        {"func": "chimerax_turn", "axis": "y", "angle": 1},
    ],
    evaluate=[
        {"type": "file", "path": MAIN, "source": "\\cite{}", "target": "\\cite{lean}"},
        {"type": "include", "path": "/home/user/atelier/refs.bib", "pattern": "misc\\{c.q\\}"},
        {"type": "compile", "path": "/home/user/atelier", "file": "main"},
    ],
)


@pytest.mark.asyncio
async def test_celestia_is_prepared_and_asked(closing: Labs) -> None:
    """The tree's depth, the program with its port, one dump for all items."""
    lab = closing(FakeCelestia())
    assert await judged(CELESTIA, lab) == [False, False]
    assert lab.guest.levels == 6
    assert lab.guest.launched == ["LD=/x /app/bin/celestia-qt6 8000"]
    lab.application.config["starStyle"] = 2
    lab.application.bodies["Neptune", 2]["distance"] = 100_000.0
    assert await asked(CELESTIA, lab) == [True, True]
    assert len(lab.application.asked("/dump")) == 2


@pytest.mark.asyncio
async def test_kalgebra_is_prepared_and_asked(closing: Labs) -> None:
    """A script, a tab, a curve and a surface; points to 1e-4, look, number, variables."""
    lab = closing(FakeKAlgebra({"x->x^2": lambda x, y: x * x - y, "z=x*y": lambda x, y, z: x * y - z}))
    assert await judged(KALGEBRA, lab) == [True, True, True, False, True]
    assert lab.guest.files["/home/user/script.kal"] == b"r := a->q->a*q"
    assert lab.application.tab == 1
    del lab.application.variables["euler"]
    lab.application.surface["style"] = 2
    assert await asked(KALGEBRA, lab) == [True, False, True, True, True]


@pytest.mark.asyncio
async def test_grass_is_prepared_and_asked(closing: Labs) -> None:
    """A mapset, a layer, a scale; dumps and modules, of which one that fails is false."""
    lab = closing(FakeGrass())
    assert await judged(GRASS, lab) == [True, True, True, True]
    assert lab.guest.executed == ["rm -rf /home/user/grassdata/*/*/.gislock"]
    assert not lab.application.console
    lab.application.layers.clear()
    lab.application.tables.clear()
    assert await asked(GRASS, lab) == [False, True, False, True]


@pytest.mark.asyncio
async def test_chimerax_is_prepared_and_asked(closing: Labs) -> None:
    """Commands in their order; notes, the state that the plugin writes, files; nothing is left behind."""
    lab = closing()
    chimerax = lab.guest.chimerax
    chimerax.notes["sel"] = ["atom id /A:1"]
    lab.guest.files["/home/user/log.txt"] = f"begun {date.today().isoformat()}".encode()
    assert await judged(CHIMERAX, lab) == [True, True, True, True]
    prepared = [
        command for command in chimerax.commands if not command.startswith(("version", "info", "states"))
    ]
    assert prepared == [
        "log clear",
        "open 3ppd",
        "turn y 1",
        "alphafold match A8Z1J3",
        "rainbow",
        "color bypolymer",
        "destroy",
    ]
    assert not [path for path in lab.guest.files if "cuabench" in path]
    chimerax.state["_state_containers.models._models.(1,)._name"] = "other"
    chimerax.notes.clear()
    assert await asked(CHIMERAX, lab) == [False, False, True, True]


@pytest.mark.asyncio
async def test_lean_is_prepared_and_asked(closing: Labs) -> None:
    """Mathlib is imported already; the statement goes into the file with what it needs, once."""
    lab = closing()
    assert await judged(LEAN, lab) == [False]
    text = "import Mathlib\n\nopen Set Filter\ndef two := 2\ntheorem T : two = 2 := by sorry"
    assert lab.guest.files[BASIC].decode() == text
    lab.guest.files[BASIC] = text.replace("by sorry", "by\n  rfl").encode()
    assert await asked(LEAN, lab) == [True]
    lab.guest.proves = False
    assert await asked(LEAN, lab) == [False]


@pytest.mark.asyncio
async def test_texstudio_is_prepared_and_asked(closing: Labs) -> None:
    """Files to the letter, patterns, the compiler; ChimeraX by way of the guest."""
    lab = closing()
    assert await judged(TEX, lab) == [False, True, True]
    assert lab.guest.chimerax.commands[-3:] == ["log clear", "open 251d", "turn y 1"]
    lab.guest.files[MAIN] = b"Lean \\cite{lean}."
    assert await asked(TEX, lab) == [True, True, True]
    lab.guest.compiles = False
    del lab.guest.files["/home/user/atelier/refs.bib"]
    assert await asked(TEX, lab) == [True, False, False]


@pytest.mark.asyncio
@pytest.mark.parametrize("fault", ["status", "garbage", "cut"])
@pytest.mark.parametrize(
    ("record", "application"),
    [(CELESTIA, FakeCelestia), (KALGEBRA, FakeKAlgebra), (GRASS, FakeGrass), (CHIMERAX, None)],
    ids=["celestia", "kalgebra", "grass", "chimerax"],
)
async def test_a_server_that_breaks_is_no_answer(
    record: Record, application: Any, fault: Any, closing: Labs
) -> None:
    """Neither an error, nor what is no JSON, nor a line that is cut is false: the attempt is not graded."""
    lab = closing(application() if application else None)
    lab.application.fault = fault
    with pytest.raises(EnvironmentFailure, match=r"^(Celestia|KAlgebra|GRASS|ChimeraX) at http"):
        await ask(lab.machine, probes(record))


@pytest.mark.asyncio
@pytest.mark.parametrize("fault", ["status", "garbage", "cut"])
@pytest.mark.parametrize(("record", "path"), [(TEX, "/tex/check"), (LEAN, "/lean/check")])
async def test_a_check_of_the_guest_that_breaks_is_no_answer(
    record: Record, path: str, fault: Any, closing: Labs
) -> None:
    """Upstream says false where its compiler's server died; we do not."""
    lab = closing()
    lab.guest.fault, lab.guest.failing = fault, path
    with pytest.raises(EnvironmentFailure, match=path):
        await ask(lab.machine, probes(record))


@pytest.mark.asyncio
async def test_a_server_that_hangs_is_no_answer(closing: Labs) -> None:
    """After its time, whoever asks gives up."""
    lab = closing(FakeCelestia())
    lab.application.fault = "hang"
    lab.machine.celestia._patience = 0.2
    with pytest.raises(EnvironmentFailure, match="does not answer POST /dump: ReadTimeout"):
        await ask(lab.machine, probes(CELESTIA))


@pytest.mark.asyncio
async def test_without_the_plugin_chimerax_is_no_answer(closing: Labs) -> None:
    """A stock ChimeraX does not know `states`; the sentence says what is missing."""
    lab = closing()
    lab.guest.chimerax.plugin = False
    with pytest.raises(EnvironmentFailure, match=r"refuses 'states /tmp .*Unknown command"):
        await ask(lab.machine, probes(CHIMERAX))


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("record", "application", "step", "sentence"),
    [
        (CHIMERAX, None, {"func": "open", "name": "9zzz"}, "ChimeraX refuses 'open 9zzz'"),
        (
            GRASS,
            FakeGrass,
            {"func": "layer", "query": {"name": "mars"}},
            "GRASS at .* replies to /init/layer: b'ERROR'",
        ),
        (
            KALGEBRA,
            FakeKAlgebra,
            {"func": "func_2d", "expr": "x->"},
            "KAlgebra at .* refuses /add/2d with status 400",
        ),
        (TEX, None, {"func": "chimerax_open", "name": "9zzz"}, "ChimeraX refuses 'open 9zzz'"),
    ],
)
async def test_a_preparation_that_fails_is_the_worlds_trouble(
    record: Record, application: Any, step: dict[str, Any], sentence: str, closing: Labs
) -> None:
    """The attempt is not graded, and is tried again on a reverted machine."""
    lab = closing(application() if application else None)
    broken = small(**{**record.data, "initialize": [step]})
    with pytest.raises(EnvironmentFailure, match=sentence):
        await initialise(broken, lab.machine, still)


@pytest.mark.asyncio
async def test_an_application_is_waited_for(closing: Labs) -> None:
    """Not for seconds: until it answers, or its time is over."""
    lab = closing(FakeCelestia())
    lab.application.fault = "status"
    with pytest.raises(EnvironmentFailure, match=r"Celestia did not answer within 0\.1 s"):
        await until_answering(lab.machine.celestia, 0.1)
    lab.application.fault = None
    await until_answering(lab.machine.celestia, 0.1)
