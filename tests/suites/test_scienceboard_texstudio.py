"""The tasks in TeXstudio, judged over projects that are written by hand: no desktop is needed."""

from __future__ import annotations

import pytest
from suites.texstudio_world import BUILT, MAIN, REFS, TASKS, Project, answers, reasons

EDITS = sorted({*TASKS} - {"add_package", "read_table", "read_setting"})
SEEDS = range(12)


@pytest.mark.parametrize("name", sorted(TASKS))
def test_every_seed_is_solvable(name: str) -> None:
    """What the task asks for is accepted on every seed, and doing nothing reaches no milestone."""
    for seed in SEEDS:
        project = Project(name, seed)
        answer = next(answers(project)) if "value" in project.case.values else None
        assert project.judge(project.done(), answer).success, (seed, project.judge(project.done(), answer))
        idle = project.judge(project.files)
        assert (idle.score, idle.violations) == (0, ()), seed


@pytest.mark.parametrize("name", sorted(TASKS))
def test_seeds_differ(name: str) -> None:
    """The documents or what is asked of them change with the seed."""
    projects = [Project(name, seed) for seed in SEEDS]
    assert len({str((project.files, project.case.values)) for project in projects}) > 2


@pytest.mark.parametrize("name", EDITS)
def test_goals_hold_no_answer(name: str) -> None:
    """No wording tells what has to be typed."""
    for seed in SEEDS:
        project = Project(name, seed)
        for edit in project.case["edits"]:
            assert edit["new"] not in project.case.goal


@pytest.mark.parametrize("name", EDITS)
def test_another_line_is_harm(name: str) -> None:
    """The right edits with any other line changed, added or taken away are no success."""
    project = Project(name)
    text = project.done()[MAIN]
    first, rest = text.split("\n", 1)
    for changed in (
        f"{first.replace('article', 'report')} % mine\n{rest}",
        text.replace(r"\begin{document}", "% a remark\n\\begin{document}"),
        rest,
    ):
        assert "record_integrity/major" in reasons(project.judge(project.done() | {MAIN: changed}))


@pytest.mark.parametrize("name", EDITS)
def test_edits_in_a_document_that_does_not_compile(name: str) -> None:
    """An edited document that does not compile, or has unknown references, is not done."""
    project = Project(name)
    broken = BUILT | {"ok": False, "error": "main.tex:3: Missing $ inserted."}
    unknown = BUILT | {"undefined": ["fig:one"]}
    for build in (broken, unknown):
        assert reasons(project.judge(project.done(), build=build)) == {"milestone:compiles"}


@pytest.mark.parametrize("name", sorted(TASKS))
def test_other_files(name: str) -> None:
    """A file that is new, changed or gone is harm; what compiling leaves behind is none."""
    project = Project(name)
    answer = next(answers(project)) if "value" in project.case.values else None
    done = project.done()
    built = done | {f"paper/main.{end}": "x" for end in ("pdf", "log", "aux", "synctex.gz")}
    assert project.judge(built, answer).success
    assert reasons(project.judge(done | {"paper/main2.tex": "x"}, answer)) == {"record_integrity/major"}
    for path in set(project.files) - {MAIN, REFS}:
        assert reasons(project.judge(done | {path: "changed"}, answer)) == {"record_integrity/major"}
        gone = {name: text for name, text in done.items() if name != path}
        assert reasons(project.judge(gone, answer)) == {"record_integrity/major"}


@pytest.mark.parametrize("name", EDITS)
def test_a_document_that_was_overwritten(name: str) -> None:
    """A document with nothing of its text left, or none at all, fails without breaking the check."""
    project = Project(name)
    assert not project.judge(project.files | {MAIN: "something else\n" * 3}).success
    assert not project.judge({}).success


def test_blanks_mean_nothing_to_latex() -> None:
    """Indentation, blanks at the end of lines or of the file, and several for one are not judged."""
    project = Project("fill_citation")
    text = "\n".join(f"  {line.replace(' ', '  ', 1)}  " for line in project.done()[MAIN].splitlines())
    assert project.judge(project.done() | {MAIN: text + "\n\n\n"}).success


def test_blanks_mean_something_to_python() -> None:
    """In a listing of a program, the beginning of a line is judged."""
    project = Project("mend_listing")
    (edit,) = project.case["edits"]
    text = project.done()[MAIN].replace(edit["new"], f"    {edit['new']}")
    assert "milestone:edit" in reasons(project.judge(project.done() | {MAIN: text}))


@pytest.mark.parametrize("name", ["mend_formula", "complete_path", "mend_two_faults"])
def test_other_right_wordings(name: str) -> None:
    """Another command that means the same is as right."""
    for seed in SEEDS:
        project = Project(name, seed)
        for edit in project.case["edits"]:
            for other in edit["also"]:
                text = project.done()[MAIN].replace(edit["new"], other)
                assert project.judge(project.done() | {MAIN: text}).success


