"""Strategies for the conditions of queries."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from salesforce_org.soql.tree import Both, Not


def trees(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return a strategy of conditions over some comparisons."""
    return st.recursive(
        leaves,
        lambda inner: (
            st.builds(Not, inner)
            | st.builds(
                Both, st.sampled_from(["AND", "OR"]), st.lists(inner, min_size=2, max_size=3).map(tuple)
            )
        ),
        max_leaves=6,
    )
