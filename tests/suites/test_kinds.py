"""What means the same in SCUBA, OSWorld and ScienceBoard, and what is only alike."""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any

import pytest
from docx import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH
from openpyxl import Workbook
from pptx import Presentation
from pptx.util import Inches
from shipped import shipped

from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.kinds import Tree, recorded
from pytest_cuabench.task.suite import code_package


def module(suite: str, name: str) -> Any:
    """Return a module of a suite."""
    return import_module(f"{code_package(shipped(suite).folder)}.{name}")


VALUES: list[tuple[str, str, list[str], list[str]]] = [  # kind, value, what means the same, and what does not
    ("FILTERED", '"100,000"', ["100000", "$100,000.00", '"100000"'], ["10,000", "100001", "100,00"]),
    (
        "FILTERED",
        "Prospecting,Needs Analysis",
        ["needs analysis, prospecting"],
        ["Prospecting", "Prospecting,Lost"],
    ),
    ("FILTERED", '"Smith, John"', ['"smith, john"'], ["Smith,John"]),
    ("FILTERED", "3/1/2026", ["2026-03-01", "03/01/2026"], ["1/3/2026"]),
    ("FILTERED", "True", ["1", "true"], ["0", "False"]),
    ("FILTERED", "LAST_WEEK", ["last week"], ["LAST_WEEKS"]),
    ("PHONE", "(287) 555-0156", ["2875550156", "+1 287 555 0156"], ["287 555 015", "x2875550156"]),
    ("PROSE", "Keep it dry", ["keep it dry."], ["Keep it"]),
    ("SUBJECT", "Email: Offer", ["offer."], ["Email: Offers"]),
    ("RICH", "Change the lamp", ["<p>Change <b>the</b> lamp</p>"], ["change the lamp", "Change lamp"]),
    ("FIELD", "Case.OwnerId", ["OwnerId"], ["Case.Owner"]),
]


@pytest.mark.parametrize(("name", "value", "alike", "unlike"), VALUES)
def test_values_of_an_org(name: str, value: str, alike: list[str], unlike: list[str]) -> None:
    """Each kind of an org's values takes its other spellings, and nothing that only looks alike."""
    kind = getattr(module("scuba", "toolkit.kinds"), name)
    assert [other for other in alike if not kind.matches(other, value)] == []
    assert [other for other in unlike if kind.matches(other, value)] == []


@pytest.mark.parametrize(
    ("seen", "wanted", "same"),
    [
        ("1 and 2", "1 AND 2", True),
        ("(2 AND 1)", "1 AND 2", True),
        ("(1 OR 2) AND 3 AND NOT 4", "3 AND NOT(4) AND (2 OR 1)", True),
        ("1 OR 2 AND 3", "(1 OR 2) AND 3", False),
        ("1 AND 3", "1 AND 2", False),
        ("1 AND", "1 AND 2", False),
        ("1 AND 99", "1 AND 2", False),
        ("(" * 300, "1", False),
    ],
)
def test_filter_logic(seen: str, wanted: str, same: bool) -> None:
    """Filter logic is compared by what it is true of."""
    assert module("scuba", "toolkit.criteria").Logic({}).matches(seen, wanted) is same


ROWS = [
    {"field": "Case.Priority", "operator": "notEqual", "value": "High"},
    {"field": "Account.AnnualRevenue", "operator": "greaterThan", "value": "10000"},
]


@pytest.mark.parametrize(
    ("change", "logic", "met"),
    [
        ({}, "", True),
        ({"value": "10,000"}, "2 AND 1", True),
        ({"value": "1000"}, "", False),
        ({"operation": "lessThan"}, "", False),
        ({"valueField": "Account.Name"}, "", False),
        ({}, "1 OR 2", False),
    ],
)
def test_conditions(change: dict[str, str], logic: str, met: bool) -> None:
    """Conditions are known by what they say, in any order; one that holds anything more is another one."""
    found = [{"field": one["field"], "operation": one["operator"], "value": one["value"]} for one in ROWS]
    found[1] |= change
    conditions = module("scuba", "toolkit.criteria").Conditions(
        found[::-1], lambda number: ("rules", "1", number)
    )
    connected = conditions.connected(logic, ROWS, "", ("rules", "1", "booleanFilter"))
    assert (conditions.are(ROWS) and connected) is met


