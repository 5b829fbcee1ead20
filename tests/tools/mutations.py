"""Does some proof notice when a check is weakened? Mutates the checks of a suite and judges recorded proofs again.

Every claim of an audit left its evidence in the run's folder. For each mutant of an application's checks the claims
that ran through the mutated function are judged again, without a browser; a mutant is caught when one of them no longer
holds. What survives can be put to the application's unit tests. Mutants live in memory only:

* a `yield` of a violation is removed;
* of another check's findings (`yield from`) only the milestones are left, or nothing if there is no harm among them;
* a milestone is always reached;
* a comparison says the opposite.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.util
import io
import multiprocessing
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field, replace
from importlib.machinery import ModuleSpec
from multiprocessing.pool import Pool
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import pytest

from pytest_cuabench.errors import CheckerFailure, CuabenchError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run, find_run
from pytest_cuabench.ledger.recorded import judge_again, read_evidence
from pytest_cuabench.proof.claims import Claim, proofs
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence
from pytest_cuabench.task.model import SuiteInfo, Task
from pytest_cuabench.task.suite import load_suite, suite_folder

THRESHOLD = 95.0
JOBS = 2
PATIENCE = 10  # seconds until a mutant that does not come to an end counts as caught
Place = tuple[str, int]  # file and first line of a function


@dataclass(frozen=True)
class Played:
    """One claim with the evidence of what was played, and the functions that judging it ran through."""

    task: Task
    claim: Claim
    attempt: Attempt
    evidence: Evidence = field(repr=False)
    case: Case = field(repr=False)
    entered: frozenset[Place] = frozenset()

    def broken(self, checker: Any = None) -> str | None:
        """Return why the claim does not hold, judged by the task's own check or by another one."""
        task = self.task if checker is None else self.task.with_functions(check=checker)
        try:
            return self.claim.broken(judge_again(task, self.attempt, self.evidence, self.case))
        except CheckerFailure as error:
            return str(error)

    def traced(self) -> Played:
        """Return the claim with the functions that its judgement runs through."""
        entered: set[Place] = set()

        def look(frame: FrameType, event: str, _: Any) -> None:
            if event == "call":
                entered.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

        sys.setprofile(look)
        try:
            self.broken()
        finally:
            sys.setprofile(None)
        return replace(self, entered=frozenset(entered))


@dataclass(frozen=True)
class Mutant:
    """One weakened place of a module."""

    module: str
    file: str
    line: int
    function: Place
    what: str
    node: int  # where `ast.walk` finds it
    harmless: bool = False  # whether milestones are left of a `yield from`

    @property
    def sentence(self) -> str:
        """Return the place and what was done to it."""
        file = Path(self.file)
        shown = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
        return f"{shown}:{self.line}: {self.what}"


def read_claims(runs: Sequence[Run], suite: SuiteInfo, application: str) -> list[Played]:
    """Return the recorded claims of an application, each of which must hold now; a later run's replace an earlier's.

    Raises:
        CheckerFailure: One does not: the checks are not those that the run was judged by.
    """
    played = {name: (run, attempt) for run in runs for name, attempt in run.last_attempts().items()}
    found = []
    for proof in proofs(suite, "full"):
        if proof.task.application != application or proof.id not in played:
            continue
        run, attempt = played[proof.id]
        if attempt.verdict is None:
            continue
        claim = Played(proof.task, proof.claim, attempt, *read_evidence(run, attempt))
        if problem := claim.broken():
            raise CheckerFailure(f"{proof.id} does not hold, mutated or not: {problem}")
        found.append(claim.traced())
    return found


def checker_modules(suite: SuiteInfo, package: str, application: str) -> dict[str, Path]:
    """Return the files of the modules that the checks of an application are made of, by module.

    These are its tasks' own files, what they import from the application, and checks that several applications share.
    """
    root = package.partition(".")[0]
    found: dict[str, Path] = {}
    tasks = (task for task in suite.tasks if task.application == application)
    waiting = [f"{package}.{task.template or task.id}" for task in tasks]
    while waiting:
        name = waiting.pop()
        file = suite.folder / f"{name.removeprefix(root)[1:].replace('.', '/')}.py"
        ours = name.startswith(f"{package}.") or "check" in _defined(file)
        if name not in found and file.is_file() and ours:
            found[name] = file
            waiting += _imported(_parsed(file), name)
    return found


