"""Every type of evaluator over replies of a world: pass, fail, a missing key, a wrong type."""

from __future__ import annotations

from typing import Any

import pytest
from cuabench_suite_scienceboard.upstream.evaluators import findings, milestones
from cuabench_suite_scienceboard.upstream.evaluators.stop import arguments
from cuabench_suite_scienceboard.upstream.probes import kept, probes
from cuabench_suite_scienceboard.upstream.records import Record

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.evidence import Evidence, State
from scienceboard.small_records import small

CELESTIA = {"type": "Celestia", "initialize": []}
GRASS = {"type": "GrassGIS", "initialize": []}
CHIMERAX = {"type": "ChimeraX", "initialize": []}
TEX = {
    "type": "TeXstudio",
    "initialize": [{"func": "touch", "path": "/home/user/main.tex", "text": "one \\cite{} two \\cite{}"}],
}


def judged(record: Record, *replies: Any, ending: str = "success", answer: str | None = None) -> list[bool]:
    """Return what the items of a record are found to be, over these replies to its questions."""
    asked = probes(record)
    assert len(asked) == len(replies)
    after = State(kept({probe.key: reply for probe, reply in zip(asked, replies, strict=True)}))
    return [finding.reached for finding in findings(record, Evidence(State({}), after, answer, ending))]


def one(record_of: dict[str, Any], **item: Any) -> Record:
    """Return a record with one item."""
    return small(**record_of, evaluate=[item])


@pytest.mark.parametrize(
    ("reply", "holds"),
    [
        ({"time": {"pause": True}}, True),
        ({"time": {"pause": False}}, False),
        ({"time": {}}, False),
        ({"time": None}, False),
        ({}, False),
        ({"time": "now"}, False),
    ],
)
@pytest.mark.parametrize("record_of", [CELESTIA, GRASS], ids=["celestia", "grass"])
def test_info_compares_a_value_of_the_dump(record_of: dict[str, Any], reply: Any, holds: bool) -> None:
    """Without a predicate the value must be equal; a key that is not there is false, not trouble."""
    record = one(record_of, type="info", key="lambda dump: dump['time']['pause']", value=True)
    assert judged(record, reply) == [holds]


@pytest.mark.parametrize(
    ("distance", "holds"), [(0, True), (149_999.9, True), (150_000, False), (None, False), ("0", False)]
)
def test_info_asks_a_predicate_of_key_and_value(distance: Any, holds: bool) -> None:
    """Tolerances are the record's own."""
    record = one(
        {**CELESTIA, "query": [{"name": "Neptune", "type": 2}]},
        type="info",
        key="lambda dump: dump['entity']['Neptune']['distance']",
        value=0,
        pred="lambda key, value: abs(key - value) < 150000",
    )
    assert judged(record, {"entity": {"Neptune": {"distance": distance}}}) == [holds]


@pytest.mark.parametrize(
    ("reply", "holds"),
    [
        (
            {"returncode": 0, "output": {"info": {"columns": [{"name": "COLOR", "sql_type": "CHARACTER"}]}}},
            True,
        ),
        ({"returncode": 0, "output": {"info": {"columns": [{"name": "COLOR", "sql_type": "INT"}]}}}, False),
        ({"returncode": 0, "output": {"records": []}}, False),
        ({"returncode": 1, "output": None}, False),
    ],
)
def test_db_compares_what_a_module_printed(reply: Any, holds: bool) -> None:
    """A module that failed, because the map is gone, says false."""
    record = one(
        GRASS,
        type="db",
        cmd="v.db.select",
        kwargs={"map": "boundary_region@PERMANENT", "format": "json"},
        key="lambda out: out['info']['columns']",
        value={"name": "COLOR", "sql_type": "CHARACTER"},
        pred="lambda key, value: any([i['name'] == value['name'] and i['sql_type'] == value['sql_type'] for i in key])",
    )
    assert judged(record, reply) == [holds]


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("0.98994949366", True),
        ("0.989948", False),
        ("0.98995049", True),
        ("1+i", False),
        (None, False),
        (["1"], False),
    ],
)
def test_val_is_a_number_within_a_millionth(text: Any, holds: bool) -> None:
    """What is no number, or not there, is false."""
    record = one({}, type="val", key="p", value=0.989949493661)
    assert judged(record, {} if text is None else {"p": text}) == [holds]


@pytest.mark.parametrize(
    ("value", "variables", "holds"),
    [
        ("1+-i", {"p": "1+-i"}, True),
        ("1+-i", {"p": "1-i"}, False),
        ("1+-i", {}, False),
        ("#UNDEF", {}, True),
        ("#UNDEF", {"p": "2"}, False),
    ],
)
def test_var_is_printed_so_or_does_not_exist(value: str, variables: dict[str, str], holds: bool) -> None:
    """The printed text counts, to the letter."""
    assert judged(one({}, type="var", key="p", value=value), variables) == [holds]


