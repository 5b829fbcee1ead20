"""Folders of applications that are read over a channel, so that no code of an agent gets into them by a file.

They see some folders of HOME that no other programs see, and can load no library from where programs can write.
Only a box of bubblewrap can do so; with another user's box all programs share one view of the files.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from guest import applications, safe_files
from guest.applications.base import InTree, Private
from guest.box import Box
from guest.mounts import without_programs
from guest.places import Place


@dataclass(frozen=True, slots=True)
class Sealed:
    """The folders of one desktop.

    Attributes:
        state: The supervisor's folder.
        pristine: What HOME has at first.
    """

    box: Box
    state: Path
    pristine: Path

    def root(self, relative: str) -> Path:
        """Return the folder of the supervisor that a path below HOME begins from."""
        first = Path(relative).parts[:1]
        private = self._applies and first and first[0] in _folders()
        return self._private if private else self.box.places.home.host

    def empty(self) -> None:
        """Make the private folders as they are at first."""
        if self._applies:
            for name in _folders():
                if (self.pristine / name).is_dir():
                    shutil.copytree(self.pristine / name, self._private / name, symlinks=True)
                else:
                    (self._private / name).mkdir(parents=True)
        for application in applications.discover().values():
            if isinstance(application, InTree):
                own = self.root(application.settings) / application.settings / "config"
                shutil.copytree(self.pristine / ".config", own)
        if self._applies:
            self.box.own(self._private)

    def environment(self, application: InTree) -> dict[str, str]:
        """Return the variables by which an application finds its own settings."""
        own = f"{self.box.places.home.inside}/{application.settings}"
        return {f"XDG_{name.upper()}_HOME": f"{own}/{name}" for name in ("config", "data", "cache", "state")}

    def binds(self, application: Private) -> list[Place]:
        """Return what takes the place of folders in the box of an application.

        Raises:
            OSError: A program has put something else where a private folder belongs.
        """
        if not self._applies:
            return []
        places, space = self.box.places, self.box.places.space
        shown = without_programs(self.state)
        shared = [
            replace(place, host=shown / place.host.relative_to(space))
            for place in (places.home, places.tmp, places.shm, places.runtime)
            if shown.is_dir()
        ]
        for name in application.private:
            safe_files.make_folder(places.home.host, name)
            self.box.own(places.home.host / name)
        base = shown if shown.is_dir() else space
        own = [
            Place(base / self._private.relative_to(space) / name, f"{places.home.inside}/{name}")
            for name in application.private
        ]
        return [*shared, replace(places.sockets, writable=False), *own]  # these lie in /tmp

    def unreadable(self, application: InTree) -> list[Place]:
        """Return a copy of an application's program that its user may run but not read, in the place of the program.

        The kernel lets no other process of this user look into one that runs it.
        """
        if not self._applies:
            return []
        copy = self.state / "given" / "unreadable" / Path(application.executable).name
        if not copy.exists():
            copy.parent.mkdir(exist_ok=True)
            shutil.copyfile(application.executable, copy)
            copy.chmod(0o111)
        return [Place(copy, application.executable, writable=False)]

    @property
    def _applies(self) -> bool:
        return self.box.name == "bwrap"

    @property
    def _private(self) -> Path:
        return self.box.places.space / "private"


def _folders() -> set[str]:
    """Return the private folders of all applications."""
    known = applications.discover().values()
    return {name for application in known if isinstance(application, Private) for name in application.private}
