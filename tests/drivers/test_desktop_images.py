"""What images of desktops are made from: one list of packages, kernel modules in order, a ram disk for kernels."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.commands.cli import main
from pytest_cuabench.task.library import ENVIRONMENTS

DESKTOP = ENVIRONMENTS / "desktop"


def in_builder(code: str, *arguments: str) -> Any:
    """Return what a piece of code prints as JSON, run where the builder is."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": str(DESKTOP), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_packages_of_applications() -> None:
    """What an application says that it needs is what its group installs."""
    groups = in_builder("import json; from image.packages import groups; print(json.dumps(groups()))")
    code = "import json; from guest import applications as a; print(json.dumps(a.availability()))"
    for name, about in in_builder(code).items():
        wanted = set(about["packages"]) - set(groups["base"])
        assert wanted <= set(groups.get(name, ())), name


@pytest.mark.skipif(shutil.which("awk") is None, reason="there is no awk; type: apt-get install mawk")
def test_dockerfile_reads_the_same_list() -> None:
    """The Dockerfile's own reading of the list finds what the builder finds."""
    text = (DESKTOP / "Dockerfile").read_text()
    program = re.search(r"'(/\^\[a-z\].*\})' /tmp/packages\.txt", text)
    assert program
    found = subprocess.run(
        ["awk", "-v", "wanted= base kalgebra grass ", program[1], str(DESKTOP / "image/packages.txt")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    code = (
        "import json; from image.packages import packages as p; print(json.dumps(p(['kalgebra', 'grass'])))"
    )
    assert sorted(found) == sorted(in_builder(code))


def test_everything_can_be_chosen() -> None:
    """The Dockerfile's own choice is everything that can be chosen."""
    code = "import json; from image.packages import choosable; print(json.dumps(choosable()))"
    assert f'ARG APPLICATIONS="{" ".join(in_builder(code))}"' in (DESKTOP / "Dockerfile").read_text()


def test_what_debian_lacks() -> None:
    """What comes from the registry of Python is no Debian package; builder and Dockerfile put it into its folder."""
    code = (
        "import json; from image.packages import from_pypi, packages\n"
        "print(json.dumps([from_pypi(['anki', 'zim']), packages(['anki', 'zim'])]))"
    )
    wanted, debian = in_builder(code)
    assert list(wanted) == ["anki"]
    assert wanted["anki"][0].startswith("aqt[qt6]==")
    assert "zim" in debian
    assert not [package for package in debian if ":" in package]
    layout = in_builder("import json; from image import layout; print(json.dumps(layout.APPLICATIONS))")
    assert (
        in_builder("import json; from guest import places; print(json.dumps(places.APPLICATIONS))") == layout
    )
    assert f'--target "{layout}/$name"' in (DESKTOP / "Dockerfile").read_text()


@pytest.mark.skipif(shutil.which("awk") is None, reason="there is no awk; type: apt-get install mawk")
def test_dockerfile_finds_what_debian_lacks() -> None:
    """The Dockerfile's own reading finds what the builder finds."""
    program = re.search(
        r"'(index[^']*print \$1, \$2 \})' /tmp/packages\.txt", (DESKTOP / "Dockerfile").read_text()
    )
    assert program
    found = subprocess.run(
        ["awk", "-v", "wanted= zim anki ", program[1], str(DESKTOP / "image/packages.txt")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    code = "import json; from image.packages import from_pypi; print(json.dumps(from_pypi(['anki', 'zim'])))"
    assert found == [f"{name} {one}" for name, needed in in_builder(code).items() for one in needed]


def test_applications_are_collected(tmp_path: Path) -> None:
    """Each application gets a folder of its own, with wheels only."""
    code = (
        "import json, sys; from pathlib import Path; from image import libraries\n"
        "calls = []\n"
        "libraries.run = lambda argv, log: calls.append([str(part) for part in argv])\n"
        "libraries.collect_applications(Path(sys.argv[1]), {'anki': ('aqt[qt6]',)}, Path('log'))\n"
        "print(json.dumps(calls))\n"
    )
    (call,) = in_builder(code, str(tmp_path / "applications"))
    assert call[call.index("--target") + 1] == str(tmp_path / "applications/anki")
    assert "--only-binary=:all:" in call
    assert call[-1] == "aqt[qt6]"
    assert (tmp_path / "applications").is_dir()


def test_ram_disk(tmp_path: Path) -> None:
    """A module comes after those that it needs, and the ram disk is an archive of the kernel's format."""
    needs = {
        "virtio_pci": "virtio,virtio-ring", "virtio": "virtio_ring", "virtio_ring": "", "virtio_blk": "virtio",
        "crc32c_generic": "", "ext4": "jbd2", "jbd2": "", "virtio_net": "virtio", "qemu_fw_cfg": "", "bochs": "drm",
        "drm": "", "unwanted": "",
    }  # fmt: skip
    with tarfile.open(tmp_path / "kernel.tar", "w") as archive:
        for name, depends in needs.items():
            content = b"\x7fELF\0depends=" + depends.encode() + b"\0name=x\0"
            member = tarfile.TarInfo(f"./lib/modules/6/kernel/{name.replace('_', '-')}.ko")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    code = (
        "import json, sys, tarfile; from pathlib import Path; from image import initrd, modules\n"
        "with tarfile.open(sys.argv[1]) as archive: found = modules.closure(archive)\n"
        "initrd.write(Path(sys.argv[2]), b'#!init', b'busybox', found)\n"
        "print(json.dumps(list(found)))\n"
    )
    order = in_builder(code, str(tmp_path / "kernel.tar"), str(tmp_path / "initrd.gz"))
    assert "unwanted" not in order
    for name, depends in needs.items():
        for needed in filter(None, depends.replace("-", "_").split(",")):
            assert order.index(needed) < order.index(name)
    archive_bytes = gzip.decompress((tmp_path / "initrd.gz").read_bytes())
    assert len(archive_bytes) % 4 == 0
    names = dict(_members(archive_bytes))
    assert names["init"] == b"#!init"
    assert names["modules"].decode().split() == order
    assert list(names)[-1] == "TRAILER!!!"


def _members(content: bytes) -> Any:
    """Yield name and content of each member of a `newc` archive, as the format's description has it."""
    at = 0
    while at < len(content):
        assert content[at : at + 6] == b"070701"
        fields = [int(content[at + 6 + 8 * n : at + 14 + 8 * n], 16) for n in range(13)]
        size, length = fields[6], fields[11]
        name = content[at + 110 : at + 110 + length - 1].decode()
        start = -(-(at + 110 + length) // 4) * 4
        yield name, content[start : start + size]
        at = -(-(start + size) // 4) * 4
        if name == "TRAILER!!!":
            return


def test_unknown_application(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """An application that is no group is refused with those that are."""
    assert main(["image", "docker", "--with", "doom", "--folder", str(tmp_path)]) == 2
    assert "nothing is named doom; choose from kalgebra, texstudio, grass" in capfd.readouterr().err


def test_packages_of_the_plugin() -> None:
    """The image that plays has a browser, and a desktop only where an application is chosen."""
    code = (
        "import json; from image.plugin import debian; print(json.dumps([debian(()), debian(('kalgebra',))]))"
    )
    alone, with_desktop = in_builder(code)
    assert "chromium-headless-shell" in alone
    assert "xvfb" not in alone
    assert {*alone, "xvfb", "kalgebra"} <= set(with_desktop)


def test_suites_of_the_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Suites are copied to the same places, without settings of this computer and what was made by running."""
    monkeypatch.chdir(tmp_path)
    for name in ("suites/mine/suite.toml", "suites/mine/.env", "suites/.git/config", "agent.toml"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("text")
    code = (
        "import json, sys; from pathlib import Path; from image.plugin import copy\n"
        "copy([Path('suites'), Path('agent.toml'), Path('suites/mine')], Path('bench'))\n"
        "print(json.dumps(sorted(str(file) for file in Path('bench').rglob('*') if file.is_file())))\n"
    )
    assert in_builder(code) == ["bench/agent.toml", "bench/suites/mine/suite.toml"]


def test_how_the_plugin_is_collected(tmp_path: Path) -> None:
    """Sources become wheels first; a released version is a requirement; both get the suites and the extras."""
    code = (
        "import json, sys; from pathlib import Path; from image import plugin\n"
        "calls = []\n"
        "def run(argv, log):\n"
        "    calls.append(' '.join(str(one) for one in argv if str(one).startswith((sys.argv[1], 'pytest'))))\n"
        "    if 'wheel' in argv:\n"
        "        for name in ('', '_medcua'):\n"
        "            (Path(sys.argv[1]) / f'wheels/pytest_cuabench{name}-1.whl').touch()\n"
        "plugin.run = run\n"
        "for source in (sys.argv[1], 'pytest-cuabench==7.1'):\n"
        "    plugin.collect(Path(sys.argv[1]) / 'site', source, ['s3', 'anthropic'], Path('log'))\n"
        "print(json.dumps(calls))\n"
    )
    medcua = tmp_path / "wheels" / "medcua"
    medcua.mkdir(parents=True)
    (medcua / "pyproject.toml").touch()
    wheel = f"pytest-cuabench[suites,s3,anthropic] @ {(tmp_path / 'wheels/pytest_cuabench-1.whl').as_uri()}"
    assert in_builder(code, str(tmp_path)) == [
        f"{tmp_path}/wheels {tmp_path} {medcua}",
        f"{tmp_path}/site {tmp_path}/wheels/pytest_cuabench_medcua-1.whl {wheel}",
        f"{tmp_path}/site pytest-cuabench[suites,s3,anthropic]==7.1",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["plugin", "docker"], "plugin cannot be built together with docker or vm"),
        (["docker", "--extras=s3"], "--extras and --suite are for the plugin's image"),
        (
            ["plugin", "--extras=s3,floppy"],
            "--extras: no extra is named floppy; choose from ",
        ),
        (["plugin", "--suite=nowhere"], "--suite: there is no nowhere"),
        (["plugin", "--suite=/usr"], "--suite: /usr is not below the current folder"),
        (["plugin", "--suite=."], "--suite: . is not below the current folder"),
    ],
)
def test_wrong_arguments_of_the_plugin(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What does not fit is refused in one sentence before anything is built."""
    assert main(["image", *arguments]) == 2
    assert sentence in capsys.readouterr().err


def test_missing_builder(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that is not installed is told with the command that installs it, and nothing is left."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    code = (
        "import json; from pathlib import Path; from image import bootstrap; from image.tools import BuildError\n"
        f"try: bootstrap.unpacked(['x'], Path({str(tmp_path / 'x.tar')!r}), Path({str(tmp_path / 'log')!r}))\n"
        "except BuildError as error: print(json.dumps(str(error)))\n"
    )
    assert in_builder(code) == "mmdebstrap is not installed; type: apt-get install mmdebstrap"
    assert not (tmp_path / "x.tar").exists()
