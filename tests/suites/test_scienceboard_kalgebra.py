"""The tasks in KAlgebra, judged over states that are written by hand: no desktop is needed."""

from __future__ import annotations

from itertools import pairwise

import pytest
from breadth import some
from suites.kalgebra_world import TASKS, Calculator, done, judged, reasons

SEEDS = range(3)
STORING = sorted(name for name in TASKS if name.startswith("store_") and name != "store_conjugate")
PLOTTING = sorted(
    name
    for name in TASKS
    if name.startswith("plot_")
    and name not in ("plot_hyperboloid", "plot_sphere", "plot_parallel_plane", "plot_cylinder")
)
DRAWING = ["plot_cylinder", "plot_hyperboloid", "plot_parallel_plane", "plot_sphere", "replace_surface"]


def test_there_are_thirty_one() -> None:
    """The tasks are as many as ScienceBoard has, each with a wording of its own and a plausible mistake."""
    assert len(TASKS) == 31
    assert all(task.functions.wrong for task in TASKS.values())


@pytest.mark.parametrize("name", some(sorted(TASKS)))
def test_every_seed_is_solvable(name: str) -> None:
    """What the task asks for is accepted on every seed, and doing nothing reaches no milestone."""
    for seed in SEEDS:
        assert Calculator(name, seed).verdict().score == 0
        assert judged(name, done(name, seed)).success, seed


@pytest.mark.parametrize("name", sorted(TASKS))
def test_seeds_differ(name: str) -> None:
    """The two seeds of an audit ask for different things, or show different ones."""
    first, second = Calculator(name, 0), Calculator(name, 1)
    assert first.case.values != second.case.values or first.rows != second.rows
    assert len({str(Calculator(name, seed).case.values) for seed in range(8)}) > 1


@pytest.mark.parametrize("name", some(sorted(TASKS)))
def test_what_nobody_asked_for(name: str) -> None:
    """A variable overwritten, a curve more, a setting changed, or a file gone is a violation in every task."""
    curves = judged(name, done(name).plot("x->x+7"))
    assert "record_integrity/major" in reasons(curves)
    assert "record_integrity/major" in reasons(judged(name, done(name).define("pi", "3")))
    assert "record_integrity/minor" in reasons(judged(name, done(name).view(aspect=False)))
    desk = done(name)
    desk.rows["files"]["new.txt"] = {"text": ""}
    assert "record_integrity/major" in reasons(judged(name, desk))
    if name not in DRAWING and not name.startswith("plot_"):
        assert "record_integrity/major" in reasons(judged(name, done(name).draw("z=7*x")))


@pytest.mark.parametrize("name", some(sorted(set(TASKS) - {"name_missing_function"})))
def test_calculating_in_steps_is_no_harm(name: str) -> None:
    """A helping variable, another last result and another tab are nobody's loss."""
    desk = done(name).define("helper", "12").define("ans", "99").say("helper:=12", "12")
    assert judged(name, desk if name == "plot_in_tab" else desk.view(tab="Dictionary")).success


@pytest.mark.parametrize("name", STORING)
def test_numbers(name: str) -> None:
    """A number may be stored in any form; a little off, under another name or with the other sign it is wrong."""
    for seed in SEEDS:
        value, variable = Calculator(name, seed).case["value"], Calculator(name, seed).case["variable"]
        assert Calculator(name, seed).define(variable, f"{value:.10f}").verdict().success
        for near in (value * 1.0001, -value, value + 0.001):
            assert reasons(Calculator(name, seed).define(variable, repr(near)).verdict()) == {
                "milestone:stored"
            }
        assert not Calculator(name, seed).define("result", repr(value)).verdict().score
        assert not Calculator(name, seed).define(variable, "x->x").verdict().score


@pytest.mark.parametrize("name", some(PLOTTING))
def test_curves_written_otherwise(name: str) -> None:
    """The way in which the solution writes a curve is another one, and passes; the negative of it does not."""
    for seed in SEEDS:
        desk = Calculator(name, seed)
        if name == "plot_from_script":
            desk.define("r", f"a->q->{desk.rows['files']['spiral.kal']['text'].split('->')[-1].strip()}")
        for text in desk.case["enter"]:
            desk.plot(text)
        assert (desk.view(tab="2D Graph") if name == "plot_in_tab" else desk).verdict().success, seed
        mirrored = Calculator(name, seed)
        for text in mirrored.case["enter"]:
            parameter, arrow, body = text.partition("->")
            mirrored.plot(f"{parameter}->-({body})" if arrow else text.replace("y=", "-y="))
        assert not mirrored.verdict().completed or name == "plot_ellipse", seed


