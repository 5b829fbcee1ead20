"""The tree of exceptions that `pytest_cuabench.errors` draws."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_cuabench import errors


def drawn(kind: type[Exception], indent: str = "") -> Iterator[str]:
    """Yield the lines that draw the subclasses of an exception which its module defines, in their order."""
    below = [each for each in kind.__subclasses__() if each.__module__ == errors.__name__]
    for each in below:
        last = each is below[-1]
        yield f"{indent}{'└' if last else '├'}── {each.__name__}"
        yield from drawn(each, f"{indent}{' ' if last else '│'}   ")


def test_the_docstring_draws_every_exception() -> None:
    """The docstring draws the classes of the module, each below its base, with a word on every one."""
    assert errors.__doc__ is not None
    tree = [line for line in errors.__doc__.splitlines() if "── " in line]
    names = [line.partition("── ") for line in tree]
    assert [f"{indent}{rule}{text.split()[0]}" for indent, rule, text in names] == [
        *drawn(errors.CuabenchError)
    ]
    assert all(len(text.split()) > 1 for _, _, text in names)
