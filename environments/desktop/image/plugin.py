"""An image that plays: Debian's Python and Chromium, the plugin with its extras, and suites, for an unprivileged user.

The plugin and its libraries are where Debian's Python looks for them anyhow, so that `cuabench` and `pytest` run as
they do elsewhere. Docker starts a command under `tini`; a manifest's own `command` takes its place.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from image import bootstrap, container
from image.layout import APPLICATIONS, HOME, USER, USER_ID
from image.libraries import BINARY, PIP, collect_applications
from image.packages import PLUGIN, from_pypi, groups, packages
from image.tools import run

BENCH = f"{HOME}/bench"  # the working directory; suites are below it as they are below the current folder
_LIBRARIES = f"/usr/local/lib/python{bootstrap.PYTHON}/dist-packages"
_PROGRAMS = ("cuabench", "pytest")
# Nothing that was made by running, and no settings of this computer: keys are given to a container when it starts.
_LEFT_OUT = shutil.ignore_patterns(
    "__pycache__", ".*_cache", ".git", ".venv", ".env", ".env.*", "reports", "cluster"
)


def build(
    name: str,
    plugin: str,
    extras: Sequence[str],
    suites: Sequence[Path],
    chosen: Sequence[str],
    parts: Path,
    log: Path,
) -> None:
    """Build the image under a name.

    Args:
        plugin: A folder with the sources of the plugin, or a requirement of pip.
        suites: Paths relative to the current folder.
        chosen: Groups of applications, for desktops inside the image.
        parts: An empty folder with room for a system.

    Raises:
        BuildError: Something cannot be had, or there is no engine.
    """
    site, programs, bench = (parts / part for part in ("site", "bin", "bench"))
    collect(site, plugin, extras, log)
    _write_programs(programs)
    copy(suites, bench)
    hooks = [f'mkdir -p "$1{BENCH}" "$1{_LIBRARIES}"']
    for part, place in ((site, _LIBRARIES), (programs, "/usr/local/bin"), (bench, BENCH)):
        hooks.append(f"sync-in {part} {place}")
    if applications := from_pypi(chosen):
        collect_applications(parts / "applications", applications, log)
        hooks += [f'mkdir -p "$1{APPLICATIONS}"', f"sync-in {parts / 'applications'} {APPLICATIONS}"]
    hooks.append(f'chroot "$1" python3 -m compileall -q -j0 {_LIBRARIES}')  # the user may not write there
    hooks.append(f'chroot "$1" chown -R {USER}:{USER} {BENCH}')
    bootstrap.system(debian(chosen), hooks, parts / "system.tar", log)
    changes = (
        f"ENV HOME={HOME} LANG=C.UTF-8",
        f"USER {USER_ID}",  # by number: Kubernetes' `runAsNonRoot` reads no names
        f"WORKDIR {BENCH}",
        'ENTRYPOINT ["/usr/bin/tini", "--"]',
        'CMD ["cuabench", "--help"]',
    )
    container.load(parts / "system.tar", name, changes, log)


def debian(chosen: Sequence[str]) -> tuple[str, ...]:
    """Return the Debian packages of the image; those of a desktop only where an application is chosen."""
    return tuple(dict.fromkeys((*groups()[PLUGIN], *(packages(chosen) if chosen else ()))))


def collect(site: Path, plugin: str, extras: Sequence[str], log: Path) -> None:
    """Put the plugin, its suites and their libraries into a folder, for the Python of the image.

    Raises:
        BuildError: pip cannot get one.
    """
    suites: list[Path] = []
    if Path(plugin).is_dir():
        # Hatchling that is installed here needs no network.
        here = ("--no-build-isolation",) if importlib.util.find_spec("hatchling") else ()
        wheels, parts = site.with_name("wheels"), sorted(Path(plugin).glob("wheels/*/pyproject.toml"))
        run(
            (
                *PIP,
                "wheel",
                "--no-deps",
                *here,
                "--wheel-dir",
                wheels,
                plugin,
                *(one.parent for one in parts),
            ),
            log,
        )
        suites = sorted(wheels.glob("pytest_cuabench_*.whl"))
        plugin = f"pytest-cuabench{{}} @ {next(wheels.glob('pytest_cuabench-*.whl')).as_uri()}"
    else:
        plugin = plugin.replace("==", "{}==")
    # The same Python can build what is published without wheels; another one takes wheels only.
    same = sys.version_info[:2] == tuple(map(int, bootstrap.PYTHON.split(".")))
    wanted = plugin.format(f"[{','.join(('suites', *extras))}]")
    run((*PIP, "install", "--target", site, *(() if same else BINARY), *suites, wanted), log)
    shutil.rmtree(site / "bin", ignore_errors=True)  # programs that name the Python of this computer


def _write_programs(folder: Path) -> None:
    folder.mkdir()
    for name in _PROGRAMS:
        file = folder / name
        file.write_text(
            "#!/usr/bin/python3\nimport sys\nfrom importlib.metadata import entry_points\n\n"
            f"sys.exit(entry_points(group='console_scripts')['{name}'].load()())\n",
            encoding="utf-8",
        )
        file.chmod(0o755)


def copy(suites: Sequence[Path], bench: Path) -> None:
    """Copy suites, as they are below the current folder."""
    bench.mkdir()
    for suite in suites:
        target = bench / suite
        target.parent.mkdir(parents=True, exist_ok=True)
        if suite.is_dir():
            shutil.copytree(suite, target, ignore=_LEFT_OUT, dirs_exist_ok=True)
        else:
            shutil.copy2(suite, target)