@pytest.mark.parametrize("name", some(DRAWING))
def test_surfaces_written_otherwise(name: str) -> None:
    """The way in which the solution writes a surface is another one, and passes; on its head it does not."""
    for seed in SEEDS:
        desk = Calculator(name, seed)
        assert desk.draw(desk.case["enter"]).verdict().success, seed
        turned = desk.case["surface"].replace("z", "(z+1)")
        assert reasons(desk.draw(turned).verdict()) == {"milestone:surface"}


def test_conjugates() -> None:
    """Of a complex number the list shows the real part only; the other one must be right, too."""
    desk = Calculator("store_conjugate")
    name, a, b = (desk.case[key] for key in ("variable", "real", "imaginary"))
    right = f"{a}{b:+d}*i"
    assert desk.define(name, str(a)).say(f"{name} := 1", right).verdict().success
    assert not desk.say(f"{name}:=1", f"{a}{-b:+d}*i").verdict().score  # the last word counts
    assert not Calculator("store_conjugate").define(name, str(a)).verdict().score
    assert not Calculator("store_conjugate").say(f"{name}:=1", right).verdict().score
    assert not Calculator("store_conjugate").define(name, str(a)).say(f"{name}2:=1", right).verdict().score


@pytest.mark.parametrize("ending", ["success", "failure", "budget", "lockout"])
def test_a_function_that_is_not_there(ending: str) -> None:
    """Only to say that it cannot be done is right; an answer is not, nor any other ending."""
    assert not Calculator("name_missing_function").verdict(ending=ending).success
    assert not Calculator("name_missing_function").verdict("inverse").success
    assert Calculator("name_missing_function").verdict(ending="infeasible").success


def test_a_hidden_curve_is_not_removed() -> None:
    """Hiding a curve leaves it there, and is a change by itself."""
    desk = Calculator("remove_curve")
    desk.rows["functions2d"][desk.case["key"]]["shown"] = False
    assert desk.verdict().score == 0
    desk = done("remove_curve")
    desk.rows["functions2d"][desk.case["other"]]["shown"] = False
    assert reasons(desk.verdict()) == {"record_integrity/minor"}


@pytest.mark.parametrize(
    ("colour", "right"), [("exact", True), ("near", True), ("off", False), (None, False), ("other", False)]
)
def test_colours(colour: str | None, right: bool) -> None:
    """A colour is right up to what reading it from the screen rounds; one that was not seen is not right."""
    desk = Calculator("recolour_curve")
    code = desk.case["code"]
    near, off = (
        f"#{min(int(code[1:], 16) + by, 0xFFFFFF) if code[5:] == '00' else int(code[1:], 16) - by:06x}"
        for by in (3, 30)
    )
    desk.rows["functions2d"][desk.case["key"]]["colour"] = {
        "exact": code,
        "near": near,
        "off": off,
        None: None,
    }.get(colour, "#123456")
    assert desk.verdict().success is right


def test_colour_of_the_other_curve() -> None:
    """Colouring another curve is a violation; that its colour was never seen is none."""
    desk = done("recolour_curve")
    desk.rows["functions2d"][desk.case["other"]]["colour"] = "#010203"
    assert reasons(desk.verdict()) == {"record_integrity/minor"}
    desk.rows["functions2d"][desk.case["other"]]["colour"] = None
    assert desk.verdict().success


def test_crossings_are_counted_right() -> None:
    """The number of common points is that of a close look along the parabola."""
    for seed in SEEDS:
        desk = Calculator("count_crossings", seed)
        (down,) = (
            int(row["expression"].rsplit("-", 1)[1])
            for row in desk.rows["functions2d"].values()
            if row["expression"].startswith("x->")
        )
        places = [n / 1000 for n in range(-6000, 6001)]
        sides = [x * x + (x * x - down) ** 2 - 25 for x in places]
        changes = sum(one * other < 0 for one, other in pairwise(sides))
        touches = sum(abs(side) < 1e-9 for side in sides)
        assert desk.case["count"] == {3: 2, 5: 3, 7: 4}[down]
        assert changes + touches >= 2


@pytest.mark.parametrize(("name", "function"), [("run_script", "loss"), ("plot_from_script", "r")])
def test_the_function_is_that_of_the_script(name, function):
    """A function of the same name that is not the script's was not loaded from it."""
    desk = done(name)
    assert desk.verdict().success
    for other in ("x->x", "a->q->a*q+99", "7"):
        assert "milestone:loaded" in reasons(desk.define(function, other).verdict())


def test_the_same_curve_twice_is_one_too_many():
    """Only one plot of a curve was asked for."""
    desk = done("plot_parabola")
    assert reasons(desk.plot(desk.case["enter"][0]).verdict()) == {"record_integrity/major"}