def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _defined(file: Path) -> set[str]:
    """Return the functions at the top of a file; none where there is no such file."""
    return (
        {node.name for node in _parsed(file).body if isinstance(node, ast.FunctionDef)}
        if file.is_file()
        else set()
    )


def _imported(tree: ast.Module, module: str) -> set[str]:
    """Return the names of modules that a module of a suite may import from the suite."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = ".".join([*module.split(".")[: -node.level], *filter(None, [node.module])])
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return found


def mutants(
    module: str, file: Path, tree: ast.Module, entered: set[Place], milestones_only: set[str]
) -> Iterator[Mutant]:
    """Yield the mutants of the functions that some claim runs through."""
    within = _functions(tree)
    for number, node in enumerate(ast.walk(tree)):
        function = within.get(node)
        what = _weakness(node)
        if function is None or what is None:
            continue
        place = (str(file), _first_line(function))
        if place in entered:
            harmless = isinstance(node, ast.Expr) and isinstance(node.value, ast.YieldFrom)
            harmless = harmless and _called(node.value.value) not in milestones_only  # type: ignore[attr-defined]
            line: int = node.lineno  # type: ignore[attr-defined]
            yield Mutant(module, str(file), line, place, what, number, harmless)


def milestones_only(tree: ast.Module) -> set[str]:
    """Return the names of functions that find no harm, nor pass on what others find."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    harm = {
        function.name
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.YieldFrom) or (isinstance(node, ast.Call) and _called(node) == "Violation")
    }
    return {function.name for function in functions} - harm


