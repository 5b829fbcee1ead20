"""Each kind accepts spellings of the same, refuses what is nearly the same, and records what is compared by it."""

from __future__ import annotations

from random import Random
from typing import Any

from pytest_cuabench.task.kinds import (
    LENGTHS,
    SPANS,
    Choice,
    Clock,
    Color,
    Command,
    Date,
    Fields,
    Fits,
    Formula,
    Items,
    Keys,
    Kind,
    Limit,
    Measure,
    Number,
    Parts,
    Path,
    Raw,
    Text,
    Url,
    free,
    recorded,
)


def _read(text: str) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in text.split("&"))


def _write(given: Any) -> str:
    return "&".join(f"{name}={value}" for name, value in given.items())


CODES = Fields(
    _read, _write, kinds={"digits": Number()}, defaults={"algorithm": "SHA1"}, open={"label": "shown only"}
)
EXAMPLES: list[
    tuple[Kind, Any, list[Any], list[Any]]
] = [  # a kind, a value, what means the same, and what does not
    (
        Text(),
        "Not for sale",
        [" Not for sale\n", "Not for sale\r\n"],
        ["not for sale", "Not for sale!", None, 7],
    ),
    (Text(), "café", ["cafe\u0301"], ["cafe"]),
    (Text(ignore_case=True), "*Console", ["*console"], ["Console"]),
    (
        Text(begun="Created: Monday"),
        "First draft",
        ["Created: Monday\nFirst draft"],
        ["Created: Monday", "First"],
    ),
    (Keys(), "Ctrl+Alt+N", ["<Primary><Alt>n", "Alt+Ctrl+n"], ["Ctrl+N", "Ctrl+Alt+M", ""]),
    (Number(), "0.85", ["0.850", 0.85, " 0.85 "], ["0.9", "0,85", "0.85mm", True, float("nan")]),
    (Number(), 0.3, [0.1 + 0.2], [0.31]),
    (Number(tolerance=0.5), 2461000.25, [2461000.7, 2460999.8], [2461000.8, 2460999.7]),
    (Number(tolerance=0.5), "7", ["7.5"], ["7.6"]),
    (Limit(limit=2), 1.5, [2, -4], [2.01, "x"]),
    (Limit(limit=-3.5, least=True), 0, [-3.5, 9], [-3.6]),
    (Measure(bare="mm"), "4mm", ["4.0mm", "4 mm", "4", "0.4cm", "4000um"], ["4cm", "4.1mm", "mm", "4 ells"]),
    (Measure(units={"mm": 1.0}, spaced=False), "4mm", ["4.00mm"], ["4 mm", "4"]),
    (Measure(units=SPANS, bare="s"), "90s", ["1.5m", "90", "90000ms"], ["90m", "91s"]),
    (
        Color(names={"red": "#ff0000"}),
        "#ff0000",
        ["#F00", "red", "rgb(255, 0, 0)", "255:0:0"],
        ["#fe0000", "ff", "x"],
    ),
    (Clock(), "1:30", ["01:30", "1:30:00"], ["1:31", "1:30:01", "90"]),
    (Clock(short=True), "1:30:00", ["90:00"], ["1:30"]),
    (Date(("%Y-%m-%d", "%d.%m.%Y")), "2026-03-09", ["2026-3-9", "9.3.2026"], ["2026-09-03", "soon"]),
    (
        Path(tilde=True),
        "/home/user/papers",
        ["~/papers/", "/home/user/./papers", "/home//user/papers"],
        ["~/paper", ""],
    ),
    (Path(), "/home/user/papers", ["/home/user/papers/"], ["~/papers", "papers"]),
    (Path(base="/home/user"), "/home/user/papers", ["papers", "./papers"], ["/papers"]),
    (Path(folder=False), "/a/b.log", ["/a/./b.log"], ["/a/b.log/"]),
    (
        Url(),
        "http://a.example/feed",
        ["HTTP://A.example:80/feed", "http://a.example/%66eed"],
        ["http://a.example/feed?x"],
    ),
    (
        Url(),
        "http://a.example/?x=1&y=2",
        ["http://a.example?y=2&x=1"],
        ["https://a.example/?x=1&y=2", "a.example"],
    ),
    (
        Command(),
        "aspell list %s",
        ['aspell list "%s"', "/usr/bin/aspell  list '%s'"],
        ["aspell %s", "aspell 'list %s'"],
    ),
    (Command(program=False), "-u %s", ['"-u" %s'], ["/usr/bin/-u %s", "-u '%s"]),
    (Items(), "a,b", ["b, a,"], ["a", "a,b,c", "a,a,b"]),
    (Items(ordered=True, separators="|,"), "a|b", ["a,b|"], ["b|a"]),
    (Items(around=("[", "]")), "[a,b]", ["[b,a]"], ["a,b"]),
    (Items(item=Raw("as written")), "a,b", ["b,a"], ["a, b"]),
    (
        Parts("start={n} {w}", n=Number(), w=Text()),
        "start=9 ab c",
        ["start=9.0 ab c "],
        ["start=8 ab c", "end=9 ab c"],
    ),
    (
        CODES,
        "digits=8&key=A&label=x",
        ["label=y&key=A&digits=8.0&algorithm=SHA1"],
        ["digits=8&key=A&algorithm=SHA2"],
    ),
    (
        CODES,
        "digits=8&key=A",
        ["digits=8&key=A&label=z"],
        ["digits=8&key=A&encoder=steam", "digits=8", "digits"],
    ),
    (
        Formula(),
        "=MULTIPLE.OPERATIONS(B$4;$B$2;A8)",
        ["=multiple.operations( $B$4,b2 ; A8 )"],
        ["=B4*A8", "=¤"],
    ),
    (
        Formula(),
        "=SUM(A1:A9)+0.50",
        ["of:=sum([.A1:.A9])+.5", "=(SUM(A1:A9)+0.5)"],
        ["=SUM(A1:A8)+0.5", "=(1)+(2)"],
    ),
    (Formula(alike={"==": "EQ"}), "short EQ 1", ["short==1"], ["short EQ 2"]),
    (Formula(fixed=True), "=$A$1", ["= $a$1"], ["=A1"]),
    (Fits("only an expression tells it", pattern="%d/?", forms=("%d/",)), "%d", ["%d/"], ["%e", 3]),
    (Choice(), True, [1], [False, "True"]),
    (Raw("a password is what is typed"), "wren52", [], ["wren52 ", "Wren52"]),
]


