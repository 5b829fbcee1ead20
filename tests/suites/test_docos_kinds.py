"""What means the same to each program of DocOS, and that tasks judge by it; rows are known by what people see."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pytest
from shipped import shipped

from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.suite import code_package
from pytest_cuabench.task.verdict import Verdict, judge

SUITE = shipped("docos")
TASKS = {task.name: task for task in SUITE.tasks}
CODE = "otpauth://totp/Forum:edda?secret=GSTZGGCC&period=15&digits=8&issuer=Forum"
VALUES: list[
    tuple[str, str, list[str], list[str]]
] = [  # a kind, a value, what means the same, and what does not
    (
        "calc.values:OF_LOAN",
        "of:=MULTIPLE.OPERATIONS([.B$4];[.$B$2];[.$A8])",
        [
            "of:=MULTIPLE.OPERATIONS([.$B$4];[.$B$2];[.A8])",
            "=multiple.operations( Loan.b4, $Loan.B2 , $'Loan'.A8 )",
        ],
        [
            "of:=MULTIPLE.OPERATIONS([.B$4];[.$B$2];[.$A9])",
            "of:=MULTIPLE.OPERATIONS([Stock.B$4];[.$B$2];[.$A8])",
            "of:=[.B1]*[.A8]*[.B3]",
        ],
    ),
    (
        "calc.values:AMOUNT",
        ">45",
        ["> 45.0", "formula-is([.F2]>45)", "formula-is(45<$F2)"],
        [">=45", "<45", ">46", "formula-is([.F3]>45)", "formula-is(45>$F2)"],
    ),
    (
        "calc.values:FIXED",
        "$Orders.$F$2:.$F$7",
        ["$orders.$F$2:$F$7"],
        ["$Orders.F2:F7", "$Orders.$F$2:.$F$8"],
    ),
    (
        "writer.values:CONDITION",
        "ooow:short EQ 1",
        ["ooow:short==1", "ooow:1 eq Short", "ooow:(short EQ 1.0)"],
        ["ooow:short NEQ 1", "ooow:short EQ 2", "ooow:shorter EQ 1", "ooow:short L 1"],
    ),
    ("kicad.values:CONSTRAINT", "hole_size", ["hole"], ["hole_clearance"]),
    ("kicad.values:LENGTH", "0.5mm", ["0.50mm", "19.685mil"], ["0.5", "0.5 mm", "0.5in", "500um"]),
    (
        "kicad.values:LAYER",
        "F.Cu signal Upper",
        ["F.Cu signal Upper "],
        ["F.Cu power Upper", "B.Cu signal Upper"],
    ),
    (
        "gnucash.values:REMARK",
        "First draft",
        ["Created: 11/28/2026 First draft"],
        ["Created: 11/28/2026", "draft"],
    ),
    ("gnucash.values:COUNTER", "K-%05li", ["K-%05i", "K-%05ld"], ["K-%5li", "K-%06li", "K-%li"]),
    (
        "keepassxc.vault:SEQUENCE",
        "{USERNAME}{ENTER}",
        ["{username}{enter 1}", "{USERNAME}~"],
        ["{ENTER}", "{USERNAME}"],
    ),
    (
        "keepassxc.vault:WINDOW",
        "*Console = {ENTER}",
        ["*console = ~"],
        ["Console = {ENTER}", "*Console = {TAB}"],
    ),
    (
        "keepassxc.vault:CODES",
        CODE,
        [f"{CODE}&algorithm=sha1", CODE.replace("GSTZ", "gstz")],
        [f"{CODE}&encoder=steam"],
    ),
    (
        "keepassxc.vault:CODES",
        CODE,
        [CODE.replace("=Forum", "=Other")],
        [CODE.replace("totp", "hotp"), f"{CODE}&x=1"],
    ),
    (
        "keepassxc.vault:ADDRESS",
        "https://a.example/{USERNAME}",
        ["https://a.example/{username}"],
        ["https://a.example/"],
    ),
    ("qtcreator.values:ARGUMENTS", "-u %{A:FilePath}", ['-u "%{A:NativeFilePath}"'], ["-u %{A:Path}", "-u"]),
    ("geany.editor:LABEL", "Tidy", ["_Tidy"], ["tidy", "Tidy_up"]),
    ("geany.editor:SNIPPET", "f(%cursor%)", ["f(%cursor%)%cursor%"], ["f()%cursor%", "f()"]),
    ("geany.editor:ENTRIES", "*.py;*.star;", ["*.star;*.py"], ["*.star;", "*.py; *.star"]),
    (
        "anki.values:SEARCH",
        '"deck:Spanish A1" is:new',
        ["is:new AND deck:spanish\\ A1"],
        ["is:new", "is:new OR is:due"],
    ),
    ("anki.values:TEMPLATE", "{{A}}\n{{type:B}}", ["{{A}}<br>{{ type:B }}"], ["{{A}} {{type:B}}", "{{A}}"]),
    ("vlc.values:FOLDERS", "./texts", ["./texts/"], ["texts", "./texts,./Subs"]),
    ("vlc.values:LANGUAGES", "ger", ["GER"], ["pol"]),
    ("vlc.values:FILTER", "gift", [".*Gift.*"], ["gifts"]),
    ("vlc.values:PROFILE", '"a=1;b=2"', ['"b=2;a=1"'], ['"a=1"', '"a=1;b=2;c=3"']),
    (
        "vlc.values:SCRIPT",
        "# x\nsetup a output #s{x=1}",
        ['setup a output "#s{x=1}"'],
        ["setup a output #s{x=2}", ""],
    ),
    ("zim.notebook:LINKED", "See [[Thyme]].", ["See [[:thyme]]."], ["See [[+Thyme]].", "See Thyme."]),
]


def kind(name: str) -> Any:
    """Return a kind of an application."""
    module, _, constant = name.partition(":")
    return getattr(import_module(f"{code_package(SUITE.folder)}.{module}"), constant)


def test_values() -> None:
    """Each program's own spellings are accepted, and what only looks alike is refused."""
    for name, value, alike, unlike in VALUES:
        assert [other for other in alike if not kind(name).matches(other, value)] == [], (name, value)
        readable = kind(name).reads(value)
        assert [other for other in unlike if readable and kind(name).matches(other, value)] == [], (
            name,
            value,
        )


