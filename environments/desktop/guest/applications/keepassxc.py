"""KeePassXC from Debian: its databases as its own command line exports them, and its settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from guest import reading, steps
from guest.applications import declared
from guest.applications.base import Desk
from guest.data import Collections, Launch, SetupError, Step
from guest.reading import READY

_CLI = "keepassxc-cli"
_VERBS = {"vault": {"path": str, "password": str, "xml": str}}
_SETTINGS_FILE = ".config/keepassxc/keepassxc.ini"
_SETTINGS = """\
[General]
ConfigVersion=2

[GUI]
CheckForUpdates=false
CheckForUpdatesNextCheck=0
"""
_VOLATILE = (  # what it writes by itself
    "keepassxc.ini/General:Last*",
    "keepassxc.ini/KeeShare:*",  # a key of its own
    "keepassxc.ini/Browser:CustomProxyLocation",
    "keepassxc.ini/GUI:TrayIconAppearance",
    "keepassxc.ini/PasswordGenerator:*",
)
_ABOUT = ("Cipher", "KDF")
_LONGEST = 16 * 1024 * 1024  # bytes of a database
_TABLES = {"settings": {"files": [_SETTINGS_FILE], "format": "ini", "without": _VOLATILE}}
# The first line of the input is the password, the rest the database.
_READ = f"""\
printf '{READY}'
IFS= read -r password && folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cat >"$folder/vault" &&
printf '%s\\n' "$password" | "$@" "$folder/vault"
"""


class KeePassXC:
    """The password manager with the database that `{"do": "vault", ...}` describes; it is locked at first."""

    name = "keepassxc"
    packages = ("keepassxc",)
    programs = (
        "/usr/bin/keepassxc",
        "/usr/bin/keepassxc-cli",
        "/usr/share/keepassxc/docs/KeePassXC_UserGuide.html",
    )

    async def prepare(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Write the settings, and make the database.

        Raises:
            SetupError: A step is not understood, or the XML is no database.
        """
        desktop.write(_SETTINGS_FILE, _SETTINGS)
        for step in steps.own(setup, _VERBS):
            desktop.write(".vault.xml", step["xml"])
            twice = f"{step['password']}\n" * 2
            made = await desktop.run(
                [_CLI, "import", "-q", "-p", "-t", "100", ".vault.xml", step["path"]], stdin=twice.encode()
            )
            await desktop.run(["rm", ".vault.xml"])
            if made.code:
                raise SetupError(f"setup step vault: {made.err.decode(errors='replace').strip()[:300]}")

    def launch(self, desktop: Desk, setup: Sequence[Step]) -> Launch:
        """Return the command with the database."""
        paths = [desktop.inside(step["path"]) for step in setup if step["do"] == "vault"]
        return Launch(("keepassxc", *paths))

    async def ready(self, desktop: Desk) -> str | None:
        """Return what is missing: the window."""
        return None if await desktop.find('frame[name*="KeePassXC"]') else "there is no window yet"

    async def arrange(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Do nothing: the database is a file."""

    async def state(self, desktop: Desk) -> Collections:
        """Return what the database and the settings hold, as they are saved."""
        vaults = [
            step for step in (desktop.episode.setup if desktop.episode else ()) if step["do"] == "vault"
        ]
        jobs = declared.jobs(desktop, _TABLES)
        facts: dict[str, Mapping[str, str]] = {}
        for step in vaults:
            job, facts[step["path"]] = await _exported(desktop, step["path"], step["password"])
            jobs.append(job)
        found = await reading.collections(jobs)
        for path, row in found.get("database", {}).items():
            row |= facts.get(path, {})
        return found


async def _exported(desktop: Desk, path: str, password: str) -> tuple[reading.Job, Mapping[str, str]]:
    """Return a database as its own command line exports it, and facts about it; or why it cannot be opened."""
    name = f"database/{path}"
    try:
        vault = desktop.read(path, _LONGEST)
        exported = await _told(desktop, vault, password, "export", "-q", "-f", "xml")
        about = (await _told(desktop, vault, password, "db-info", "-q")).decode(errors="replace")
    except OSError as error:
        return reading.Job("", name, "unreadable", (error.strerror or str(error)).encode()), {}
    except reading.Unread as error:
        return reading.Job("", name, "unreadable", str(error).encode()), {}
    lines = (line.partition(": ") for line in about.splitlines())
    facts = {
        word.strip(): value.partition("(")[0].strip() for word, _, value in lines if word.strip() in _ABOUT
    }
    return reading.Job("", name, "vault", exported), facts


async def _told(desktop: Desk, vault: bytes, password: str, *command: str) -> bytes:
    """Return what the command line says of a copy of a database.

    Raises:
        Unread: It cannot open it, or needs too long.
    """
    argv = ["/bin/sh", "-c", _READ, "sh", _CLI, *command]
    return await reading.run_reader(desktop.box, argv, password.encode() + b"\n" + vault)


APPLICATION = KeePassXC()
