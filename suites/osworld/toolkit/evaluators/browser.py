"""What a browser keeps: bookmarks, history, cookies, sizes of fonts, experiments."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from .matching import Strict

Fault = str | None


class Folders(Strict):
    """The names of the folders in the bookmarks bar."""

    type: Literal["bookmark_bar_folders_names"]
    names: list[str]


class Addresses(Strict):
    """The addresses in the bookmarks bar."""

    type: Literal["bookmark_bar_websites_urls"]
    urls: list[str]


class Sizes(Strict):
    """Sizes of the usual font: one, or what lies between two."""

    type: Literal["value", "range"]
    value: int | None = None
    min: int | None = None
    max: int | None = None


class Names(Strict):
    """Names of experiments, all that are switched on."""

    type: Literal["names"]
    names: list[str]


class Domains(Strict):
    """Domains of which nothing may be kept."""

    type: Literal["domains"]
    domains: list[str]


class Keywords(Strict):
    """Words that no address of the history may have."""

    type: Literal["keywords"]
    keywords: list[str]


def is_expected_bookmarks(
    result: Any, rules: Annotated[Folders | Addresses, Field(discriminator="type")]
) -> Fault:
    """The bookmarks bar has exactly these folders or addresses."""
    bar = result.get("bookmark_bar", {}).get("children", []) if isinstance(result, dict) else []
    if isinstance(rules, Folders):
        there, wanted = {one.get("name") for one in bar if one.get("type") == "folder"}, set(rules.names)
    else:
        there, wanted = {one.get("url") for one in bar if one.get("type") == "url"}, set(rules.urls)
    return None if there == wanted else f"the bar has {sorted(map(str, there))}"


def check_font_size(result: Any, rules: Sizes) -> Fault:
    """The usual font has a size."""
    size = result.get("default_font_size") if isinstance(result, dict) else None
    if rules.type == "value":
        return None if size == rules.value else f"the size is {size}"
    low, high = rules.min or 0, rules.max or 0
    return None if isinstance(size, int) and low < size < high else f"the size is {size}"


def check_enabled_experiments(result: Any, rules: Names) -> Fault:
    """Exactly these experiments are switched on."""
    there = {str(one).split("@")[0] for one in result or ()}
    return None if there == set(rules.names) else f"switched on are {sorted(there)}"


def is_cookie_deleted(result: Any, rules: Domains) -> Fault:
    """No cookie of some domains is kept."""
    if result is None:
        return "what the browser keeps cannot be read"
    kept = [host for host, *_ in result if any(domain in str(host) for domain in rules.domains)]
    return f"there is a cookie of {kept[0]}" if kept else None


def check_history_deleted(result: Any, rules: Keywords) -> Fault:
    """No address with some words is in the history."""
    if result is None:
        return "what the browser keeps cannot be read"
    kept = [url for url, *_ in result if any(word in str(url) for word in rules.keywords)]
    return f"{kept[0]} is in the history" if kept else None


EVALUATORS = {
    "check_enabled_experiments": check_enabled_experiments,
    "check_font_size": check_font_size,
    "check_history_deleted": check_history_deleted,
    "is_cookie_deleted": is_cookie_deleted,
    "is_expected_bookmarks": is_expected_bookmarks,
}