def test_logic_follows_the_numbers_of_conditions() -> None:
    """Logic on conditions in another order is compared by the conditions, not by their numbers."""
    found = [{"column": one["field"], "operator": one["operator"], "value": one["value"]} for one in ROWS]
    conditions = module("scuba", "toolkit.criteria").Conditions(
        found[::-1], lambda number: ("rules", "1", number)
    )
    at = ("rules", "1", "booleanFilter")
    assert conditions.connected("2 AND NOT 1", ROWS, "1 AND NOT 2", at)
    assert not conditions.connected("1 AND NOT 2", ROWS, "1 AND NOT 2", at)


def test_formula_with_a_comment() -> None:
    """A comment in a formula means nothing; without samples formulas are the same that read alike."""
    formulas = module("scuba", "toolkit.formulas")
    samples = formulas.records({"Amount": [0, 1, 5]})
    assert formulas.alike("Amount > 1", "/* above one */ 1 < Amount /* or so */", samples)
    assert formulas.alike('Name & "/* no comment */"', 'NAME&"/* no comment */"', [])
    assert not formulas.alike("Name", "Title", [])


def test_element_that_is_missing() -> None:
    """A new component lacks nothing that the page fills in, and holds nothing else."""
    work_of = module("scuba", "toolkit.work").Work
    before = State({"metadata/CustomTab": {}, "defaults": {}})

    def unasked(**tree: Any) -> bool:
        after = State({**before.collections, "metadata/CustomTab": {"Shoe__c": tree}})
        evidence = Evidence(before, after)
        work = work_of.of(evidence)
        work.claim({"Id": "metadata/CustomTab/Shoe__c"}, "motif", customObject=True)
        return bool([*work.unasked()])

    assert not unasked(motif="Custom1: Heart", customObject=True)
    assert unasked(motif="Custom1: Heart")
    assert unasked(motif="Custom1: Heart", customObject=True, description="more")


def test_judged_fields_are_declared() -> None:
    """What a rule accounts for is declared with its kind, and what it leaves open with its reason."""
    work_of = module("scuba", "toolkit.work").Work
    defaults = {"Lead": {"Company": None, "Rating": None, "City": None}}
    before = State({"Lead": {}, "defaults": defaults})
    row = {"Company": "Reed & Co", "Rating": "Hot", "City": None, "CreatedDate": "today"}
    evidence = Evidence(before, State({"Lead": {"00Q1": row}, "defaults": defaults}))
    with recorded() as record:
        work = work_of.of(evidence)
        work.free("Lead", City="the task names none")
        work.claim({"Id": "00Q1"}, "Rating", Company="Reed & Co")
        assert [*work.unasked()] == []
    named = {one.at[-1]: one.kind.name for one in record.compared if one.at}
    assert named == {"Rating": "chosen", "Company": "text"}
    assert {one.at[-1] for one in record.free} == {"City", "CreatedDate", "a further key"}


def test_tree_has_no_values_of_its_own() -> None:
    """What a program writes within each other is the same only where it is equal; audits change each value."""
    assert Tree().matches({"a": [1]}, {"a": [1]})
    assert not Tree().matches({"a": [1], "b": 2}, {"a": [1]})
    assert [*Tree().spellings({"a": 1}, Random(0)), *Tree().others({"a": 1}, Random(0))] == []


def document(*texts: str, change: Callable[[Any], None] = lambda document: None) -> bytes:
    """Return a document of paragraphs."""
    made = Document()
    for text in texts:
        made.add_paragraph(text)
    change(made)
    return saved(made)


def saved(made: Any) -> bytes:
    """Return a document as a file."""
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def judged(name: str, *arguments: Any, **options: Any) -> bool:
    """Return whether an evaluator of OSWorld holds."""
    return module("osworld", "toolkit.evaluators").evaluator(name).function(*arguments, **options) is None