WANTED = {"(1, 1)": True, "(2, 3)": False, "color": "#000000"}


@pytest.mark.parametrize(
    ("plots", "holds"),
    [
        ([{"expr": "a", "color": "#000000", "res": 416, "(1, 1)": True, "(2, 3)": False}], True),
        ([{"expr": "a", "color": "#ffffff", "(1, 1)": True, "(2, 3)": False}], False),
        ([{"expr": "a", "color": "#000000", "(1, 1)": True, "(2, 3)": True}], False),
        ([{"expr": "a", "color": "#000000", "(1, 1)": True}], False),
        ([{"expr": "b"}, {"color": "#000000", "(1, 1)": True, "(2, 3)": False}], True),
        (
            [
                {"color": "#000000", "(1, 1)": False, "(2, 3)": False},
                {"color": "#ffffff", "(1, 1)": True, "(2, 3)": False},
            ],
            False,
        ),
        ([], False),
    ],
)
def test_eqn_is_one_plot_that_fits_every_entry(plots: Any, holds: bool) -> None:
    """Several plots that fit a part each do not make one."""
    assert judged(one({}, type="eqn", key=[[1, 1], [2, 3]], value=WANTED), plots) == [holds]


def test_eqn_of_points_in_space_is_about_the_one_surface() -> None:
    """A surface that was never plotted has no keys, and fits nothing."""
    record = one({}, type="eqn", key=[[0, 0, 1]], value={"(0, 0, 1)": True, "style": 2})
    assert judged(record, {"expr": "z=1", "style": 2, "(0, 0, 1)": True}) == [True]
    assert judged(record, {"expr": "z=1", "style": 0, "(0, 0, 1)": True}) == [False]
    assert judged(record, {}) == [False]


def test_eqn_counts_plots() -> None:
    """`#SIZE` is the number of curves."""
    record = one({}, type="eqn", key="#SIZE", value=0)
    assert judged(record, []) == [True]
    assert judged(record, [{"expr": "x"}]) == [False]


@pytest.mark.parametrize(
    ("notes", "holds"),
    [
        (["atom id /A:201\natom id /A:202"], True),
        (["atom id /A:202", " atom id /A:201 "], True),
        (["atom id /A:201"], False),
        (["atom id /A:201\natom id /A:202\natom id /A:203"], False),
        ([], False),
    ],
)
def test_chimerax_info_is_a_set_of_lines(notes: list[str], holds: bool) -> None:
    """Order and distribution over notes do not count; one line more or less does."""
    record = one(CHIMERAX, type="info", key="sel", value=["atom id /A:201", "atom id /A:202"])
    assert judged(record, notes) == [holds]


STATE = {"m.(1,)._name": "centroid", "m.(1,).shift": "[[1. 2.]]", "m.(2,)._name": "hydrogen bonds", "n": 12}
FIND = "lambda key, value: key.endswith('._name') and value == 'centroid'"
BESIDE = "lambda key: '.'.join(key.split('.')[:-1] + ['shift'])"


@pytest.mark.parametrize(
    ("item", "holds"),
    [
        ({"key": "n", "value": 12}, True),
        ({"key": "n", "value": 13}, False),
        ({"key": "o", "value": 12}, False),
        ({"key": "o", "value": None}, True),
        ({"key": "n", "value": None}, False),
        ({"key": "n", "pattern": "^1"}, True),
        ({"key": "n", "pattern": "^2"}, False),
        ({"key": BESIDE, "find": FIND, "value": "[[1. 2.]]"}, True),
        ({"key": BESIDE, "find": FIND, "value": "[[1. 3.]]"}, False),
        ({"key": BESIDE, "find": FIND.replace("centroid", "x"), "value": "[[1. 2.]]"}, False),
        ({"key": BESIDE.replace("shift", "gone"), "find": FIND, "value": "1"}, False),
        ({"key": BESIDE, "find": FIND.replace("centroid", "x"), "value": None}, False),
        ({"key": "lambda key: key", "find": FIND, "pattern": ".+"}, True),
        ({"key": "lambda key, value: value == 12", "value": 12}, True),
        ({"key": "lambda key: key.startswith('n')", "value": 12}, True),
        ({"key": "lambda key: key.startswith('q')", "value": 12}, False),
        ({"key": "lambda key, value: value.split('.') == 1", "value": 12}, False),
    ],
)
def test_states_finds_a_path_and_compares_its_value(item: dict[str, Any], holds: bool) -> None:
    """By name, by condition, or beside what a condition finds; a lambda that raises is false."""
    assert judged(one(CHIMERAX, type="states", **item), STATE) == [holds]


