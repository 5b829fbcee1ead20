"""Fetch again what the report, the org's pages and the documentation carry from npm; each file is put in place only
where it is what the `vendor.toml` beside it says.

    scripts/vendor            the versions that are written down
    scripts/vendor --check    fetch nothing; are the files in place the ones that are written down?

To move to a newer version, write it into `vendor.toml`, run this once to be told the hashes it finds, look at
what changed, and write them down.
"""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDERS = (
    ROOT / "pytest_cuabench" / "reporting" / "page" / "assets" / "vendor",
    ROOT / "environments" / "salesforce" / "salesforce_org" / "static" / "vendor",
    ROOT / "docs" / "assets" / "vendor",
)


def packages(folder: Path) -> dict[str, dict[str, Any]]:
    """Return what a folder's `vendor.toml` says of each package."""
    return tomllib.loads((folder / "vendor.toml").read_text(encoding="utf-8"))


def sha256(content: bytes) -> str:
    """Return the hash in which files are written down."""
    return hashlib.sha256(content).hexdigest()


def integrity(content: bytes) -> str:
    """Return the hash in which npm names an archive."""
    return "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()


def fetch(name: str, package: dict[str, Any]) -> dict[str, bytes]:
    """Return the wanted files of a package as the registry has it, by the names they get here.

    Raises:
        SystemExit: It is not what is written down.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", "--silent", f"{name}@{package['version']}"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        archive = next(Path(folder).glob("*.tgz"))
        if (found := integrity(archive.read_bytes())) != package["integrity"]:
            raise SystemExit(f"{name} {package['version']} has the integrity {found}; look at what it is")
        with tarfile.open(archive) as files:
            return {
                own: files.extractfile(f"package/{file['from']}").read()  # type: ignore[union-attr]
                for own, file in package["files"].items()
            }


def wrong(package: dict[str, Any], contents: dict[str, bytes]) -> list[str]:
    """Return a sentence for each file that is not what is written down."""
    return [
        f"{name} has the hash {sha256(contents[name])}, not {file['sha256']}"
        for name, file in package["files"].items()
        if sha256(contents[name]) != file["sha256"]
    ]


def main(arguments: list[str]) -> int:
    """Fetch or check; 1 where something is not what is written down."""
    problems: list[str] = []
    checks = arguments == ["--check"]
    for folder in FOLDERS:
        for name, package in packages(folder).items():
            if checks:
                contents = {own: (folder / own).read_bytes() for own in package["files"]}
            else:
                contents = fetch(name, package)
            found = wrong(package, contents)
            problems += found
            for own, content in contents.items() if not (found or checks) else ():
                (folder / own).write_bytes(content)
            print(
                f"{name} {package['version']} ({package['licence']}): {'; '.join(found) or 'as written down'}"
            )
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