def by_style(made: Any) -> None:
    """Give the paragraphs of a document a style, and its pieces of text another one."""
    style = made.styles.add_style("Own", WD_STYLE_TYPE.PARAGRAPH)
    style.paragraph_format.alignment = WD_ALIGN_PARAGRAPH.CENTER
    style.paragraph_format.line_spacing = 2.0
    look = made.styles.add_style("Look", WD_STYLE_TYPE.CHARACTER)
    look.font.name, look.font.strike = "Liberation Sans", True
    for paragraph in made.paragraphs:
        paragraph.style = style
        for run in paragraph.runs:
            run.style = look


def by_hand(made: Any) -> None:
    """Format the paragraphs of a document and its pieces of text themselves."""
    for paragraph in made.paragraphs:
        paragraph.paragraph_format.alignment = WD_ALIGN_PARAGRAPH.CENTER
        paragraph.paragraph_format.line_spacing = 2.0
        for run in paragraph.runs:
            run.font.name, run.font.strike = "Liberation Sans", True


def test_formats_of_styles() -> None:
    """A format counts wherever it is given: at the text, or in its styles."""
    wanted, plain = document("One", "Two", change=by_hand), document("One", "Two")
    rules = module("osworld", "toolkit.evaluators.texts").FontName(font_name="Liberation Sans")
    for change in (by_style, by_hand):
        made = document("One", "Two", change=change)
        assert judged("is_first_line_centered", made)
        assert judged("compare_line_spacing", made, wanted)
        assert judged("compare_font_names", made, rules)
        assert judged("evaluate_strike_through_last_paragraph", made, plain)
    assert not judged("is_first_line_centered", plain)
    assert not judged("compare_line_spacing", plain, wanted)
    assert not judged("compare_font_names", plain, rules)
    assert not judged("evaluate_strike_through_last_paragraph", plain, plain)


def book(change: Callable[[Any], None]) -> bytes:
    """Return a workbook of a few rows."""
    made = Workbook()
    for row in (("Name", "Sum"), ("a", 1), ("b", 2), ("c", 3)):
        made.active.append(row)
    change(made.active)
    return saved(made)


def frozen(state: str, top: str) -> Callable[[Any], None]:
    """Return a change that freezes or splits the first row."""

    def change(sheet: Any) -> None:
        sheet.freeze_panes = "A2"
        sheet.sheet_view.pane.state, sheet.sheet_view.pane.topLeftCell = state, top

    return change


@pytest.mark.parametrize(
    ("kind", "change", "same"),
    [
        ("freeze", frozen("frozen", "A3"), True),
        ("freeze", frozen("split", "A2"), False),
        ("filter", lambda sheet: setattr(sheet.auto_filter, "ref", "$A$1:$B$1048576"), True),
        ("filter", lambda sheet: setattr(sheet.auto_filter, "ref", "A1:A4"), False),
    ],
)
def test_workbooks(kind: str, change: Callable[[Any], None], same: bool) -> None:
    """A frozen row counts however far one has scrolled, and a split window does not; whole columns are filtered."""
    usual = (
        frozen("frozen", "A2")
        if kind == "freeze"
        else lambda sheet: setattr(sheet.auto_filter, "ref", "A1:B4")
    )
    rules = [module("osworld", "toolkit.evaluators.tables").Freeze] if kind == "freeze" else []
    rule = (rules or [module("osworld", "toolkit.evaluators.tables").Filters])[0]
    one = rule(type=kind, sheet_idx0=0, sheet_idx1="EI0")
    assert judged("compare_table", book(change), book(usual), rules=[one]) is same


def test_filter_that_hides_rows() -> None:
    """Cells that are filtered by something are not those that only have buttons."""
    tables = module("osworld", "toolkit.evaluators.tables")

    def with_buttons(sheet: Any) -> None:
        sheet.auto_filter.ref = "A1:B4"

    def filtered(sheet: Any) -> None:
        with_buttons(sheet)
        sheet.auto_filter.add_filter_column(0, ["a"])

    rules = [tables.Filters(type="filter", sheet_idx0=0, sheet_idx1="EI0")]
    assert judged("compare_table", book(with_buttons), book(with_buttons), rules=rules)
    assert not judged("compare_table", book(filtered), book(with_buttons), rules=rules)