def judged(task: str, before: dict[str, Any], after: dict[str, Any], /, **values: Any) -> Verdict:
    """Return the verdict on the end of a task."""
    return judge(TASKS[task].functions.check(Evidence(State(before), State(after)), Case("", values)))


TOOL = {
    "Name": "Spell", "Comment": "Runs aspell list", "X-Zim-ExecTool": 'aspell list "%s"', "X-Zim-ReadOnly": "true",
    "X-Zim-ReplaceSelection": "false", "X-Zim-ShowInToolBar": "false", "Icon": "", "Type": "X-Zim-CustomTool",
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "success"),
    [
        ({}, True),
        ({"X-Zim-ExecTool": "/usr/bin/aspell list %s"}, True),
        ({"X-Zim-ExecTool": "aspell list %f"}, False),
        ({"X-Zim-ShowInToolBar": "true"}, False),
        ({"Exec": "rm"}, False),
        ({"Unknown": "1"}, False),
    ],
)
def test_tool_of_zim(changed: dict[str, str], success: bool) -> None:
    """A tool is known by the name that it shows, its command by its arguments; each further field has to be as made."""
    values = {"name": "Spell", "about": "Runs aspell list", "command": "aspell list %s"}
    after = {"settings": {"spel-usercreated.desktop/Desktop Entry": {**TOOL, **changed}}}
    assert judged("zim/add_tool", {"settings": {}}, after, **values).success is success


def test_folder_from_the_browse_button() -> None:
    """What Zim's own button writes is the folder that was asked for, and other properties stay."""
    begin = "[Notebook]\nname=Notes\nhome=Home\n"
    wanted = [
        {"option": "document_root", "to": "/home/user/papers"},
        {"option": "interwiki", "to": "gw"},
        {"option": "short_links", "to": "True"},
    ]

    def ends(text: str) -> bool:
        files = ({"files": {"Notes/notebook.zim": {"text": one}}} for one in (begin, begin + text))
        return judged("zim/be_linked_from_elsewhere", *files, settings=wanted).success

    assert ends("interwiki=gw\nshort_links=True\ndocument_root=~/papers/\n")
    assert ends("interwiki=gw\nshort_links=True\ndocument_root=../papers\nicon=\n")
    assert not ends("interwiki=gw\nshort_links=True\ndocument_root=~/paper\n")
    assert not ends("interwiki=gw\nshort_links=True\ndocument_root=~/papers/\ndisable_trash=True\n")


def test_template_written_out() -> None:
    """A default of Geany that was written out changes nothing; another value for it does."""
    defaults = {"filetype_extensions.conf/Extensions": {"Ada": "*.adb;*.ads;", "Python": "*.py;"}}
    before = {"settings": {}, "defaults": defaults}

    def ends(**endings: str) -> bool:
        after = {**before, "settings": {"filetype_extensions.conf/Extensions": endings}}
        return judged("geany/know_extension", before, after, patterns="*.py;*.star;").success

    assert ends(Python="*.star;*.py")
    assert ends(Python="*.py;*.star;", Ada="*.adb;*.ads;")
    assert not ends(Python="*.py;*.star;", Ada="*.adb;")
    assert not ends(Ada="*.adb;*.ads;")


