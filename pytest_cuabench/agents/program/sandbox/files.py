"""What `options.files` may show a program: nothing of suites, runs, the system, credentials, sockets and devices."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from pytest_cuabench.drivers.confining import libraries
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.task import library

_PLUGIN = Path(library.__file__).resolve().parents[1]
_SYSTEM = (
    "/boot",
    "/dev",
    "/etc",
    "/lost+found",
    "/proc",
    "/run",
    "/sys",
    "/var/lib",
    "/var/log",
    "/var/run",
)
_SHARED = ("/", "/home", "/media", "/mnt", "/opt", "/root", "/srv", "/usr", "/var")  # as a whole
_CREDENTIALS = (
    ".aws", ".azure", ".config/gcloud", ".git-credentials", ".gnupg", ".kube", ".local/share/keyrings", ".netrc",
    ".password-store", ".pypirc", ".ssh",
)  # fmt: skip
_OF_HOMES = (  # names that mean something else elsewhere
    ".bash_history", ".config/chromium", ".config/gh", ".config/google-chrome", ".docker", ".mozilla", ".npmrc", ".pki",
    ".zsh_history",
)  # fmt: skip
_Identity = tuple[int, int]


def check_files(files: Sequence[Path]) -> None:
    """Check that a box's files do not hold what programs must not see.

    Raises:
        SettingError: A file is missing, or one holds or is a part of what is secret.
    """
    for path in files:
        if not path.exists():
            raise SettingError(f"options.files: there is no {path}")
        if secret := _secret_in(path):
            raise SettingError(
                f"options.files: {path} would show the program {secret}; name a folder that holds the program only"
            )


def secret_folders() -> dict[Path, str]:
    """Return the folders of this session that programs must not see, and what they hold."""
    found = {_PLUGIN: "the plugin's code", library.SUITES.resolve(): "suites"}
    if (_PLUGIN.parent / "pyproject.toml").is_file():
        found[_PLUGIN.parent] = "the plugin's checkout"
    return {**found, Path.cwd().resolve(): "this session's folder"}


def _secret_in(path: Path) -> str:
    """Return what a path holds, or is a part of, that programs must not see; empty if nothing."""
    whole = path.resolve()
    return _by_place(whole) or _part_of(whole) or next(_held(whole), "")


def _by_place(whole: Path) -> str:
    for folder, words in secret_folders().items():
        if whole == folder or whole in folder.parents:
            return words
    for folder in map(Path, _SYSTEM):
        if whole == folder.resolve() or folder.resolve() in whole.parents:
            return f"a part of {folder}"
    if whole in {*map(Path, _SHARED), *_homes(), Path(tempfile.gettempdir()).resolve()}:
        return f"all of {whole}"
    for one in libraries.secret(Path("/usr")) - {_PLUGIN.parent}:
        package = (one / "__init__.py").is_file()
        if whole == one or whole in one.parents or (package and one != _PLUGIN and one in whole.parents):
            return "a package with suites"
    return ""


def _part_of(whole: Path) -> str:
    """Return what a path is a part of."""
    own = library.AGENTS.resolve()  # profiles that are shipped bring files, in a wheel inside of the package
    if own in whole.parents:
        return ""
    for folder in whole.parents:
        if (folder / "suite.toml").is_file() or folder in (library.SUITES.resolve(), _PLUGIN):
            return "a part of a suite" if folder != _PLUGIN else "the plugin's code"
        if (folder / LEDGER).is_file():
            return "a part of a run"
    return "credentials" if any(_is_credential(each) for each in (whole, *whole.parents)) else ""


def _held(whole: Path) -> Iterator[str]:
    """Yield what a path holds, also by a hard link or mounted from elsewhere."""
    known = _identities()
    for path, found in _tree(whole):
        if path.name == "suite.toml":
            yield "a suite"
        elif path.name == LEDGER:
            yield "a run"
        elif _is_credential(path):
            yield "credentials"
        elif not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode) or stat.S_ISLNK(found.st_mode)):
            yield f"a socket or device ({path.name})"
        elif (found.st_dev, found.st_ino) in known:
            yield known[found.st_dev, found.st_ino]


def _is_credential(path: Path) -> bool:
    """Whether a path keeps credentials in any user's home."""
    return any(path.parts[-len(parts) :] == parts for parts in (Path(name).parts for name in _CREDENTIALS))


@cache
def _identities() -> dict[_Identity, str]:
    """Return the files and folders, by device and number, that another name must not show."""
    secret = [(library.SUITES, "a part of a suite"), (Path("/etc"), "a part of /etc")]
    secret += [(home / name, "credentials") for home in _homes() for name in (*_CREDENTIALS, *_OF_HOMES)]
    packages = libraries.secret(Path("/usr")) - {_PLUGIN}
    secret += [(one, "a package with suites") for one in packages if (one / "__init__.py").is_file()]
    found = {
        (about.st_dev, about.st_ino): words
        for folder, words in secret
        for _, about in _tree(folder.resolve())
    }
    for name in map(str, (*_SYSTEM, *_SHARED, *_homes())):
        if Path(name).is_dir():
            about = Path(name).stat()
            found[about.st_dev, about.st_ino] = f"a part of {name}"
    return found


def _tree(path: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield a path and all below it, without following links; what cannot be read is left out."""
    if os.path.lexists(path):
        yield path, path.lstat()
    for folder, folders, files in os.walk(path):
        for name in (*folders, *files):
            one = Path(folder, name)
            yield one, one.lstat()


def _homes() -> set[Path]:
    return {Path.home().resolve(), Path("/root"), *Path("/home").glob("*")}