def _called(node: ast.expr) -> str:
    """Return the name of a called function, without its module."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
    return ""


def _functions(tree: ast.Module) -> dict[ast.AST, ast.FunctionDef]:
    """Return the innermost function around every node."""
    within: dict[ast.AST, ast.FunctionDef] = {}

    def visit(node: ast.AST, function: ast.FunctionDef | None) -> None:
        for child in ast.iter_child_nodes(node):
            if function is not None:
                within[child] = function
            visit(child, child if isinstance(child, ast.FunctionDef) else function)

    visit(tree, None)
    return within


def _first_line(function: ast.FunctionDef) -> int:
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])


def _weakness(node: ast.AST) -> str | None:
    """Return how a node can be weakened, in words."""
    match node:
        case ast.Expr(value=ast.Yield(value=ast.Call(func=ast.Name(id="Milestone")))):
            return None  # its call is
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
            return f"passed over: {_short(node)}"
        case ast.Call(func=ast.Name(id="Milestone"), args=[_, reached, *_]):
            return f"always reached, instead of: {_short(reached)}"
        case ast.Compare():
            return f"the opposite of: {_short(node)}"
    return None


def _short(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 90 else f"{text[:87]}..."


class _Weaken(ast.NodeTransformer):
    """Weakens one node."""

    def __init__(self, target: ast.AST, harmless: bool) -> None:
        self._target = target
        self._harmless = harmless

    def visit(self, node: ast.AST) -> Any:
        if node is not self._target:
            return self.generic_visit(node)
        match node:
            case ast.Expr(value=ast.YieldFrom() as passed) if self._harmless:
                milestones = "(each for each in found if type(each).__name__ == 'Milestone')"
                only: Any = ast.parse(milestones, mode="eval").body
                only.generators[0].iter = passed.value
                passed.value = only
                return node
            case ast.Expr():  # a function stays a generator
                return ast.copy_location(ast.If(ast.Constant(False), [node], []), node)
            case ast.Call():
                node.args[1] = ast.copy_location(ast.Constant(True), node.args[1])
                return node
            case _:
                return ast.copy_location(ast.UnaryOp(ast.Not(), node), node)  # type: ignore[arg-type]


def weakened(tree: ast.Module, mutant: Mutant) -> CodeType:
    """Return the code of a module with one node weakened."""
    tree = copy.deepcopy(tree)
    target = next(node for number, node in enumerate(ast.walk(tree)) if number == mutant.node)
    tree = ast.fix_missing_locations(_Weaken(target, mutant.harmless).visit(tree))
    return compile(tree, mutant.file, "exec")


class _Substitute(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports some modules from given code instead of from their files."""

    def __init__(self, codes: Mapping[str, CodeType]) -> None:
        self._codes = codes

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in self._codes:
            return None
        return importlib.util.spec_from_file_location(name, self._codes[name].co_filename, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        exec(self._codes[module.__name__], vars(module))


@contextmanager
def replaced(codes: Mapping[str, CodeType]) -> Iterator[None]:
    """Import some modules from given code, and put the real ones back afterwards."""
    real = {full: importlib.import_module(full) for full in codes}
    finder = _Substitute(codes)
    for full in codes:
        _forget(full)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for full, module in real.items():
            package, _, short = full.rpartition(".")
            sys.modules[full] = module
            setattr(sys.modules[package], short, module)


def _forget(full: str) -> None:
    package, _, short = full.rpartition(".")
    del sys.modules[full]
    vars(sys.modules[package]).pop(short, None)


@dataclass
class Application:
    """The checks of one application with the claims that prove them."""

    name: str
    package: str
    trees: dict[str, ast.Module]
    files: dict[str, Path]
    claims: list[Played]

    def mutants(self) -> list[Mutant]:
        """Return everything that can be weakened."""
        entered = {place for claim in self.claims for place in claim.entered}
        soft = {name for tree in self.trees.values() for name in milestones_only(tree)}
        return [
            mutant
            for module, tree in self.trees.items()
            for mutant in mutants(module, self.files[module], tree, entered, soft)
        ]

    def caught(self, mutant: Mutant) -> bool:
        """Tell whether some claim does not hold any more."""
        concerned = [claim for claim in self.claims if mutant.function in claim.entered]
        codes = {name: self._code(name, mutant) for name in self._dependents(mutant.module)}
        with _patience(), replaced(codes):
            return any(claim.broken(self._check(claim.task)) for claim in concerned)
        return True  # it did not come to an end

    def _check(self, task: Task) -> Any:
        """Return a task's check as it is imported now."""
        return importlib.import_module(f"{self.package}.{task.template or task.id}").check

    def _code(self, name: str, mutant: Mutant) -> CodeType:
        tree = self.trees[name]
        return weakened(tree, mutant) if name == mutant.module else compile(tree, self.files[name], "exec")

    def _dependents(self, module: str) -> set[str]:
        """Return the module and those that import it, however indirectly, its tasks' files among them."""
        found = {module}
        while True:
            more = {
                name
                for name, tree in self.trees.items()
                if name not in found and not found.isdisjoint(_imported(tree, name))
            }
            if not more:
                return found
            found |= more

    def fails(self, mutant: Mutant, tests: Sequence[Path]) -> bool:
        """Tell whether some test fails on a mutant; for a process of its own, which is spoilt by it.

        Raises:
            CheckerFailure: The tests could not be run.
        """
        for name in [name for name in tuple(sys.modules) if name.startswith(self.package.partition(".")[0])]:
            del sys.modules[name]
        sys.meta_path.insert(0, _Substitute({mutant.module: self._code(mutant.module, mutant)}))
        with redirect_stdout(io.StringIO()) as said:
            code = pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *map(str, tests)])
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            raise CheckerFailure(f"the tests of {mutant.sentence} did not run: {said.getvalue()[-300:]}")
        return code == pytest.ExitCode.TESTS_FAILED


class _Endless(BaseException):
    """A mutant runs in circles; no `Exception`, since the judge would go on after one."""


