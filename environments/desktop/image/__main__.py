"""`python -m image docker vm`: build the images of a desktop, or one that plays (`plugin`); prints what it made."""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from image import bootstrap, container, libraries, plugin, vm
from image.packages import BASE, KERNEL, PLUGIN, choosable, from_pypi, groups, packages
from image.tools import BuildError

_HERE = Path(__file__).parent


def main(arguments: Sequence[str] | None = None) -> int:
    """Build what was asked for; 0 when it is there, 1 when it cannot be built, 2 when it was asked wrongly."""
    options = _parser().parse_args(arguments)
    wanted = choosable() if options.groups is None else options.groups
    chosen = tuple(group for group in choosable() if group in wanted)
    # On the disk of the images, not in /tmp: a system is a gigabyte or two.
    options.folder.mkdir(parents=True, exist_ok=True)
    log = options.folder / "build.log"
    log.unlink(missing_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix=".build-", dir=options.folder) as scratch:
            if options.kinds == [PLUGIN]:
                _build_plugin(options, Path(scratch), log)
            else:
                _build(options, chosen, Path(scratch), log)
    except BuildError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _build(options: argparse.Namespace, chosen: Sequence[str], scratch: Path, log: Path) -> None:
    system = scratch / "system.tar"
    _say(f"collecting the guest and its libraries (Python {bootstrap.PYTHON})")
    libraries.collect(scratch / "site", log)
    libraries.copy_code(scratch / "desktop")
    libraries.collect_applications(scratch / "applications", from_pypi(chosen), log)
    _say(f"bootstrapping Debian {bootstrap.RELEASE} with {', '.join((BASE, *chosen))}")
    bootstrap.system(packages(chosen), bootstrap.guest(scratch), system, log)
    if "docker" in options.kinds:
        _say(f"importing the container image {options.name}")
        container.build(system, options.name, chosen, recipe(chosen), log)
        _made(f"docker:{options.name}")
    if "vm" in options.kinds:
        _say("making the virtual machine's disk and kernel")
        kernel = scratch / "kernel.tar"
        bootstrap.unpacked(groups()[KERNEL], kernel, log)
        about = vm.About(chosen, recipe(chosen), libraries.code_digest())
        made = vm.build(system, kernel, options.folder / options.name, about, log)
        _made(f"qemu:{made}")


def _build_plugin(options: argparse.Namespace, scratch: Path, log: Path) -> None:
    # Desktops are left out unless they were asked for: most suites are played in Chromium.
    chosen = () if options.groups is None else options.groups
    _say(f"collecting the plugin, and Debian {bootstrap.RELEASE} with {', '.join((PLUGIN, *chosen))}")
    plugin.build(options.name, options.plugin, options.extras, options.suite, chosen, scratch, log)
    _made(options.name)


def recipe(chosen: Sequence[str]) -> str:
    """Return a digest of all that an image is made from, but for the versions of its packages."""
    digest = hashlib.sha256(
        " ".join(
            (
                *packages(chosen),
                *libraries.requirements(),
                *libraries.requirements("tools"),
                str(from_pypi(chosen)),
            )
        ).encode()
    )
    files = (*_HERE.glob("*.py"), *_HERE.joinpath("root").rglob("*.*"), *(_HERE.parent / "vm").iterdir())
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="image", description=__doc__)
    parser.add_argument("kinds", nargs="+", choices=("docker", "vm", PLUGIN), help="what to build")
    parser.add_argument("--with", dest="groups", type=_groups, metavar="LIST")
    parser.add_argument("--name", default="cuabench-desktop", help="the images' name")
    parser.add_argument("--folder", type=Path, required=True, help="where machines and the log are written")
    parser.add_argument("--plugin", help="its sources or requirement")
    parser.add_argument("--extras", nargs="*", default=[], help="of the plugin")
    parser.add_argument("--suite", type=Path, nargs="*", default=[], help="what the plugin's image plays")
    return parser


def _groups(text: str) -> tuple[str, ...]:
    chosen = tuple(filter(None, text.split(",")))
    if unknown := [group for group in chosen if group not in choosable()]:
        raise argparse.ArgumentTypeError(
            f"nothing is named {', '.join(unknown)}; choose from {', '.join(choosable())}"
        )
    return chosen


def _say(what: str) -> None:
    sys.stderr.write(f"{what} ...\n")
    sys.stderr.flush()


def _made(what: str) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