def test_kinds() -> None:
    """What means the same is accepted, what does not is refused, and so is anything that a kind calls other."""
    for kind, value, alike, unlike in EXAMPLES:
        name = f"{kind.name} {value!r}"
        spellings = list(kind.spellings(value, Random(0)))
        others = [other for other in kind.others(value, Random(0)) if other != value]
        assert others, name
        assert [other for other in alike if not kind.matches(other, value)] == [], name
        assert [form for form in spellings if not kind.matches(form[1], value)] == [], name
        assert [other for other in (*unlike, *others) if kind.matches(other, value)] == [], name


def test_units() -> None:
    """Each unit of length stands for the same length in millimetres, whichever way it is converted."""
    kind = Measure(bare="mm")
    for unit, size in LENGTHS.items():
        assert kind.matches(f"{50.8 / size:.6f}{unit}", "50.8mm"), unit


def test_longest() -> None:
    """A text that is too long to be parsed equals only itself."""
    huge = "-" * 200_000 + "1"
    assert not Number().matches(huge, "-1")
    assert Text().matches(huge, huge)
    assert not Text().matches(f"{huge} ", huge)


def test_record() -> None:
    """Comparisons and open places are recorded within the block, and only there."""
    with recorded() as record:
        assert Text().same("a ", "a", ("notes", "1", "text"))
        free(("notes", "1", "time"), "when it was written")
    assert not Text().same("b", "a")
    (compared,) = record.compared
    assert (compared.seen, compared.wanted, compared.at) == ("a ", "a", ("notes", "1", "text"))
    assert [one.why for one in record.free] == ["when it was written"]
