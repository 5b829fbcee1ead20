"""A Debian system in a tar file, from the package mirrors that this machine uses itself."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from image.layout import APPLICATIONS, DESKTOP, HOME, SITE, STATE, USER, USER_ID
from image.tools import run

RELEASE = "bookworm"
PYTHON = "3.11"  # of that release
_ROOT = Path(__file__).with_name("root")  # laid over the system
_LEFT_OUT = ("/usr/share/doc/*", "/usr/share/info/*", "/usr/share/locale/*", "/usr/share/man/*")


def system(packages: Sequence[str], hooks: Sequence[str], target: Path, log: Path) -> None:
    """Write a system with these packages and a user, changed by these hooks of mmdebstrap.

    Raises:
        BuildError: A package cannot be had.
    """
    user = (
        f'mkdir -p "$1{HOME}"',
        f'chroot "$1" useradd --uid {USER_ID} --home-dir {HOME} --shell /bin/bash {USER}',
        f'chroot "$1" chown {USER}:{USER} {HOME}',
    )
    options = [f"--dpkgopt=path-exclude={pattern}" for pattern in _LEFT_OUT]
    options.append("--dpkgopt=force-unsafe-io")  # a build that the power goes out on is done again anyhow
    options += [f"--customize-hook={hook}" for hook in (*user, *hooks)]
    _bootstrap("minbase", packages, target, log, options)


def guest(parts: Path) -> tuple[str, ...]:
    """Return the hooks that put the guest and its libraries into a system.

    Args:
        parts: A folder with the guest's Python libraries (`site`), its code and the virtual machine's scripts
            (`desktop`), and the applications that are not Debian's (`applications`).
    """
    return (
        f'mkdir -p "$1{SITE}" "$1{DESKTOP}" "$1{APPLICATIONS}" "$1{STATE}"',
        f"sync-in {parts / 'site'} {SITE}",
        f"sync-in {parts / 'desktop'} {DESKTOP}",
        f"sync-in {parts / 'applications'} {APPLICATIONS}",
        f"sync-in {_ROOT} /",
        # Nothing can be compiled where nothing is written.
        f'chroot "$1" python3 -m compileall -q {DESKTOP} {SITE} {APPLICATIONS}',
        'chroot "$1" dbus-uuidgen > "$1/etc/machine-id"',  # a read-only system cannot make one when it starts
    )


def unpacked(packages: Sequence[str], target: Path, log: Path) -> None:
    """Write what some packages hold, without setting them up.

    Raises:
        BuildError: A package cannot be had.
    """
    _bootstrap("extract", packages, target, log, [])


def _bootstrap(
    variant: str, packages: Sequence[str], target: Path, log: Path, options: Sequence[str]
) -> None:
    sources = target.with_suffix(".list")
    sources.write_text("\n".join(_sources()) + "\n", encoding="utf-8")
    mirrors = [sources] if _sources() else []  # none of its own: mmdebstrap knows the usual ones
    run(
        (
            *("mmdebstrap", f"--variant={variant}", f"--include={','.join(packages)}"),
            *options,
            *(RELEASE, target),
            *mirrors,
        ),
        log,
        {"LC_ALL": "C.UTF-8"},
    )


def _sources() -> list[str]:
    """Return this machine's own mirrors of the release, security updates included; none on another system."""
    wanted = "$(ORIGIN)|$(CODENAME)|$(SITE)|$(COMPONENT)"
    try:
        told = subprocess.run(  # noqa: S603
            ("apt-get", "indextargets", "--format", wanted, "Created-By: Packages"),  # noqa: S607
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return []
    rows = [line.split("|") for line in told.splitlines()]
    return list(
        dict.fromkeys(
            f"deb {site} {codename} {component}"
            for origin, codename, site, component in rows
            if origin == "Debian" and codename.split("-")[0] == RELEASE and component == "main"
        )
    )
