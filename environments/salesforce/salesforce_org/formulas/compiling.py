"""Checks a formula's names and types and makes a function of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

from salesforce_org.formulas.errors import EvaluationError, FormulaError, wrong_number, wrong_type
from salesforce_org.formulas.functions import FUNCTIONS, Function, Use
from salesforce_org.formulas.operators import BINARY
from salesforce_org.formulas.parser import parse
from salesforce_org.formulas.scope import Evaluate, Scope
from salesforce_org.formulas.tree import Binary, Call, Expression, Literal, Name, Unary, unparse
from salesforce_org.formulas.values import (
    ANY,
    BOOLEAN,
    LONG,
    MULTIPICKLIST,
    NUMBER,
    PICKLIST,
    TEXT,
    TEXTS,
)
from salesforce_org.store import Field

BIGGEST = 5000
MOST_OBJECTS = 15
_ONLY_IN_SOME = {PICKLIST: "picklist", MULTIPICKLIST: "multi-select picklist"}
_WITH_PICKLISTS = ("CASE", "ISBLANK", "ISNULL", "ISCHANGED", "PRIORVALUE", "VLOOKUP")


@dataclass(frozen=True, slots=True)
class Reference:
    """What a name means.

    Attributes:
        get: Its value in a scope.
        field: The field, if it is one, of the object `object`.
        through: The relationships that lead to it, such as `Account.Owner`.
    """

    type: str
    get: Evaluate
    field: Field | None = None
    object: str = ""
    through: tuple[str, ...] = ()


class Names(Protocol):
    """What names a formula may use; records have `names.RecordNames`, a report has its own."""

    def find(self, name: Name) -> Reference:
        """Return what a name means.

        Raises:
            FormulaError: It means nothing.
        """
        ...


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula that has been checked.

    Attributes:
        type: The type of its value.
        evaluate: Its value in a scope; raises `EvaluationError` where there is none.
        references: The fields that it reads, by the name under which it does.
    """

    type: str
    evaluate: Evaluate
    references: tuple[tuple[str, Reference], ...]
    text: str

    def expect(self, *types: str) -> Formula:
        """Refuse a formula whose value is of another type.

        Raises:
            FormulaError: It is.
        """
        if self.type not in (*types, ANY):
            wanted = "true or false" if types[0] == BOOLEAN else types[0]
            raise FormulaError(
                f"Formula result is data type ({self.type}), incompatible with expected data type ({wanted})."
            )
        return self


def compile(text: str, names: Names, use: Use) -> Formula:
    """Return the formula that a text says.

    Raises:
        FormulaError: It is none, or uses what is not there.
    """
    tree = parse(text)
    compiler = _Compiler(names, use)
    found = compiler.compile(tree)
    objects = {one.through for _, one in compiler.references if one.through}
    if len(objects) > MOST_OBJECTS:
        raise FormulaError(f"Maximum {MOST_OBJECTS} object references are allowed in a formula.")
    if found.type in _ONLY_IN_SOME:
        raise _only_in_some(unparse(tree), found.type)
    return Formula(found.type, _guarded(found.get), tuple(compiler.references), unparse(tree))


def _guarded(get: Evaluate) -> Evaluate:
    def evaluate(scope: Scope) -> Any:
        try:
            return get(scope)
        except ZeroDivisionError:
            raise EvaluationError("Division by zero") from None
        except (ArithmeticError, ValueError) as error:
            raise EvaluationError(f"A function does not take its argument: {error}") from None

    return evaluate


def _only_in_some(name: str, kind: str) -> FormulaError:
    word = _ONLY_IN_SOME[kind]
    return FormulaError(
        f"Field {name} is a {word} field. {word.capitalize()} fields are only supported in certain functions."
    )


