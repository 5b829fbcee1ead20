"""Finds the packages with checks and solutions wherever Python's libraries lie: the plugin and its extensions.

Standard library only and no other module of this package, because the plugin loads it, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import Distribution, EntryPoint, distributions
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

_PLUGIN = "pytest_cuabench"  # also the beginning of its groups of entry points
_LIBRARIES = [f"{above}{lib}/py*3*/*-packages" for above in ("", "*/", "*/*/") for lib in ("lib", "lib64")]
_SUITES = ("*/suite.toml", "*/*/suite.toml")


@cache
def secret(root: Path) -> frozenset[Path]:
    """Return the folders that hold the plugin, packages that extend it, or suites, of this Python and below a folder.

    Links are resolved. An editable installation brings the folder of its sources as well as its package.
    """
    return frozenset(path.resolve() for path in _secret(root) if path.is_dir())


def _secret(root: Path) -> Iterator[Path]:
    yield from _named(distributions())
    for pattern in _LIBRARIES:
        for library in root.glob(pattern):
            yield from library.glob(f"{_PLUGIN}*")
            yield from _named(distributions(path=[str(library)]), library)
            yield from (file.parent for pattern in _SUITES for file in library.glob(pattern))


def _named(packages: Iterable[Distribution], library: Path | None = None) -> Iterator[Path]:
    """Yield the folders of distributions that have entry points for the plugin, also of those installed editable.

    Args:
        library: Where their packages lie; without one this Python finds them.
    """
    for package in packages:
        ours = [entry for entry in package.entry_points if _extends(entry)]
        if ours:
            yield from _sources(package)
        for name in {entry.value.partition(":")[0].partition(".")[0] for entry in ours}:
            if library is not None:
                yield library / name
            else:
                with suppress(ImportError, ValueError, AttributeError):
                    spec = find_spec(name)
                    yield from map(Path, (spec and spec.submodule_search_locations) or ())


def _extends(entry: EntryPoint) -> bool:
    """Whether an entry point is one for the plugin, or for pytest by the plugin itself."""
    return entry.group.startswith(f"{_PLUGIN}.") or (
        entry.group == "pytest11" and entry.value.startswith(_PLUGIN)
    )


def _sources(package: Distribution) -> Iterator[Path]:
    """Yield where the sources of an editable installation lie."""
    with suppress(ValueError, TypeError, AttributeError):
        url = urlsplit(json.loads(package.read_text("direct_url.json") or "{}").get("url", ""))
        if url.scheme == "file":
            yield Path(unquote(url.path))