@contextmanager
def _patience() -> Iterator[None]:
    """Give up on a mutant that runs in circles."""

    def give_up(*_: Any) -> None:
        raise _Endless

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        with suppress(_Endless):
            yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def open_application(suite: SuiteInfo, name: str, runs: Sequence[Run]) -> Application:
    """Read an application's checks and its recorded claims."""
    package = f"cuabench_suite_{suite.name}.{name}"
    files = checker_modules(suite, package, name)
    trees = {module: _parsed(file) for module, file in files.items()}
    return Application(name, package, trees, files, read_claims(runs, suite, name))


def survivors(application: Application, jobs: int) -> tuple[list[Mutant], int]:
    """Return the mutants that no claim notices, and how many mutants there are."""
    found = application.mutants()
    with _workers(application, jobs) as pool:
        caught = pool.map(_caught, found, chunksize=8)
    return [mutant for mutant, seen in zip(found, caught, strict=True) if not seen], len(found)


def untested(application: Application, alive: list[Mutant], tests: Path, jobs: int) -> list[Mutant]:
    """Return the mutants that the application's unit tests do not notice, either."""
    files = sorted(tests.glob(f"test_*_{application.name}*.py"))
    if not files:
        return alive
    with _workers(application, jobs, tasks=1) as pool:
        failed = pool.map(_fails, [(mutant, files) for mutant in alive], chunksize=1)
    return [mutant for mutant, seen in zip(alive, failed, strict=True) if not seen]


def _workers(application: Application, jobs: int, tasks: int | None = None) -> Pool:
    """Return processes that inherit the recorded evidence."""
    return multiprocessing.get_context("fork").Pool(jobs, _inherit, (application,), maxtasksperchild=tasks)


_inherited: list[Application] = []


def _inherit(application: Application) -> None:
    _inherited[:] = [application]


def _caught(mutant: Mutant) -> bool:
    return _inherited[0].caught(mutant)


def _fails(task: tuple[Mutant, Sequence[Path]]) -> bool:
    return _inherited[0].fails(*task)


def report(
    folder: Path, runs: Sequence[Run], wanted: Sequence[str], threshold: float, jobs: int, tests: Path | None
) -> int:
    """Print each application's share and its survivors; return how many applications are below the threshold."""
    suite = load_suite(folder)
    known = list(dict.fromkeys(task.application for task in suite.tasks))
    below = 0
    for name in wanted or known:
        application = open_application(suite, name, runs)
        if not application.claims:
            _say(f"{name}: no claims were recorded")
            below += 1
            continue
        alive, count = survivors(application, jobs)
        told = f"{name}: {_share(alive, count)} by {len(application.claims)} claims"
        if tests is not None:
            alive = untested(application, alive, tests, jobs)
            told += f", {_share(alive, count)} with the unit tests"
        below += 100 * (count - len(alive)) < threshold * count
        _say(told)
        for mutant in alive:
            _say(f"  {mutant.sentence}")
    return below


def _share(alive: Sequence[Mutant], count: int) -> str:
    caught = count - len(alive)
    return f"{caught} of {count} mutants caught ({100 * caught / max(count, 1):.1f} %)"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from a command line; 1 below the threshold, 2 for what cannot be judged."""
    parser = argparse.ArgumentParser(prog="check-mutations", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("runs", type=Path, nargs="+", help="folders of audit runs, best of --cua-audit-full")
    parser.add_argument("--suite", default="medcua", help="name or folder of the suite (medcua)")
    parser.add_argument("--application", action="append", default=[], help="one of its applications (all)")
    parser.add_argument("--threshold", type=float, default=THRESHOLD, help="share to reach, in %% (95)")
    parser.add_argument("--tests", type=Path, help="folder of unit tests for what survives (tests/suites)")
    parser.add_argument("--jobs", type=int, default=JOBS, help="processes (2)")
    given = parser.parse_args(arguments)
    try:
        folder = Path(given.suite) if "/" in given.suite else suite_folder(given.suite)
        runs = [find_run(run) for run in given.runs]
        below = report(folder.resolve(), runs, given.application, given.threshold, given.jobs, given.tests)
        return 1 if below else 0
    except CuabenchError as error:
        sys.stderr.write(f"check-mutations: {error}\n")
        return 2


if __name__ == "__main__":
    raise SystemExit(main())