class _Compiler:
    def __init__(self, names: Names, use: Use) -> None:
        self._names = names
        self._use = use
        self.references: list[tuple[str, Reference]] = []

    def compile(self, tree: Expression) -> Reference:
        if isinstance(tree, Literal):
            return _literal(tree.value)
        if isinstance(tree, Name):
            return self._named(tree)
        if isinstance(tree, Unary):
            return self._unary(tree)
        return self._binary(tree) if isinstance(tree, Binary) else self._call(tree)

    def _named(self, name: Name) -> Reference:
        found = self._names.find(name)
        if found.type == LONG:
            if self._use in (Use.FIELD, Use.DEFAULT):
                raise FormulaError(
                    f'You referenced an unsupported field type called "{LONG}" using the following field: {name}'
                )
            found = Reference(TEXT, found.get, found.field, found.object, found.through)
        self.references.append((str(name), found))
        return found

    def _unary(self, tree: Unary) -> Reference:
        wanted = BOOLEAN if tree.operator == "!" else NUMBER
        operand = self.compile(tree.operand)
        self._check(tree.operand, operand, (wanted,), f"operator '{tree.operator}'")
        get = operand.get
        if tree.operator == "!":
            return Reference(BOOLEAN, lambda scope: not get(scope))
        if tree.operator == "+":
            return Reference(NUMBER, get)
        return Reference(NUMBER, lambda scope: None if (value := get(scope)) is None else -value)

    def _binary(self, tree: Binary) -> Reference:
        table, of = BINARY[tree.operator], f"operator '{tree.operator}'"
        left, right = self.compile(tree.left), self.compile(tree.right)
        firsts = list(dict.fromkeys(first for first, _ in table))
        self._check(tree.left, left, firsts, of)
        kind = left.type
        if kind == ANY:
            kind = right.type if right.type in firsts else firsts[0]
        seconds = [second for first, second in table if first == kind]
        self._check(tree.right, right, seconds, of)
        other = seconds[0] if right.type == ANY else right.type
        result, act = table[kind, other]
        one, two = _as(kind, left), _as(other, right)
        return Reference(result, act(one, two))

    def _call(self, tree: Call) -> Reference:
        function = FUNCTIONS.get(tree.function)
        if function is None:
            raise FormulaError(f"Unknown function {tree.function}. Check spelling.")
        if function.uses and self._use not in function.uses:
            raise FormulaError(f"Function {function.name} may not be used in this type of formula")
        parameters = _filled(function, len(tree.arguments))
        arguments = [self.compile(one) for one in tree.arguments]
        of = f"function '{function.name}()'"
        same = ""
        for expression, argument, types in zip(tree.arguments, arguments, parameters, strict=True):
            if function.name in _WITH_PICKLISTS and argument.type in _ONLY_IN_SOME:
                same = same or (argument.type if types == ("T",) else "")
            elif types == ("T",):
                self._check(expression, argument, (same,) if same else (), of)
                same = same or ("" if argument.type == ANY else argument.type)
            else:
                self._check(expression, argument, types, of)
        self._special(function, tree, arguments)
        kinds = [same if types == ("T",) else (types or ("",))[0] for types in parameters]
        gets = [_as(kind, one) for kind, one in zip(kinds, arguments, strict=True)]
        result = function.result or same or (arguments[0].type if arguments else ANY)
        if function.name == "VLOOKUP":
            result = TEXT if arguments[0].object in TEXTS else arguments[0].object
        return Reference(result, _called(function, gets, TEXT if result in TEXTS else result))

    def _check(self, expression: Expression, received: Reference, types: Iterable[str], of: str) -> None:
        """Types are all that fit; none are all but those that only some functions take."""
        expected = tuple(types)
        if received.type == ANY or received.type in expected:
            return
        if received.type in _ONLY_IN_SOME:
            raise _only_in_some(unparse(expression), received.type)
        if expected:
            raise wrong_type(of, expected, received.type)

    def _special(self, function: Function, tree: Call, arguments: list[Reference]) -> None:
        """Check what a signature cannot say."""
        if function.name in ("ISCHANGED", "PRIORVALUE") and arguments[0].field is None:
            raise wrong_type(f"function '{function.name}()'", ("Field",), arguments[0].type)
        if function.name in ("ISPICKVAL", "INCLUDES") and not isinstance(tree.arguments[1], Literal):
            raise wrong_type(f"function '{function.name}()'", ("Text Literal",), arguments[1].type)
        if function.name == "CASE":
            wanted = TEXT if arguments[0].type == PICKLIST else arguments[0].type
            for expression, one in zip(tree.arguments[1:-1:2], arguments[1:-1:2], strict=True):
                if wanted != ANY:
                    self._check(expression, one, (wanted,), "function 'CASE()'")
        if function.name == "VLOOKUP":
            for one in arguments[:2]:
                if one.type != FIELD:
                    raise wrong_type("function 'VLOOKUP()'", (FIELD,), one.type)


FIELD = (
    "Field"  # of `$ObjectType.Zip__c.Fields.City__c`; the reference's `object` is then the type of its values
)


def _literal(value: Any) -> Reference:
    kind = {Decimal: NUMBER, str: TEXT, bool: BOOLEAN}.get(type(value), ANY)
    return Reference(kind, lambda scope: value)


def _filled(function: Function, number: int) -> list[tuple[str, ...]]:
    """Return the types of each of so many arguments.

    Raises:
        FormulaError: The function does not take so many.
    """
    if function.name == "CASE":
        if number < 4 or number % 2:
            raise wrong_number("CASE", max(4, number + 1), number)
        return [(), *((), ("T",)) * (number // 2 - 1), ("T",)]
    parameters = [function.parameter(at) for at in range(number)]
    if number < function.least or None in parameters:
        expected = function.least if number < function.least else len(function.parameters)
        raise wrong_number(function.name, expected, number)
    return [one.types for one in parameters if one is not None]


def _as(kind: str, one: Reference) -> Evaluate:
    """Return the getter of a value of a type; NULL as a text is blank, as in Salesforce."""
    if one.type == ANY and kind in TEXTS:
        return lambda scope: one.get(scope) or ""
    return one.get


def _called(function: Function, gets: list[Evaluate], result: str) -> Evaluate:
    act: Callable[..., Any] = function.act
    none = "" if result == TEXT else False if result == BOOLEAN else None
    if function.how == "lazy":
        return lambda scope: act(scope, *gets)
    if function.how == "blanks":
        return lambda scope: act(*[get(scope) for get in gets])
    scoped = function.how == "scope"

    def call(scope: Scope) -> Any:
        values = [get(scope) for get in gets]
        if None in values:
            return none
        return act(scope, *values) if scoped else act(*values)

    return call