@pytest.mark.parametrize(("shown", "success"), [("Tidy", True), ("Tidy up", False)])
def test_tool_that_was_renamed(shown: str, success: bool) -> None:
    """A tool of Qt Creator that was applied and then named keeps its first file; people know it by its name."""
    row = {"@id": "NewTool", "/displayname": shown, "/description": "makes it neat"}
    settings = [
        {"type": "Tidy", "saves": {"files_of_settings/Tidy.xml:/displayname": "Tidy"}, "kind": "text"},
        {
            "fill": "text",
            "saves": {"files_of_settings/Tidy.xml:/description": "makes it neat"},
            "kind": "text",
        },
    ]
    rows = [{"row": "files_of_settings/Tidy.xml", "field": "/displayname", "is": "Tidy"}]
    along = [{"place": "files_of_settings/Tidy.xml:@id", "why": "the name that it was saved under"}]
    after = {"files_of_settings": {"NewTool.xml": row}}
    verdict = judged("qtcreator/add_tool", {}, after, settings=settings, rows=rows, along=along)
    assert verdict.success is success


def test_rule_without_a_constraint() -> None:
    """A rule of KiCad needs its constraint; its older name and other units are the same."""
    settings = [
        {"place": "rules/a/rule:constraint", "is": "hole_size", "kind": "kicad.values.CONSTRAINT"},
        {"place": "rules/a/rule:constraint.min", "is": "0.5mm", "kind": "kicad.values.LENGTH"},
        {"type": "holes", "place": "rules/a/rule:value", "is": "holes", "kind": "text"},
    ]

    def ends(**fields: str) -> bool:
        row = {name.replace("_min", ".min"): value for name, value in fields.items()}
        after = {"rules": {"a/rule": {"value": "holes", **row}}}
        return judged("kicad/rule_of_its_own", {"rules": {}}, after, settings=settings).success

    assert ends(constraint="hole", constraint_min="0.50mm")
    assert not ends(constraint="hole")
    assert not ends()
    assert not ends(constraint="hole_size", constraint_min="0.5mm", condition="A.Type == 'Via'")


def test_setting_that_is_gone() -> None:
    """A setting without a value has to be gone, and one with an expression has to fit it."""
    settings = [
        {"click": "box", "place": "settings/a:left"},
        {"fill": "text", "place": "settings/a:range", "fits": "A[1-3]", "why": "any of three"},
    ]
    before = {"settings": {"a": {"left": "1"}}}

    def ends(**fields: str) -> bool:
        after = {"settings": {"a": fields}}
        return judged("qtcreator/check_leaks", before, after, settings=settings).success

    assert ends(range="A2")
    assert not ends(range="A2", left="1")
    assert not ends(range="A4")


@pytest.mark.parametrize(
    ("copy", "violations"),
    [(None, 0), ({"fields": "Word", "css": "a", "type": 0}, 0), ({"fields": "Word", "css": "b"}, 2)],
)
def test_copy_of_a_row(copy: dict[str, Any] | None, violations: int) -> None:
    """A copy is like its original in every field; where there is none, nothing was harmed."""
    kept = {"Vocabulary": {"fields": "Word", "css": "a", "type": 0}}
    settings = [{"type": "Slang", "place": "note_types/Slang:fields", "is": "Word", "kind": "text"}]
    along = [{"place": "note_types/Slang", "like": "Vocabulary"}]
    after = {"note_types": kept | ({"Slang": copy} if copy else {})}
    verdict = judged("anki/clone", {"note_types": kept}, after, settings=settings, along=along)
    assert len(verdict.violations) == violations
    assert verdict.success is (copy is not None and not violations)


@pytest.mark.parametrize(
    ("label", "success"), [("Sum", True), ("SUM", True), ("Sum ", True), ("Sum of it", False), ("Su", False)]
)
def test_label_of_what_was_made(label: str, success: bool) -> None:
    """What a document keeps by its label is known however the label is written, and so is what goes along."""
    settings = [
        {"place": "document/Orders:range[Sum]@name", "is": "Sum", "kind": "calc.values.NAME"},
        {
            "place": "document/Orders:range[Sum]@cells",
            "is": "$Orders.$F$2:.$F$7",
            "kind": "calc.values.FIXED",
        },
    ]
    along = [{"place": "document/Orders:range[Sum]@base", "why": "it means nothing"}]
    fields = {"@name": label, "@cells": "$orders.$F$2:$F$7", "@base": "$Orders.$F$2"}
    after = {"document": {"Orders": {f"range[{label}]{name}": value for name, value in fields.items()}}}
    verdict = judged("calc/range_name", {"document": {"Orders": {}}}, after, settings=settings, along=along)
    assert verdict.success is success


def test_every_named_kind_is_one() -> None:
    """What tasks call a kind, in their tables and in code, is one."""
    files = (file for ending in ("py", "toml") for file in SUITE.folder.rglob(f"*.{ending}"))
    named = {
        name
        for file in files
        for name in re.findall(r"""\bkind"? ?[:=] ?"([\w. ]+)\"""", file.read_text(encoding="utf-8"))
    }
    kinds = import_module(f"{code_package(SUITE.folder)}.toolkit.kinds")
    assert len(named) > 20
    for name in sorted(named):
        kinds.kind_named(name)
