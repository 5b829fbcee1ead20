"""What the machines of GitHub and of GitLab have in common: a repository, clean clones of it, jobs and their files."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Steps that install what is installed here already.
_INSTALLS = re.compile(r"\s*(pip install|python -m playwright install|npm install|apt-get) ")
_FORBIDDEN = re.compile(r'["<>|*?:\r\n\\]')  # artifacts of GitHub take no such names


@dataclass
class Job:
    """What came of one job.

    Attributes:
        code: The exit code of the command that ended it; None where it was skipped.
        said: What it printed.
        summary: The page of the job.
    """

    name: str
    code: int | None = 0
    said: str = ""
    summary: str = ""
    outputs: dict[str, str] = field(default_factory=dict)

    @property
    def result(self) -> str:
        return {None: "skipped", 0: "success"}.get(self.code, "failure")


class Server:
    """A bare repository with a project in it, the artifacts of each pipeline, and caches that outlive them."""

    def __init__(self, folder: Path, project: Path) -> None:
        self.folder = folder
        self.repository, self.caches = folder / "project.git", folder / "caches"
        self._numbers = count(1)
        self._commands = _commands(folder / "bin")
        self.git("init", "--quiet", "--bare", "--initial-branch=main", str(self.repository))
        self.git("config", "receive.advertisePushOptions", "true", where=self.repository)
        self.git("init", "--quiet", "--initial-branch=main", where=project)
        self._commit("The project", project)
        self.git("push", "--quiet", str(self.repository), "main", where=project)

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables that every command sees."""
        system = "/usr/local/bin:/usr/bin:/bin"
        path = f"{self._commands}:{system}" + (f":{Path(found).parent}" if (found := allure()) else "")
        return {
            "CI": "true",
            "PATH": path,
            "HOME": str(self.folder),
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_ADDOPTS": "-p no:anyio -p no:hypothesispytest",  # no user need have them
        }

    def git(self, *words: str, where: Path | None = None) -> str:
        """Run git, as somebody who has a name."""
        me = ("-c", "user.name=Ada", "-c", "user.email=ada@localhost", "-c", "protocol.file.allow=always")
        done = subprocess.run(
            ("git", *me, *words), cwd=where or self.folder, check=True, capture_output=True, text=True
        )
        return done.stdout

    def clone(self, ref: str) -> Path:
        """Return a clean clone, at the tip of a branch."""
        workspace = self.folder / f"workspace-{next(self._numbers)}"
        self.git("clone", "--quiet", f"--branch={ref}", str(self.repository), str(workspace))
        return workspace

    def change(self, branch: str, message: str, files: Mapping[str, str]) -> None:
        """Commit files on top of main and push that as a branch."""
        workspace = self.clone("main")
        for name, text in files.items():
            (workspace / name).write_text(text)
        self._commit(message, workspace)
        self.git("push", "--quiet", "origin", f"HEAD:{branch}", where=workspace)

    def read(self, name: str, branch: str = "main") -> str:
        """Return a file as it was pushed."""
        return self.git("show", f"{branch}:{name}", where=self.repository)

    def artifacts(self, run_id: str) -> Path:
        """Return where the artifacts of a pipeline lie."""
        return self.folder / "artifacts" / run_id

    def run(self, script: str, workspace: Path, variables: Mapping[str, str]) -> tuple[int, str]:
        """Run a script as CI does; without what it would install."""
        lines = (line for line in script.splitlines() if not _INSTALLS.match(line))
        file = self.folder / "script.sh"
        file.write_text("\n".join(lines) + "\n")
        done = subprocess.run(
            ("bash", "-e", "-o", "pipefail", str(file)),
            cwd=workspace,
            env=self.environment | dict(variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.returncode, done.stdout

    def _commit(self, message: str, where: Path) -> None:
        self.git("add", "--all", where=where)
        self.git("commit", "--quiet", "--allow-empty", f"--message={message}", where=where)


def allure() -> str | None:
    """Return Allure's command line, where there is one."""
    return shutil.which("allure")


def keep(source: Path, target: Path, *, hidden: bool = True) -> int:
    """Copy the files of a folder into another, as an artifact or out of one; return how many."""
    files = [file for file in sorted(source.rglob("*")) if file.is_file()]
    if not hidden:
        files = [file for file in files if not any(part[0] == "." for part in file.relative_to(source).parts)]
    for file in files:
        name = file.relative_to(source)
        assert not _FORBIDDEN.search(str(name)), f"no artifact may hold {name}"
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target / name)
    return len(files)


def pairs(file: Path) -> dict[str, str]:
    """Read a file of NAME=value lines; nothing where there is none."""
    lines: Iterable[str] = file.read_text().splitlines() if file.is_file() else ()
    return dict(line.split("=", 1) for line in lines)


def _commands(folder: Path) -> Path:
    """Make the commands that an installation of this tree has."""
    folder.mkdir(parents=True)
    for name, module in {"pytest": "pytest", "cuabench": "pytest_cuabench.commands.cli"}.items():
        main = "console_main" if name == "pytest" else "main"
        file = folder / name
        file.write_text(f"#!{sys.executable}\nimport sys\nfrom {module} import {main}\nsys.exit({main}())\n")
        file.chmod(0o755)
    return folder