def test_a_file_of_chimerax_exists_and_holds_a_text() -> None:
    """The day of a dated text is the day on which the world was asked."""
    record = one(CHIMERAX, type="file", key="/home/user/log.txt", value="ATOM 14")
    assert judged(record, "x ATOM 14 y") == [True]
    assert judged(record, "") == [False]
    assert judged(record, None) == [False]
    day = "lambda: __import__('datetime').datetime.today().strftime('%Y-%m-%d')"
    dated = one(CHIMERAX, type="file", key="/home/user/log.txt", value=day)
    assert judged(dated, "begun 2025-11-21", "2025-11-21") == [True]
    assert judged(dated, "begun 2025-11-20", "2025-11-21") == [False]


@pytest.mark.parametrize(
    ("content", "holds"),
    [
        ("one \\cite{a} two \\cite{a}", True),
        ("one \\cite{a} two \\cite{}", False),
        ("one \\cite{a} two \\cite{a}\n", False),
        ("one \\cite{} two \\cite{}", False),
        (None, False),
    ],
)
def test_an_edited_file_has_no_other_change(content: str | None, holds: bool) -> None:
    """Every occurrence is replaced, and not one character beside."""
    record = one(TEX, type="file", path="/home/user/main.tex", source="\\cite{}", target="\\cite{a}")
    assert judged(record, content) == [holds]


def test_a_file_without_source_and_target_is_unchanged() -> None:
    """A file that the record did not write cannot be said to be unchanged."""
    same = one(TEX, type="file", path="/home/user/main.tex")
    assert judged(same, "one \\cite{} two \\cite{}") == [True]
    assert judged(same, "other") == [False]
    assert judged(one(TEX, type="file", path="/home/user/other.tex"), "x") == [False]


def test_include_looks_for_a_pattern() -> None:
    """Somewhere in the file; no file holds nothing."""
    record = one(TEX, type="include", path="/home/user/refs.bib", pattern="year=\\{20\\d\\d\\}")
    assert judged(record, "@a{ year={2021} }") == [True]
    assert judged(record, "@a{ year={1999} }") == [False]
    assert judged(record, None) == [False]


