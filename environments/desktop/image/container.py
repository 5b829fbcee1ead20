"""A container image from a system's tar file: imported into the engine, without any registry."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from image.layout import DESKTOP, PORT, SITE, STATE, USER
from image.tools import BuildError, run


def build(system: Path, name: str, groups: Sequence[str], recipe: str, log: Path) -> None:
    """Import a desktop's system under a name.

    Raises:
        BuildError: There is no engine, or it refuses.
    """
    changes = (
        f"ENV PYTHONPATH={DESKTOP}:{SITE} PYTHONDONTWRITEBYTECODE=1 LANG=C.UTF-8",
        'ENTRYPOINT ["/usr/bin/tini", "--", "/usr/bin/python3", "-m", "guest"]',
        f'CMD ["--listen", "0.0.0.0:{PORT}", "--token-file", "/run/secrets/cuabench", '
        f'"--confine", "user:{USER}", "--state", "{STATE}"]',
        f"LABEL cuabench.applications={','.join(groups) or '-'} cuabench.recipe={recipe}",
    )
    load(system, name, changes, log)


def load(system: Path, name: str, changes: Sequence[str], log: Path) -> None:
    """Import a system under a name, with these lines of a Dockerfile.

    Raises:
        BuildError: There is no engine, or it refuses.
    """
    options = [option for change in changes for option in ("--change", change)]
    replaced = _id(name)
    run(("docker", "import", *options, system, name), log)
    if replaced is not None and replaced != _id(name):
        with suppress(BuildError):  # a desktop may still run on it
            run(("docker", "image", "rm", replaced), log)


def _id(name: str) -> str | None:
    """Return an image's digest, None where the engine has none of this name or does not answer."""
    try:
        told = subprocess.run(  # noqa: S603
            ("docker", "image", "inspect", "--format", "{{.Id}}", name),  # noqa: S607
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return told.stdout.strip()
