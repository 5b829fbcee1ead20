"""Tables that are taken back: content and order, nested as deep as may be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from salesforce_org.store.shelves import Shelves

Deed = tuple[str, str, int | None]
DEEDS = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.none() | st.integers(0, 3)), max_size=8
)
BLOCKS = st.recursive(
    DEEDS.map(lambda deeds: ("do", deeds, True)),
    lambda inner: st.tuples(st.just("block"), st.lists(inner, max_size=3), st.booleans()),
    max_leaves=8,
)


def seen(shelves: Shelves[int]) -> list[tuple[str, list[tuple[str, int]]]]:
    """Return all there is, in order."""
    return [(name, list(shelves[name].items())) for name in shelves.names()]


def play(shelves: Shelves[int], block: tuple[str, list[object], bool]) -> None:
    """Write, or play blocks of which some are taken back, as a plain deep copy would be."""
    kind, parts, stands = block
    if kind == "do":
        for name, key, value in parts:  # type: ignore[misc]
            table = shelves.writable(name)
            table.pop(key, None) if value is None else table.__setitem__(key, value)
        return
    before = seen(shelves)
    kept = shelves.keep()
    for part in parts:
        play(shelves, part)  # type: ignore[arg-type]
    if stands:
        shelves.let_go(kept)
    else:
        shelves.bring_back(kept)
        assert seen(shelves) == before


@given(st.lists(BLOCKS, max_size=4))
def test_what_is_taken_back_is_as_before(blocks: list[tuple[str, list[object], bool]]) -> None:
    """A block that is taken back leaves no trace, whatever stood or was taken back within it; a copy is untouched."""
    shelves: Shelves[int] = Shelves({"a": {"x": 1, "y": 2}})
    twin, before = shelves.copy(), seen(shelves)
    for block in blocks:
        play(shelves, block)
    assert seen(twin) == before
