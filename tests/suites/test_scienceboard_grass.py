from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from suites.grass_world import EARTH, PIEMONTE, TASKS, Trial, done, judged

from pytest_cuabench.task.case import Case
from pytest_cuabench.task.verdict import Verdict

SEEDS = range(4)


@pytest.fixture
def trial() -> Callable[..., Trial]:
    """Opens a task on a seed."""
    return lambda name, seed=0: Trial(TASKS[name], seed)


def harms(verdict: Verdict) -> set[str]:
    return {violation.reason for violation in verdict.violations}


def test_there_are_as_many_tasks_as_in_scienceboard():
    """GRASS has 34 tasks: 22 easy, 11 medium and one hard, each with a wrong solution."""
    difficulties = [task.difficulty for task in TASKS.values()]
    assert {kind: difficulties.count(kind) for kind in set(difficulties)} == {
        "easy": 22,
        "medium": 11,
        "hard": 1,
    }
    assert all(task.functions.wrong for task in TASKS.values())


@pytest.mark.parametrize("name", TASKS)
def test_every_task_can_be_built_and_is_not_done_at_the_start(trial, name):
    """On every seed the case fits the world, the goal is filled in, and nothing is reached or harmed."""
    for seed in SEEDS:
        one = trial(name, seed)
        verdict = one.verdict()
        assert verdict.score == 0, seed
        assert not verdict.violations
        assert "{" not in one.case.goal


@pytest.mark.parametrize("name", sorted(set(TASKS) - {"fix_start_date"}))
def test_goals_or_worlds_change_with_the_seed(trial, name):
    """No task is the same on all of the first seeds."""
    assert len({str((trial(name, seed).case.values, TASKS[name].setup(seed))) for seed in SEEDS}) > 1


def test_open_map_wants_the_right_map_in_the_right_location(trial):
    """A map that is shown in another location is not the one."""
    one = trial("open_map")
    one.show(one.case["map"])
    assert not one.verdict().completed
    one.now["session"]["grass"]["location"] = one.case["location"]
    assert one.verdict().success


def test_replace_layer_wants_one_gone_and_the_other_there(trial):
    """Either half alone is half of the score."""
    one = trial("replace_layer").show("populated_places")
    shown, new = one.case["map"], one.case["new"]
    one.now["layers"] = {}
    assert one.verdict().score == 0.5
    one.show(new)
    assert one.verdict().success
    one.show(shown)
    assert one.verdict().score == 0.5


@pytest.mark.parametrize(
    ("name", "field", "key"), [("set_opacity", "opacity", "percent"), ("rename_layer", "label", "label")]
)
def test_a_layers_property_is_set_and_nothing_else_of_it(trial, name, field, key):
    """The property alone passes, also with a space behind; with the layer switched off as well, it is no success."""
    one = trial(name)
    value = one.case[key] / 100 if key == "percent" else f"{one.case[key]} "
    assert one.layer(**{field: value}).verdict().success
    assert not one.layer(checked=False).verdict().success


