"""How large the classes of the package are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import pytest

import pytest_cuabench

ROOT = Path(pytest_cuabench.__file__).parent
MOST = 20
REASON = "Many attributes:"  # a line of the docstring that begins so says why there are more


def classes(tree: ast.Module) -> Iterator[ast.ClassDef]:
    """Yield the classes of a module, those within others and within functions too."""
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def attributes(node: ast.ClassDef) -> set[str]:
    """Return the fields that a class annotates, and what its methods assign to `self`."""
    annotated = {
        line.target.id
        for line in node.body
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
    }
    assigned = {
        name.attr
        for method in node.body
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)
        for name in ast.walk(method)
        if isinstance(name, ast.Attribute)
        and isinstance(name.ctx, ast.Store)
        and isinstance(name.value, ast.Name)
        and name.value.id == "self"
    }
    return annotated | assigned


def unexplained(tree: ast.Module) -> Iterator[str]:
    """Yield the classes with more attributes than `MOST` and no reason for them."""
    for node in classes(tree):
        count, docstring = len(attributes(node)), ast.get_docstring(node) or ""
        reasons = [
            line.partition(REASON)[2].strip() for line in docstring.splitlines() if line.startswith(REASON)
        ]
        if count > MOST and not any(reasons):
            yield f"{node.name} has {count} attributes"


def test_classes_have_few_attributes() -> None:
    """A class has at most twenty attributes, or its docstring says why it has more."""
    found = [
        f"{file.relative_to(ROOT.parent)}: {words}; compose it of parts, or write '{REASON} <why>' in its docstring"
        for file in sorted(ROOT.rglob("*.py"))
        for words in unexplained(ast.parse(file.read_bytes()))
    ]
    assert found == []


FIELDS = "".join(f"    field_{number}: int\n" for number in range(MOST + 1))
ASSIGNED = "    def __init__(self):\n" + "".join(f"        self.at_{n} = {n}\n" for n in range(MOST + 1))


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (f"class A:\n{FIELDS}", ["A has 21 attributes"]),
        (f"class B:\n{ASSIGNED}", ["B has 21 attributes"]),
        (f"class C:\n    '''C.\n\n    {REASON} it mirrors a table.\n    '''\n{FIELDS}", []),
        (f"class D:\n    '''{REASON}'''\n{FIELDS}", ["D has 21 attributes"]),
        (f"def f():\n    class E:\n        x: int\n{indent(ASSIGNED, '    ')}", ["E has 22 attributes"]),
        ("class F:\n    x: int\n", []),
    ],
)  # fmt: skip
def test_attributes_are_counted(source: str, words: list[str]) -> None:
    """Annotated fields and assignments to `self` count, and only a reason excuses them."""
    assert list(unexplained(ast.parse(source))) == words
