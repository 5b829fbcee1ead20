"""Task files that a benchmark was published with, played as they are: the functions by which a suite reads them.

`task_files` in `suite.toml` names a module of the suite. Its functions have fixed names:

    def with_task_files(suite, path) -> SuiteInfo     the suite with the tasks of the files at `path`, not its own
    def task_of_case(case, attempt) -> Task | None    the task of a recorded attempt; None if it is one of its own
    def stage(machine, guest, api) -> Stage           prepares a desktop for these tasks and reads its state (optional)

The module is imported when `--cua-tasks` names the suite, and when a run of it is graded again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_cuabench.errors import CuabenchError, SettingError
from pytest_cuabench.task.functions import Functions, read_functions
from pytest_cuabench.task.names import did_you_mean
from pytest_cuabench.task.tracebacks import told

if TYPE_CHECKING:
    from pytest_cuabench.task.case import Case
    from pytest_cuabench.task.model import SuiteInfo, Task

_SIGNATURES = {
    "with_task_files": ("suite", "path"),
    "task_of_case": ("case", "attempt"),
    "stage": ("machine", "guest", "api"),
}
_OPTIONAL = {"stage"}


@dataclass(frozen=True)
class TaskFiles:
    """The functions of a suite for its published task files; its module is imported when one is first called."""

    functions: Functions

    @classmethod
    def read(cls, folder: Path, package: str, module: str) -> TaskFiles:
        """Read a module of a suite without importing it.

        Raises:
            SettingError: It is missing, or no Python.
        """
        return cls(read_functions(folder / f"{module.replace('.', '/')}.py", f"{package}.{module}"))

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with the names and signatures of the module's functions, with the file and line."""
        for name, parameters in _SIGNATURES.items():
            if name not in self.functions and name not in _OPTIONAL:
                near = did_you_mean(name, self.functions.defined)
                yield f"{self.functions.file}: def {name}({', '.join(parameters)}) is missing{near}"
            yield from self.functions.signature_faults(name, parameters)

    def suite(self, suite: SuiteInfo, path: Path) -> SuiteInfo:
        """Return the suite with the tasks of the files at a path instead of its own.

        Raises:
            SettingError: The files cannot be played; or the suite's code failed, which is said with file and line.
        """
        found: SuiteInfo = self._call("with_task_files", suite, path)
        return found

    def task(self, case: Case, attempt: object) -> Task | None:
        """Return the task of a recorded attempt, None where it is one of the suite's own.

        Raises:
            SettingError: The recorded case is malformed; or the suite's code failed.
        """
        found: Task | None = self._call("task_of_case", case, attempt)
        return found

    @property
    def stage(self) -> Any | None:
        """The function that makes a desktop's stage for these tasks; None where the suite has none."""
        return self.functions.late("stage") if "stage" in self.functions else None

    def _call(self, name: str, *arguments: object) -> Any:
        function = self.functions.get(name)
        try:
            return function(*arguments)
        except CuabenchError:
            raise
        except Exception as error:
            raise SettingError(f"{self.functions.file}: {name}: {told(error, function)}") from error