def slides(*pieces: tuple[str, bool], cell: str = "1") -> bytes:
    """Return a presentation with a text of pieces, each underlined or not, and a table of one cell."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    paragraph = slide.shapes.add_textbox(0, 0, Inches(3), Inches(1)).text_frame.paragraphs[0]
    for text, underlined in pieces:
        run = paragraph.add_run()
        run.text, run.font.underline = text, underlined
    table = slide.shapes.add_table(1, 1, 0, Inches(2), Inches(3), Inches(1)).table
    table.cell(0, 0).text = cell
    return saved(deck)


@pytest.mark.parametrize(
    ("deck", "same"),
    [
        (slides(("Ti", True), ("tle", True)), True),
        (slides(("Ti", True), ("tle", False)), False),
        (slides(("Title", True), cell="2"), False),
    ],
)
def test_slides(deck: bytes, same: bool) -> None:
    """Formats are compared letter by letter, however a text is divided, and tables are compared too."""
    assert judged("compare_pptx_files", deck, slides(("Title", True))) is same


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("input-record-path=/home/user/Videos/\n", True),
        ("input-record-path=/home/user/./Videos\n", True),
        ("input-record-path=/home/user/Video\n", False),
        ("input-record-path=/home/user/Videos\ninput-record-path=/tmp\n", False),
    ],
)
def test_folder_of_recordings(text: str, same: bool) -> None:
    """A folder is the same with a slash at its end; of several lines the last one counts."""
    rules = module("osworld", "toolkit.evaluators.settings").RecordPath(
        recording_file_path="/home/user/Videos"
    )
    assert judged("is_vlc_recordings_folder", text.encode(), rules) is same


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("(undo-levels 100)", True),
        ("(undo-levels 100.0)", True),
        ("(undo-levels 100)\n(undo-levels 5)", False),
    ],
)
def test_setting_of_gimp(text: str, same: bool) -> None:
    """Of several lines for a setting the last one counts."""
    rules = module("osworld", "toolkit.evaluators.settings").Status(key="undo-levels", value="100")
    assert judged("check_config_status", text.encode(), rules) is same


ENTRY = "@article{shell1959,\n  author = {Shell, D. L.},\n  year   = {1959}\n}"


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ('@Article{shell1959,\n  Year = 1959,\n  author = "Shell, D. L.",\n}', True),
        (ENTRY.replace("1959}", "1958}"), False),
        (ENTRY.replace("\n}", ",\n  note = {x}\n}"), False),
        (ENTRY.replace("article", "book"), False),
        ("@article", False),
    ],
)
def test_entries_of_references(text: str, same: bool) -> None:
    """An entry is compared by its fields, in any order and spelling."""
    assert module("scienceboard", "texstudio.latex").ENTRY.matches(text, ENTRY) is same


@pytest.mark.parametrize(
    ("change", "harm"),
    [
        ({}, False),
        ({"enabled": False}, True),
        ({"settings": {"sphere_scale": "2"}}, True),
        ({"settings": {"cartoon_oval": "1"}}, False),
    ],
)
def test_objects_that_were_made(change: dict[str, Any], harm: bool) -> None:
    """A new object of PyMOL is shown, and has no settings but those of what it is a copy of."""
    molecules = module("scienceboard", "pymol.molecules")
    old = {"type": "molecule", "enabled": True, "settings": {"cartoon_oval": "1"}}
    new = {"type": "measurement", "enabled": True, "settings": {}, **change}
    evidence = Evidence(State({"objects": {"mol": old}}), State({"objects": {"mol": old, "span": new}}))
    assert bool([*molecules.nothing_else(evidence, lambda collection, key, field: key == "span")]) is harm


FILE = "Require Import Lia.\n\nDefinition f (n : nat) : nat :=\n  2 * n.\n"
STAYS = FILE.replace("2 * n", "@@")
PAGE = "<html><body>forall n, n &lt;= 4 <a>coqdoc</a></body></html>"
RUN = "(now)\nv.info map=roads  \n | Name |\nCommand finished (1 s)\n"
HERE = {"altitude": 30.0, "azimuth": 359.8}
SCHOOLS = ((1, "yes"), (2, "no"), (11, "yes"))
OF_PROGRAMS: list[tuple[str, str, dict[str, Any], Any, list[Any], list[Any]]] = [
    # module and class, its attributes, a value, what means the same, and what does not
    (
        "kalgebra.kinds",
        "Stored",
        {},
        "75.3982236862",
        ["24*pi", "75.39822368"],
        ["75.3982", "24*i", "pi->pi", ""],
    ),
    ("kalgebra.kinds", "Stored", {}, "3-2*i", ["3-i*2", "conjugate(3+2*i)"], ["3", "3+2*i"]),
    (
        "kalgebra.kinds",
        "Drawn",
        {},
        "x->2*cos(x)+1",
        ["y=1+2*cos(x)", "y-1=cos(x)*2"],
        ["x->2*cos(x)", "cos"],
    ),
    ("kalgebra.kinds", "Drawn", {"dimension": 3}, "x^2+y^2+z^2=3", ["3-z^2=x^2+y^2"], ["x^2+y^2=3"]),
    ("kalgebra.kinds", "Defined", {}, "t->8*t^3-22*t", ["a->a*(8*a^2-22)"], ["t->8*t^3", "8"]),
    ("kalgebra.kinds", "Defined", {}, "a->q->a*q+4", ["b->w->4+w*b"], ["a->q->a+q+4", "q->2*q+4"]),
    ("kalgebra.kinds", "Seen", {}, "#ffbf00", ["#FEBE02"], ["#ffbf00~", "#ff8000", "amber"]),
    ("grass.kinds", "Name", {}, "remark", ["REMARK"], ["remarks"]),
    (
        "grass.kinds",
        "Drawn",
        {},
        "255:0:0",
        ["red", "#FF0000", "255:0:0:255", "255,0,0"],
        ["255:0", "0:255:0"],
    ),
    (
        "grass.kinds",
        "Finished",
        {"module": "v.info", "option": "map", "map": "roads"},
        RUN,
        ["v.info -g roads@PERMANENT\nCommand finished"],
        [
            "v.info map=roads\nERROR\nCommand finished",
            "v.info map=roads",
            "v.infos map=roads\nCommand finished",
        ],
    ),
    (
        "grass.filter_schools",
        "Condition",
        {"rows": SCHOOLS, "columns": ("cat", "wheelchair")},
        "wheelchair = 'yes'",
        ["cat in (1, 11)", "'yes' == Wheelchair"],
        ["wheelchair = 'no'", "wheelchair = yes", "1", "1); DROP TABLE features"],
    ),
    (
        "toolkit.workbook",
        "Sentences",
        {"pattern": STAYS},
        FILE,
        ["(* a (* b *) *) Require  Import Lia. Definition f(n:nat):nat := 2 * n."],
        [FILE.replace("Lia", "Lra"), f"(* {FILE} *)", f"(*\n{FILE}", FILE.split("\n", 1)[1]],
    ),
    (
        "coq.produce",
        "Page",
        {},
        PAGE,
        [PAGE.replace("forall n", "<b>for</b>all&nbsp;n")],
        [PAGE.replace("4", "5"), "forall n, n <= 4"],
    ),
    (
        "stellarium.finding",
        "Heading",
        {},
        "Vega (α Lyr) - HIP 91262",
        ["Vega", "HIP 91262 - Vega"],
        ["Veg", "Deneb (α Cyg)"],
    ),
    (
        "stellarium.finding",
        "Direction",
        {},
        HERE,
        [{"altitude": 30.2, "azimuth": 0.0}],
        [{"altitude": 31, "azimuth": 359.8}, {}],
    ),
]


@pytest.mark.parametrize(
    ("where", "name", "attributes", "value", "alike", "unlike"),
    OF_PROGRAMS,
    ids=[f"{name}-{number}" for number, (_, name, *_) in enumerate(OF_PROGRAMS)],
)
def test_values_of_programs(
    where: str, name: str, attributes: dict[str, Any], value: Any, alike: list[Any], unlike: list[Any]
) -> None:
    """Each kind of a program takes the other spellings of a value, and refuses all that is only alike."""
    kind = getattr(module("scienceboard", where), name)(**attributes)
    spellings = [spelled for _, spelled in kind.spellings(value, Random(0))]
    others = [other for other in kind.others(value, Random(0)) if other != value]
    assert spellings
    assert others
    assert [other for other in (*alike, *spellings) if not kind.matches(other, value)] == []
    assert [other for other in (*unlike, *others) if kind.matches(other, value)] == []