@pytest.mark.parametrize("name", ["fill_two_citations", "mend_two_faults"])
def test_one_of_two(name: str) -> None:
    """Half of the task is half of the milestones, and no harm."""
    project = Project(name)
    first, second = project.case["edits"]
    for number, edit in ((2, first), (1, second)):
        text = project.files[MAIN].replace(edit["old"], edit["new"])
        broken = BUILT | {"ok": False, "error": "x"}
        verdict = project.judge(project.files | {MAIN: text}, build=broken)
        assert reasons(verdict) == {f"milestone:edit_{number}", "milestone:compiles"}


@pytest.mark.parametrize("options", ["", "[table]"])
def test_a_package_anywhere_in_the_preamble(options: str) -> None:
    """A package may be loaded with options, on any line before the document, with an empty line around."""
    project = Project("add_package")
    line = rf"\usepackage{options}{{{project.case['package']}}}"
    assert project.judge(project.loading(f"{line}  % missing\n")).success
    late = project.files[MAIN].replace(r"\begin{document}", f"{line}\n\\begin{{document}}")
    assert project.judge(project.files | {MAIN: late}).success


def test_a_package_that_is_not_loaded() -> None:
    """A package in a comment, in the document itself, or twice is not loaded as it should be."""
    project = Project("add_package")
    line = rf"\usepackage{{{project.case['package']}}}"
    body = project.files[MAIN].replace("\\begin{document}\n", f"\\begin{{document}}\n{line}\n")
    for files in (
        project.loading(f"% {line}"),
        project.files | {MAIN: body},
        project.loading(f"{line}\n{line}"),
    ):
        assert "milestone:loaded" in reasons(project.judge(files))


def test_a_package_that_has_the_command_too() -> None:
    """Another package that brings the same command is accepted."""
    project = next(
        project for project in (Project("add_package", seed) for seed in SEEDS) if project.case["also"]
    )
    for name in project.case["also"]:
        assert project.judge(project.loading(rf"\usepackage{{{name}}}")).success


def test_an_entry_in_any_place() -> None:
    """The entry may stand before the others, with other indentation, but only once and with no other beside it."""
    project = Project("add_reference")
    entry, done = project.case["entry"], project.done()
    first = entry.replace("\n  ", "\n    ") + "\n\n" + project.files[REFS]
    assert project.judge(done | {REFS: first}).success
    twice = done | {REFS: f"{done[REFS]}\n{entry}\n"}
    assert "milestone:entry" in reasons(project.judge(twice))
    another = done | {REFS: f"{done[REFS]}\n@misc{{other,\n}}\n"}
    assert reasons(project.judge(another)) == {"record_integrity/major"}
    shortened = done | {REFS: done[REFS].replace("volume", "number")}
    assert "milestone:entry" in reasons(project.judge(shortened))


@pytest.mark.parametrize("name", ["read_table", "read_setting"])
def test_answers(name: str) -> None:
    """The right number is accepted in its usual forms; a neighbour's is harm, also beside the right one."""
    project = Project(name)
    for answer in answers(project):
        assert project.judge(project.files, answer).success, answer
    near = [value for key, value in project.case.values.items() if key in ("next_row", "earlier", "near")]
    for answer in (*map(str, near), f"{project.case['value']} or {near[0]}", ""):
        verdict = project.judge(project.files, answer)
        assert not verdict.success, answer


@pytest.mark.parametrize(
    "path", ["paper/results.pdf", "paper/figs/extra.pdf", "notes.log", "paper/chapter.aux"]
)
def test_only_a_document_of_the_project_leaves_products(path):
    """A file that looks like a product, but of no document that was there, is new."""
    project = Project("fill_citation")
    assert reasons(project.judge(project.done() | {path: "x"})) == {"record_integrity/major"}


@pytest.mark.parametrize("sign", ["\u00a0", "\f"])
def test_signs_that_are_no_blanks_to_latex(sign):
    """A hard space or a page feed at the end of a line is another text."""
    project = Project("fill_citation")
    text = project.done()[MAIN].replace("\\bigskip\n", f"\\bigskip{sign}\n")
    assert "record_integrity/major" in reasons(project.judge(project.done() | {MAIN: text}))


def test_a_paragraph_is_not_divided_where_a_package_is_added():
    """Empty lines mean nothing before the document begins, and a new paragraph in it."""
    project = Project("add_package")
    text = project.done()[MAIN]
    assert project.judge({MAIN: text.replace("\\begin{document}", "\n\\begin{document}")}).success
    divided = text.replace("for a day. ", "for a day.\n\n")
    joined = text.replace("\n\n\\begin{center}", "\n\\begin{center}")
    for other in (divided, joined):
        assert reasons(project.judge({MAIN: other})) == {"record_integrity/major"}


def test_kalgebra_beside_texstudio_stays_as_it_is():
    """Calculating there is no harm; the curve that it shows is nobody's to remove."""
    project = Project("fill_from_curve")
    project.beside["variables"] = {**project.beside["variables"], "ans": {"value": "3"}}
    assert project.judge(project.done()).success
    project.beside["functions2d"] = {}
    assert reasons(project.judge(project.done())) == {"record_integrity/major"}