def test_a_pattern_that_never_ends_is_the_records_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says nothing about the agent."""
    monkeypatch.setattr("cuabench_suite_scienceboard.upstream.lambda_work.Meter.seconds", 0.05)
    record = one(TEX, type="include", path="/home/user/a", pattern="^(a|aa)+$")
    with pytest.raises(CheckerFailure, match="takes too long"):
        judged(record, "a" * 60 + "b")


@pytest.mark.parametrize("passed", [True, False])
def test_compile_and_placeholder_are_what_the_machine_says(passed: bool) -> None:
    """Bibliographies are compiled where the record wrote one."""
    record = one(TEX, type="compile", path="/home/user", file="main")
    assert judged(record, {"pass": passed}) == [passed]
    assert probes(record)[0].about["bibtex"] is False
    bibliography = {"func": "touch", "path": "/home/user/refs.bib", "text": "x"}
    with_bibliography = one(
        {**TEX, "initialize": [bibliography]}, type="compile", path="/home/user", file="main"
    )
    assert probes(with_bibliography)[0].about["bibtex"] is True
    lean = one(
        {"type": "Lean", "initialize": [{"func": "query", "expr": "theorem T : 1 = 1 := by sorry"}]},
        type="placeholder",
    )
    assert probes(lean)[0].about == {"header": "theorem T : 1 = 1 := by"}
    assert judged(lean, {"pass": passed}) == [passed]


@pytest.mark.parametrize(
    ("history", "holds"),
    [
        ([{"proofState": 0, "goal": "⊢ p"}], False),
        ([{"goals": ["⊢ p"]}], False),
        ([{"goals": []}], True),
        ([{"goals": [], "messages": [{"severity": "warning", "data": "w"}]}], True),
        ([{"goals": [], "messages": [{"severity": "error", "data": "e"}]}], False),
        ([{"goals": []}, {"goals": ["⊢ q"]}], True),
        ([{"goals": None}], False),
    ],
)
def test_raw_lean_wants_one_record_without_goals(history: list[Any], holds: bool) -> None:
    """Any record of the history will do, also one that was not the last."""
    record = small(type="Lean", sort="Raw", initialize=[], evaluate=[{"type": "placeholder"}])
    assert judged(record, history) == [holds]


@pytest.mark.parametrize(
    ("value", "ending", "holds"),
    [
        ("FAIL", "infeasible", True),
        ("FAIL", "failure", True),
        ("FAIL", "success", False),
        ("FAIL", "budget", False),
        ("DONE", "success", True),
        ("DONE", "answer", False),
        ("TIMEOUT", "budget", True),
        ("TIMEOUT", "lockout", True),
        ("DONE", "running", False),
    ],
)
def test_stop_is_the_ending_that_was_demanded(value: str, ending: str, holds: bool) -> None:
    """And no other."""
    assert judged(one({}, type="stop", value=value), ending=ending) == [holds]


@pytest.mark.parametrize(
    ("answer", "holds"),
    [
        ("Vigili del Fuoco", True),
        ("Vigili del Fuoco ", True),
        ("Vigili  del Fuoco", False),
        ("vigili del fuoco", False),
        (" Vigili del Fuoco", False),
        ("Vigili\ndel Fuoco", False),
        ("", False),
        (None, False),
    ],
)
def test_an_answer_is_split_on_single_spaces_and_compared_to_the_letter(
    answer: str | None, holds: bool
) -> None:
    """The block is stripped as a whole; within it, nothing is."""
    record = one({}, type="stop", value="ANS", args=["Vigili", "del", "Fuoco"])
    assert judged(record, ending="answer", answer=answer) == [holds]
    assert arguments("5") == ("5",)


def test_a_state_that_is_right_passes_however_the_episode_ended() -> None:
    """Upstream asks how it ended only where the record demands it."""
    record = one({}, type="val", key="p", value=2)
    for ending in ("success", "infeasible", "failure", "budget", "answer"):
        assert judged(record, {"p": "2"}, ending=ending) == [True]


def test_all_items_must_hold() -> None:
    """Each is a milestone of equal weight; success takes all of them."""
    record = small(
        evaluate=[{"type": "val", "key": "p", "value": 1}, {"type": "var", "key": "q", "value": "#UNDEF"}]
    )
    after = State(kept({probes(record)[0].key: {"p": "1", "q": "2"}}))
    found = list(milestones(record, Evidence(State({}), after, None, "success")))
    assert [(m.name, m.reached, m.weight) for m in found] == [("1_val", True, 0.5), ("2_var", False, 0.5)]


def test_a_world_that_was_not_asked_is_no_failure_of_the_agent() -> None:
    """Before the agent began that is as it should be; afterwards nobody can be judged by it."""
    record = one({}, type="val", key="p", value=2)
    assert [f.reached for f in findings(record, Evidence(State({}), State({})))] == [False]
    with pytest.raises(CheckerFailure, match="was not asked"):
        list(findings(record, Evidence(State({}), State({}), None, "success")))


@pytest.mark.parametrize(
    ("record", "reply"),
    [
        (one({}, type="val", key="p", value=2), [1]),
        (one({}, type="eqn", key="#SIZE", value=0), None),
        (one(CHIMERAX, type="states", key="n", value=1), None),
        (one(TEX, type="compile", path="/a", file="b"), {"passed": True}),
        (one(GRASS, type="db", cmd="x", kwargs={}, key="lambda o: o", value=1), {"stdout": ""}),
    ],
    ids=["val", "eqn", "states", "compile", "db"],
)
def test_a_recorded_reply_of_another_shape_is_no_failure_of_the_agent(record: Record, reply: Any) -> None:
    """A record that somebody edited by hand, or of another version: nobody is judged by it."""
    with pytest.raises(CheckerFailure, match="protocol does not have"):
        judged(record, reply)


def counting(before: Any, after: Any, **item: Any) -> bool:
    """Return whether the one item of a record is reached, over what its one question brought before and after."""
    record = one(GRASS, **item)
    (probe,) = probes(record)
    first, last = (State({} if told is None else kept({probe.key: told})) for told in (before, after))
    (found,) = findings(record, Evidence(first, last, None, "success"))
    return found.reached


def test_a_state_that_an_episode_made_too_large_is_its_failure() -> None:
    """What could be judged before and cannot be afterwards was brought about by the agent, and voids nothing."""
    item = {
        "type": "info",
        "key": "lambda dump: [part.strip() for part in dump['output'].split('.')]",
        "value": ["x"],
    }
    assert counting({"output": "x"}, {"output": "x"}, **item)
    assert not counting({"output": "x"}, {"output": "." * 2_000_000}, **item)
    with pytest.raises(CheckerFailure, match="more than 1000000 items"):
        counting({"output": "." * 2_000_000}, {"output": "." * 2_000_000}, **item)
    with pytest.raises(CheckerFailure, match="more than 1000000 items"):
        counting(None, {"output": "." * 2_000_000}, **item)


def test_all_items_of_a_record_share_one_limit() -> None:
    """A hundred slow items are as slow as one."""
    slow = {"type": "info", "key": "lambda dump: len([a for a in range(900000)])", "value": 900_000}
    with pytest.raises(CheckerFailure, match="too long"):
        judged(small(**GRASS, evaluate=[slow] * 100), {})


def test_a_variable_beyond_every_float_is_a_wrong_value() -> None:
    """A whole number of four hundred digits is no trouble."""
    record = small(evaluate=[{"type": "val", "key": "p", "value": 3}])
    assert judged(record, {"p": "9" * 400}) == [False]