def test_opacity_may_be_two_percent_off(trial):
    """Three percent are too many."""
    one = trial("set_opacity")
    assert one.layer(opacity=one.case["percent"] / 100 + 0.02).verdict().success
    assert not one.layer(opacity=one.case["percent"] / 100 + 0.03).verdict().completed


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("label_features", lambda case: {"attribute_column": case["column"]}),
        ("label_alignment", lambda case: {"attribute_column": case["column"], "xref": case["side"]}),
        ("fill_color", lambda case: {"fill_color": ":".join(map(str, [*case["rgb"], 255]))}),
        ("line_width", lambda case: {"width": str(case["width"])}),
    ],
)
def test_drawing_options_are_compared_as_grass_draws(trial, name, options):
    """A command that leaves defaults out, as GRASS's dialog writes it, passes; a further change is harm."""
    one = trial(name)
    wanted = {"map": one.case["layer"], **options(one.case)}
    assert one.layer(options=wanted).verdict().success
    assert harms(one.layer(options={**wanted, "size": "9"}).verdict()) == {"record_integrity/major"}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("road_color", lambda case: {"color": ":".join(map(str, case["rgb"]))}),
        pytest.param(
            "road_color", lambda case: {"color": "#{:02X}{:02x}{:02X}".format(*case["rgb"])}, id="hexadecimal"
        ),
        ("point_symbol", lambda case: {"icon": f"basic/{case['symbol']}"}),
        ("symbol_size", lambda case: {"size": f"{case['size']}.0"}),
    ],
)
def test_a_map_is_added_and_drawn_as_wanted(trial, name, options):
    """The new layer passes only with its look, and only beside the one that was there."""
    one = trial(name).show(trial(name).case["map"])
    assert not one.verdict().completed
    one.show(one.case["map"], **options(one.case))
    assert one.verdict().success
    one.now["layers"].pop(one.case["shown"])
    assert harms(one.verdict()) == {"record_integrity/major"}


@pytest.mark.parametrize(
    "where", ["wheelchair = '{}'", "wheelchair LIKE '{}'", "'{}' = wheelchair AND cat > 0"]
)
def test_a_condition_may_be_written_in_any_way(trial, where):
    """What counts is which schools it leaves."""
    one = trial("filter_schools")
    assert one.show("schools", where=where.format(one.case["access"])).verdict().success


@pytest.mark.parametrize(
    "where",
    [
        "1 = 1",
        "wheelchair IS NOT NULL",
        "nonsense = 1",
        "1) UNION SELECT 7 --",
        "load_extension('x')",
        "(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c) > 0",
    ],
)
def test_other_conditions_are_refused(trial, where):
    """Too many schools, or text that does more than to compare, reach nothing and break nothing."""
    assert not trial("filter_schools").show("schools", where=where).verdict().completed


def test_categories_are_a_filter_too(trial):
    """The list of the right categories is as good as a condition."""
    one = trial("filter_schools")
    assert one.show("schools", cats=",".join(map(str, one.case["cats"]))).verdict().success
    assert not one.show("schools", cats="1-5").verdict().completed


def test_a_country_must_be_in_view_at_the_same_scale(trial):
    """All of it at another scale does not do, nor does a part of it."""
    one = trial("pan_to_country")
    extent = one.case["extent"]
    region = {
        "n": extent["north"] + 1,
        "s": extent["south"] - 1,
        "e": extent["east"] + 1,
        "w": extent["west"] - 1,
    }
    assert one.display(region=region).verdict().success
    assert not one.display(scale=one.case["scale"] * 2).verdict().completed
    one.display(scale=one.case["scale"], region={**region, "n": extent["north"] - 1})
    assert not one.verdict().completed


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("hide_toolbar", lambda case: {"toolbars": [], "toolbars_shown": False}),
        ("start_editing", lambda case: {"editing": case["layer"], "toolbars": ["map", "vdigit"]}),
        ("show_status", lambda case: {"status": case["status"]}),
        ("set_scale", lambda case: {"scale": case["scale"] * 1.0001}),
    ],
)
def test_the_display_is_as_wanted(trial, name, fields):
    """What the display tells is enough."""
    one = trial(name)
    assert one.display(**fields(one.case)).verdict().success


def test_hidden_is_not_removed(trial):
    """The layer stays in the list."""
    one = trial("hide_layer")
    assert one.layer(checked=False).verdict().success
    del one.now["layers"][one.case["layer"]]
    assert harms(one.verdict()) == {"record_integrity/major"}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("count_types", "more"),
        ("count_features", "number"),
        ("count_least_developed", "number"),
        ("province_at_latitude", "name"),
        ("largest_city", "name"),
        ("fire_station_in_street", "name"),
        ("hospitals_in_city", "number"),
        ("province_of_municipality", "province"),
        ("feature_code", "code"),
    ],
)
def test_answers_are_judged(trial, name, key):
    """The right one passes, with a map shown to find it; another one is harm."""
    for seed in SEEDS:
        one = trial(name, seed)
        assert one.show("geonames").verdict(answer=str(one.case[key])).success
        wrong = "raster" if one.case[key] == "vector" else "vector" if key == "more" else "4711"
        assert "information_fidelity/major" in harms(one.verdict(answer=wrong))


