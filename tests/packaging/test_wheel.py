"""The wheels, installed without a network where no checkout can be seen, play instances."""

from __future__ import annotations

import re
import shutil
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from email import message_from_bytes
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from wheels import PARTS, ROOT, build, closure, install, run

MOST_DEPENDENCIES = 10
MOST_BYTES = 1_500_000


@pytest.fixture(scope="module")
def python(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return the Python of an environment with the engine and some of the suites' wheels."""

    @cache
    def installed(*parts: str) -> Path:
        names = ("pytest_cuabench", *(f"pytest_cuabench_{part}" for part in parts))
        wheels = [next(built.glob(f"{name}-*.whl")) for name in names]
        return install(tmp_path_factory.mktemp("fresh"), *wheels)

    return installed


def metadata(part: Path) -> dict:
    """Return a wheel's `[project]`."""
    return tomllib.loads((part / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def names_in(wheel: Path) -> list[str]:
    """Return the names of a wheel's files."""
    return zipfile.ZipFile(wheel).namelist()


def test_each_definition_is_in_one_wheel() -> None:
    """Every suite, world and folder of data is linked into one wheel, and `kit` belongs to the engine."""
    linked = [link.resolve() for part in PARTS for link in part.glob("pytest_cuabench_*/*/*")]
    there = {path for kind in ("suites", "environments", "fixtures") for path in (ROOT / kind).iterdir()}
    folders = {path for path in there if path.is_dir() and any(path.iterdir())}
    assert len(linked) == len(set(linked))
    assert set(linked) == folders - {ROOT / "environments" / "kit"}


@pytest.mark.parametrize("name", ["LICENSE", "NOTICE"])
def test_each_wheel_has_the_licence(name: str) -> None:
    """The copies that the wheels' folders hold are the project's."""
    assert {(part / name).read_text(encoding="utf-8") for part in PARTS} == {
        (ROOT / name).read_text(encoding="utf-8")
    }


def test_wheels_ask_for_each_other_in_this_version() -> None:
    """The engine's extra `suites` names every wheel, and each asks for the engine, all in the engine's version."""
    engine = metadata(ROOT)
    pinned = [f"{metadata(part)['name']}=={engine['version']}" for part in PARTS]
    assert sorted(engine["optional-dependencies"]["suites"]) == sorted(pinned)
    for part in PARTS:
        (needed,) = map(Requirement, metadata(part)["dependencies"])
        assert (needed.name, str(needed.specifier)) == ("pytest-cuabench", f"=={engine['version']}")
        assert needed.extras <= set(engine["optional-dependencies"])


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_wheels_bring_what_their_worlds_require(part: Path) -> None:
    """What `environment.toml` says that a world requires is installed with its wheel."""
    (needed,) = map(Requirement, metadata(part)["dependencies"])
    needed = Requirement(f"pytest-cuabench[{','.join(needed.extras)}]")
    brought = {package.name.lower() for package in closure({}, [needed])}
    for file in part.glob("pytest_cuabench_*/environments/*/environment.toml"):
        for wanted in tomllib.loads(file.read_text(encoding="utf-8")).get("requires", ()):
            assert Requirement(wanted).name.lower() in brought, f"{file}: {wanted}"


def test_the_engine_asks_for_little() -> None:
    """The engine has at most ten hard dependencies."""
    assert len(metadata(ROOT)["dependencies"]) <= MOST_DEPENDENCIES


@pytest.mark.slow
def test_what_the_engine_holds(wheel: Path) -> None:
    """The engine's wheel is small, and holds profiles, the kit and report assets, but no suite, test or cache."""
    names = names_in(wheel)
    about = message_from_bytes(zipfile.ZipFile(wheel).read(next(n for n in names if n.endswith("/METADATA"))))
    hard = [name for name in about.get_all("Requires-Dist", ()) if "extra ==" not in name]

    assert wheel.stat().st_size < MOST_BYTES
    assert len(hard) <= MOST_DEPENDENCIES
    library = {name.split("/")[2] for name in names if name.startswith("pytest_cuabench/_library/")}
    assert library == {"agents", "environments"}
    assert "pytest_cuabench/_library/environments/kit/worldkit/control.py" in names
    assert "pytest_cuabench/py.typed" in names
    assert any(name.startswith("pytest_cuabench/reporting/page/assets/vendor/chart.js") for name in names)
    assert not [name for name in names if name.startswith("tests/") or "__pycache__" in name]


@pytest.mark.slow
@pytest.mark.parametrize("part", [ROOT, *PARTS], ids=lambda part: part.name)
def test_a_source_distribution_makes_the_same_wheel(part: Path, built: Path, tmp_path: Path) -> None:
    """A wheel that is built from the source distribution holds the same files."""
    name = metadata(part)["name"].replace("-", "_")
    with tarfile.open(next(built.glob(f"{name}-*.tar.gz"))) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()

    assert names_in(build(source, tmp_path)) == names_in(next(built.glob(f"{name}-*.whl")))


@pytest.mark.slow
def test_the_engine_brings_the_console_script(python: Callable[..., Path], tmp_path: Path) -> None:
    """`cuabench` is installed beside Python, and says how to get the shipped worlds."""
    asked = run(python().with_name("cuabench"), "world", "clinic", cwd=tmp_path, check=False)

    assert asked.returncode == 2
    assert asked.stderr.startswith("cuabench world: no world named 'clinic'; known: none ")
    assert asked.stderr.endswith("; type: pip install 'pytest-cuabench[suites]'\n")


@pytest.mark.slow
def test_the_engine_says_how_to_get_a_suite(python: Callable[..., Path], tmp_path: Path) -> None:
    """A suite that is not installed is refused with what to type."""
    refused = run(python(), "-m", "pytest", "--cua-suite=medcua", cwd=tmp_path, check=False)

    assert refused.returncode == 4
    assert (
        "no suite named 'medcua'; known: none; type: pip install 'pytest-cuabench[suites]'" in refused.stderr
    )


@pytest.mark.slow
def test_the_engine_alone_plays_an_own_application(python: Callable[..., Path], tmp_path: Path) -> None:
    """The files of docs/start/app.md are proved and played with nothing but the engine installed."""
    page = (ROOT / "docs" / "start" / "app.md").read_text(encoding="utf-8")
    for name, text in re.findall(r'```\w+ title="([^"]+)"\n(.*?)```', page, re.DOTALL):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    for options, told in ((["--cua-audit"], " passed"), (["--agent=oracle"], "1 passed")):
        command = (python(), "-m", "pytest", "mine", *options, "-p", "no:cacheprovider")
        played = run(*command, cwd=tmp_path, check=False)
        assert played.returncode == 0, played.stdout + played.stderr
        assert told in played.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "suite", "instance", "programs"),
    [
        ("medcua", "medcua", "print_wristband-step", ()),
        ("scuba", "scuba", "admin_001_001-zero_shot", ()),
        ("miniwob", "miniwob", "click_test-page", ()),
        ("desktops", "scienceboard", "store_conjugate", ("Xvfb", "openbox", "bwrap", "kalgebra")),
    ],
)
def test_each_wheel_plays_an_instance(
    part: str,
    suite: str,
    instance: str,
    programs: tuple[str, ...],
    python: Callable[..., Path],
    tmp_path: Path,
) -> None:
    """In an empty folder, a suite's wheel and the engine play an instance with the reference solution."""
    if absent := [name for name in programs if shutil.which(name) is None]:
        pytest.skip(f"{', '.join(absent)} is not installed; type: scripts/install --dev")
    played = run(
        *(python(part), "-m", "pytest", f"--cua-suite={suite}", "--agent=oracle", "-k", instance),
        *("-p", "no:cacheprovider", "--maxfail=1"),
        cwd=tmp_path,
        check=False,
    )

    assert played.returncode == 0, played.stdout + played.stderr
    assert "1 passed" in played.stdout
    assert str(ROOT) not in played.stdout
    assert list(tmp_path.glob("reports/*/report.html"))
