"""Metadata components of a task: the new one that it asks for, and changes inside one that was there.

A component is a tree: elements by name, lists of entries among them. What a rule does not account for is a violation
(`work.py`), so a new component is claimed with all that its page fills in, and a list with each entry that may change.

    tab = new_component(work, "CustomTab", "Shoes", fullName="Shoe__c")      # judged by milestones: ANY
    work.claim(tab, "motif", customObject=True)                              # as the page fills it in
    work.free("metadata/CustomTab", description="the task names none")
    entries(work, "CustomApplication", "standard__Sales", "tabs", lambda old, new: new == "Shoe__c")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pytest_cuabench.drivers.salesforce.snapshot import METADATA

from .following import agrees
from .records import Row
from .work import Work

Asked = Callable[[Any, Any], bool]
_KEYS = ("fullName", "name", "field", "object", "tab", "application", "label", "valueName", "value")


def component(work: Work, kind: str, name: str) -> Row | None:
    """Return a component as it is now, by its full name."""
    return work.after.get(METADATA + kind, name)


def new_component(work: Work, kind: str, label: str, **wanted: Any) -> Row | None:
    """Return the new component with this label, the one that has most of what is wanted, and claim it.

    The wanted elements are judged by milestones; claim the rest with the values that the page fills in.
    """
    return work.closest(METADATA + kind, {"Name": label}, **wanted)


def entries(work: Work, kind: str, name: str, element: str, asked: Asked) -> list[tuple[Any, Any]]:
    """Account for changes of a list inside a component, and return each changed entry before and after.

    Args:
        work: What the episode did.
        kind: The metadata type.
        name: Full name of the component.
        element: The list.
        asked: Whether the task asks for the change of one entry, from the old to the new; None is no entry.

    Unless each change is asked for, and the other entries keep their order, nothing is accounted for.
    """
    before, after = (
        (state.get(METADATA + kind, name) or {}).get(element) or [] for state in (work.before, work.after)
    )
    old, new = ({_key(entry): entry for entry in found} for found in (before, after))
    changed = [
        (old.get(key), new.get(key)) for key in dict.fromkeys((*old, *new)) if old.get(key) != new.get(key)
    ]
    kept = [key for key in old if key in new] == [key for key in new if key in old]
    whole = (len(old), len(new)) == (len(before), len(after))
    if changed and kept and whole and all(asked(*pair) for pair in changed):
        work.may_change(METADATA + kind, name, element)
    return changed


def others(tree: Mapping[str, Any], *judged: str, **usual: Any) -> list[str]:
    """Return the elements of a tree that hold something else than usual; without it, false, nothing or empty."""
    known = {name: value for name, value in {**dict.fromkeys(tree), **usual}.items() if name not in judged}
    return [name for name, value in known.items() if not agrees(tree.get(name) or None, value or None)]


def _key(entry: Any) -> Any:
    if not isinstance(entry, Mapping):
        return entry
    return next(((name, entry[name]) for name in _KEYS if entry.get(name)), repr(entry))
