"""What needs more than the engine's own packages says so in one sentence, and nothing else needs it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from pytest_cuabench.drivers.worlds import World, WorldSpec
from pytest_cuabench.errors import Missing
from wheels import ROOT, closure

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MODULES = {  # of an extra's packages, where they have another name
    "google-genai": "google.genai",
    "opentelemetry-exporter-otlp-json-common": "opentelemetry",
    "opentelemetry-sdk": "opentelemetry",
    "openinference-semantic-conventions": "openinference",
    "rapidocr-onnxruntime": "rapidocr_onnxruntime",
    "qemu-qmp": "qemu",
    "qemu.qmp": "qemu",
    "dbus-fast": "dbus_fast",
    "python-multipart": "multipart",
    "python-docx": "docx",
    "python-pptx": "pptx",
    "mlflow-skinny": "mlflow",
    "genai-prices": "genai_prices",
    "skyfield-data": "skyfield_data",
    "python-xlib": "Xlib",
    "lxml": "lxml",
}
HIDE = "import sys; sys.modules.update(dict.fromkeys({hidden!r}));"
PYTEST = "import pytest; raise SystemExit(pytest.main({arguments!r}))"
CLI = "from pytest_cuabench.commands.cli import main; raise SystemExit(main({arguments!r}))"
SUITE = "--cua-suite=medcua"
NOOP = ["-rs", SUITE, "--agent=noop", "-k", "print_wristband-step"]


def packages(extra: str) -> list[str]:
    """Return the modules that an extra brings beside the engine's own dependencies, and what brings them along."""
    own = {found.name for found in closure({}, map(Requirement, PROJECT["dependencies"]))}
    listed = [Requirement(text) for text in PROJECT["optional-dependencies"][extra]]
    named = {one.name for one in listed if one.name != PROJECT["name"]}
    inner = {
        name
        for one in listed
        if one.name == PROJECT["name"]
        for part in one.extras
        for name in packages(part)
    }
    return sorted({MODULES.get(name, name) for name in named - own} | inner)


def everything() -> list[str]:
    """Return the modules of all extras."""
    return sorted(
        {name for extra in PROJECT["optional-dependencies"] if extra != "suites" for name in packages(extra)}
    )


def hiding(
    hidden: list[str], code: str, arguments: list[str], folder: Path
) -> subprocess.CompletedProcess[str]:
    """Run Python where modules cannot be imported."""
    script = HIDE.format(hidden=hidden) + code.format(arguments=arguments)
    return subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )


def program(door: str, folder: Path) -> str:
    """Return `--agent` for a program that uses a door."""
    text = f'adapter = "program"\n[options]\ncommand = ["true"]\ndoor = "{door}"\n'
    (folder / f"{door}.toml").write_text(text, encoding="utf-8")
    return f"--agent={door}.toml"


@pytest.mark.parametrize(
    ("extra", "code", "arguments", "feature"),
    [
        ("audit", PYTEST, [SUITE, "--cua-audit", "-k", "print_wristband"], "--cua-audit of medcua"),
        ("watch", PYTEST, [*NOOP, "--cua-watch"], "--cua-watch"),
        ("watch", CLI, ["watch"], "`cuabench watch`"),
        ("worlds", "import pytest_cuabench.testing.probe_page", [], "the probe page"),
        ("anthropic", PYTEST, [SUITE, "--agent=claude"], "agent 'claude'"),
        ("openai", PYTEST, [SUITE, "--agent=openai"], "agent 'openai'"),
        ("gemini", PYTEST, [SUITE, "--agent=gemini"], "agent 'gemini'"),
        ("ocr", PYTEST, [SUITE, "--agent=ocr"], "agent 'ocr'"),
        (
            "desktop",
            PYTEST,
            ["-rs", "--cua-suite=scienceboard", "--agent=noop", "-k", "kalgebra"],
            "a desktop",
        ),
        (
            "docker",
            PYTEST,
            ["-rs", "--cua-suite=scienceboard", "--agent=noop", "--cua-world=desktop=docker"],
            "a desktop in",
        ),
        ("ray", PYTEST, [*NOOP, "-n1", "--cua-cluster=local"], "--cua-cluster"),
        ("openenv", CLI, ["serve", "medcua"], "the server"),
        ("gym", "import pytest_cuabench.serving.gym", [], "pytest_cuabench.serving.gym"),
    ],
)
def test_a_feature_names_its_extra(
    extra: str,
    code: str,
    arguments: list[str],
    feature: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without the packages of its extra, a feature says in one sentence what to type."""
    for key in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(key, "none")
    asked = hiding(packages(extra), code, arguments, tmp_path)

    told = [
        line for line in (asked.stdout + asked.stderr).splitlines() if f"pytest-cuabench[{extra}]'" in line
    ]
    assert told, asked.stdout + asked.stderr
    assert feature in told[-1]
    assert "needs the package" in told[-1]
    assert asked.returncode != 0 or "skipped" in asked.stdout


@pytest.mark.parametrize("door", ["http", "mcp", "cdp", "ssh", "vnc"])
def test_a_door_names_its_extra(door: str, tmp_path: Path) -> None:
    """Without its packages, an agent that is a program says what its door needs."""
    extra = {"http": "programs"}.get(door, door)
    hidden = set(packages(extra)) - (set() if door == "http" else set(packages("programs")))
    asked = hiding(sorted(hidden), PYTEST, [SUITE, program(door, tmp_path)], tmp_path)

    assert asked.returncode == 4, asked.stdout + asked.stderr
    assert f"type: pip install 'pytest-cuabench[{extra}]'" in asked.stderr


def test_what_needs_no_extra(tmp_path: Path) -> None:
    """Listing a suite, planning a run and reading a report's figures work without any extra."""
    listed = hiding(everything(), PYTEST, [*NOOP, "--cua-dry-run"], tmp_path)
    assert listed.returncode == 0, listed.stdout + listed.stderr
    imported = hiding(
        everything(), "import pytest_cuabench.reporting.page, pytest_cuabench.gate.judge", [], tmp_path
    )
    assert imported.returncode == 0, imported.stderr


def test_a_world_names_what_it_requires(tmp_path: Path) -> None:
    """A world whose `requires` is not installed says what to type, and nothing is started."""
    spec = WorldSpec("todo", "todo", tmp_path, tmp_path, requires=("pytest>=9", "no-such-package>=3"))

    with pytest.raises(
        Missing, match=r"^the world todo needs more packages; type: pip install 'no-such-package>=3'$"
    ):
        asyncio.run(World(spec).applications())
