"""A container image from a system's tar file: imported into the engine, without any registry."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from image.layout import DESKTOP, PORT, SITE, STATE, USER
from image.tools import run


def build(system: Path, name: str, groups: Sequence[str], recipe: str, log: Path) -> str:
    """Import a system under a name and return the name.

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
    options = [option for change in changes for option in ("--change", change)]
    run(("docker", "import", *options, system, name), log)
    return name