@pytest.mark.parametrize(
    ("name", "command"), [("show_metadata", "v.info"), ("raster_statistics", "r.univar")]
)
def test_a_module_must_have_run_on_the_map_to_its_end(trial, name, command):
    """The command alone, another map, or an error do not do."""
    one = trial(name)
    line = f"(Sat Nov 21 21:00:00 2026)\n{command} map={one.case['layer']}\n"
    for text, right in (
        (f"{line}| Name: x\n(Sat Nov 21 21:00:01 2026) Command finished (0 sec)", True),
        (f"{command} {one.case['map']}\nn: 7\n(Sat) Command finished (0 sec)", True),
        (line, False),
        (f"{line}ERROR: no\n(Sat) Command finished (0 sec)", False),
        (f"{command} map=other@PERMANENT\n(Sat) Command finished (0 sec)", False),
    ):
        one.now["console"]["output"]["text"] = text
        assert one.verdict().completed is right, text


def test_what_cannot_be_done_is_to_be_called_so(trial):
    """To call it done, or to fail, is wrong."""
    one = trial("raster_statistics_of_vector")
    assert one.verdict(ending="infeasible").success
    assert not one.verdict(ending="failure").completed


@pytest.mark.parametrize(
    ("kind", "right"),
    [("integer", "integer"), ("double precision", "double precision"), ("varchar", "varchar(250)")],
)
def test_a_column_has_a_name_and_a_type(trial, kind, right):
    """Types are told apart however SQLite writes them, and names whatever their case."""
    one = next(found for seed in range(20) if (found := trial("add_column", seed)).case["type"] == kind)
    table = f"{PIEMONTE}/{one.case['map']}"
    column = {"location": PIEMONTE, "map": one.case["map"], "name": one.case["column"], "place": 9}
    key, capitals = (f"{table}.{name}" for name in (one.case["column"], one.case["column"].upper()))
    one.now["columns"][capitals] = {**column, "type": right}
    assert one.verdict().success
    one.now["columns"][key] = one.now["columns"].pop(capitals)
    for row in one.now[table].values():
        row[one.case["column"]] = None
    assert one.verdict().success
    one.now["columns"][f"{table}.{one.case['column']}"]["type"] = "date"
    assert one.verdict().score == 0.5
    next(iter(one.now[table].values()))[one.case["column"]] = "filled"
    assert harms(one.verdict()) == {"record_integrity/major"}


@pytest.mark.parametrize("words", [r"character\1", "character"], ids=["v.db.dropcolumn", "db.dropcolumn"])
def test_a_column_goes_and_its_neighbours_stay(trial, words):
    """GRASS rewrites the table's other columns in other words; that is no harm, to lose one is."""
    one = trial("drop_column")
    table = f"{PIEMONTE}/{one.case['map']}"
    one.now["columns"].pop(f"{table}.{one.case['column']}")
    for column in one.now["columns"].values():
        column["type"] = re.sub(r"varchar(\(\d+\))", words, column["type"])
    for row in one.now[table].values():
        row.pop(one.case["column"])
    assert one.verdict().success
    one.now["columns"].pop(f"{table}.{one.case['other']}")
    assert harms(one.verdict()) == {"record_integrity/major"}


