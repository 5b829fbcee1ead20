"""What the documents of a task may be about; the seed chooses, and the document on the screen tells which it was."""

from __future__ import annotations

from typing import NamedTuple


class Claim(NamedTuple):
    """A statement of the survey, the entry it rests on, and the other work of the same author."""

    key: str
    about: str
    other: str


# What is said in `documents/survey.tex` right before the citation, and the entry of `documents/refs.bib`.
CLAIMS = {
    "shown by Noether": Claim("noether1918", "conserved quantities and symmetries", "noether1921"),
    "settled by Turing": Claim("turing1936", "what a machine can compute", "turing1950"),
    "Shannon": Claim("shannon1948", "noisy channels", "shannon1949"),
    "method of Dijkstra": Claim("dijkstra1959", "shortest paths", "dijkstra1968"),
}
KEYS = (
    "noether1918",
    "noether1921",
    "turing1936",
    "turing1950",
    "shannon1948",
    "shannon1949",
    "hamming1950",
    "dijkstra1959",
    "dijkstra1968",
)


def without_century(key: str) -> str:
    """Return a key as somebody in a hurry writes it: `turing36`."""
    return f"{key[:-4]}{key[-2:]}"


class Offer(NamedTuple):
    """An entry of `documents/offers.txt`, and the sentence that needs it."""

    key: str
    sentence: str
    topic: str


OFFERS = (
    Offer("hoare1962", "Dividing the list around one of its items is the idea of quicksort", "quicksort"),
    Offer("williams1964", "A tree that is kept in an array gives heapsort", "heapsort"),
    Offer("shell1959", "Comparing items far apart first was proposed by Shell", "Shell's method"),
    Offer("bloom1970", "Whether an item is surely absent is told by a Bloom filter", "the Bloom filter"),
)


class Typo(NamedTuple):
    """A place as it must be, as it was written, and other ways to write the same."""

    good: str
    bad: str
    also: tuple[str, ...] = ()


class Reference(NamedTuple):
    """A reference to a label that is there, and how it was mistyped."""

    before: str
    label: str
    typo: str


# In `documents/zeta.tex`; each stands there once.
FORMULA = (
    Typo(r"\infty", r"\infinity"),
    Typo(r"\prod_", r"\product_"),
    Typo(r"\sum_", r"\summation_"),
    Typo(r"&\leq \zeta", r"&\lessequal \zeta", (r"&\le \zeta",)),
)

# In `documents/protocol.tex`; each stands there once.
FAULTS = (
    Typo("\\end{enumerate}\nThe buffer keeps", "The buffer keeps", ("\\end{enumerate}\n\nThe buffer keeps",)),
    Typo(r"\end{equation}", r"\end{equaton}"),
    Typo(r"\textbf{dry}", r"\textbf{dry"),
    Typo(r"\emph{cold}", r"\emf{cold}"),
)

# In `documents/melting.tex`: what stands right before a reference, its label, and the label as it was mistyped.
REFERENCES = (
    Reference(r"samples of Table~\ref", "tab:samples", "tab:sampels"),
    Reference(r"Section~\ref", "sec:cooling", "sec:coolling"),
    Reference(r"followed Equation~\ref", "eq:cooling", "eq:coling"),
)


class Package(NamedTuple):
    """What a document takes from a package, and other packages that have it, too."""

    used: str
    also: tuple[str, ...] = ()


# In `documents/report.tex`.
PACKAGES = {
    "amsmath": Package("align*", ("mathtools",)),
    "booktabs": Package(r"\toprule"),
    "xcolor": Package(r"\textcolor", ("color",)),
}


class Figure(NamedTuple):
    """A picture of the folder `figs`, and the beginning of its name that is shared with another one."""

    file: str
    shows: str
    cut: str


FIGURES = (
    (Figure("latency", "latency", "lat"), Figure("lattice", "layout of the machines", "latt")),
    (Figure("throughput", "throughput", "through"), Figure("threads", "number of threads", "thre")),
    (Figure("memory", "memory in use", "mem"), Figure("messages", "messages per second", "mes")),
)


class Program(NamedTuple):
    """A listing with one token to get wrong: the right line, the wrong one, and the text around them."""

    title: str
    words: str
    code: str
    good: str
    bad: str


PROGRAMS = (
    Program(
        "The greatest common divisor",
        "Euclid's method replaces the larger number by the remainder of the division, until nothing remains.",
        "def gcd(a, b):\n    while b != 0:\n        a, b = b, a % b\n    return a",
        "a, b = b, a % b",
        "a, b = b, a // b",
    ),
    Program(
        "The value of a polynomial",
        "Horner's rule multiplies what was gathered so far by $x$ and adds the next coefficient.",
        "def value(coefficients, x):\n    total = 0\n    for c in coefficients:\n"
        "        total = total * x + c\n    return total",
        "total = total * x + c",
        "total = total + x + c",
    ),
    Program(
        "Searching a sorted list",
        "The list is ascending. The middle item is looked at: where it is smaller than the one that is sought, the "
        "search goes on in the upper half.",
        "def position(items, sought):\n    low, high = 0, len(items)\n    while low < high:\n"
        "        middle = (low + high) // 2\n        if items[middle] < sought:\n            low = middle + 1\n"
        "        else:\n            high = middle\n    return low",
        "if items[middle] < sought:",
        "if items[middle] > sought:",
    ),
)

CASTINGS = ("Ahorn", "Birke", "Eibe", "Esche", "Linde", "Tanne", "Ulme", "Weide")