def test_a_date_becomes_its_year_in_one_record(trial):
    """Another record's date is not to be touched."""
    one = trial("fix_start_date")
    rows = one.now[f"{PIEMONTE}/points_of_interest"]
    rows[str(one.case["cat"])]["start_date"] = one.case["year"]
    assert one.verdict().success
    rows[str(one.case["other"])]["start_date"] = "1"
    assert harms(one.verdict()) == {"record_integrity/major"}


def test_the_point_in_the_sea_goes_and_the_other_stays(trial):
    """The map is saved, and its record may go with the point."""
    one = trial("delete_point")
    one.now["points"].pop(str(one.case["cat"]))
    one.now["files"][f"grassdata/{EARTH}/PERMANENT/vector/countries/coor"] = {"sha256": "1", "size": 1}
    one.now[f"{EARTH}/countries"].pop(str(one.case["cat"]))
    assert one.verdict().success
    assert not one.display(editing="countries@PERMANENT").verdict().completed
    one.display(editing=None).now["points"].clear()
    assert harms(one.verdict()) == {"record_integrity/major"}


@pytest.mark.parametrize(
    "harm",
    [
        lambda now: now["layers"].clear(),
        lambda now: now["displays"].update({"Map Display 2": {}}),
        lambda now: now["session"]["grass"].update(mapset="mine"),
        lambda now: now["files"].update({"notes.txt": {"size": 1}}),
        lambda now: now["files"].pop(f"grassdata/{EARTH}/PERMANENT/vector/countries/coor"),
        lambda now: now["points"].pop("257"),
        lambda now: now[f"{EARTH}/countries"].pop("1"),
        lambda now: now["columns"].pop(f"{EARTH}/countries.name"),
    ],
    ids=["layer", "display", "mapset", "file", "map", "point", "record", "column"],
)
def test_everything_else_is_to_stay(trial, harm):
    """Whatever a task did not ask for is harm, wherever it was done."""
    one = trial("show_status").display(status=trial("show_status").case["status"])
    harm(one.now)
    assert harms(one.verdict()) == {"record_integrity/major"}


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("hide_toolbar", {"status_shown": False}),
        ("set_opacity", {"editing": "hospitals@PERMANENT"}),
        ("set_opacity", {"overlays": ["d.barscale"]}),
        ("set_scale", {"three_dimensional": True}),
        ("start_editing", {"toolbars": ["map", "nviz", "vdigit"]}),
        ("fill_color", {"status": "Projection"}),
    ],
)
def test_the_display_is_left_as_it_was(name, fields):
    """Bars, overlays and the digitizer are changes; where the map is moved to is none."""
    one = done(name)
    assert judged(one).success
    one.display(region=dict.fromkeys("nsew", 1.0))
    assert judged(one).success
    assert harms(judged(one.display(**fields))) == {"record_integrity/major"}


@pytest.mark.parametrize("name", ["open_map", "replace_layer", "road_color", "filter_schools"])
@pytest.mark.parametrize("change", [{"opacity": 0.0}, {"label": "By the way"}, {"command": "d.vect.chart"}])
def test_a_new_layer_is_as_grass_adds_it(name, change):
    """Beside what the task asks for, nothing of a layer that it asks for is changed."""
    one = done(name)
    one.now["layers"][one.case["layer"] if name != "replace_layer" else f"{one.case['new']}@PERMANENT"] |= (
        change
    )
    assert harms(judged(one)) == {"record_integrity/major"}


@pytest.mark.parametrize(
    ("answer", "right"), [("{}", True), ("The feature code is {}.", True), ("low", False)]
)
def test_upper_case_is_upper_case(trial, answer, right):
    """Where the goal says "in upper case", another case is wrong; elsewhere it is as good."""
    one = trial("feature_code")
    said = one.case["code"].lower() if answer == "low" else answer.format(one.case["code"])
    for goal, good in (("Answer with the code in upper case.", right), ("Answer with its code.", True)):
        one.case = Case(goal, one.case.values)
        assert one.verdict(said).success is good
