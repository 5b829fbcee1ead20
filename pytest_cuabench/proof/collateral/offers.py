"""Finds the writes that an application offers: the forms of its pages, filled in until one is accepted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from lxml.html import HtmlElement

from pytest_cuabench.proof.collateral import markup
from pytest_cuabench.proof.collateral.form_pilot import Refused, Visitor
from pytest_cuabench.proof.collateral.markup import Page

Typed = Callable[[str], Mapping[str, str]]

_ROUNDS = 6
_RANGE = re.compile(r"(\d+(?:\.\d+)?)\D{1,12}?(\d+(?:\.\d+)?)")
_WORDS = "As discussed"
_FIXED = ("hidden", "submit")
_SHAPES_SEEN = 4


@dataclass(frozen=True, slots=True)
class Offer:
    """One form and one button that sends it.

    Attributes:
        page: Address of the page that it stands on.
        action: Where it is sent.
        button: The button's `name=value`, empty where it has none.
    """

    page: str
    action: str
    button: str

    @property
    def kind(self) -> str:
        """Return the kind of write: the address without what names a record, and the button."""
        return shape(self.action) + (f" {self.button}" if self.button else "")

    @property
    def writes(self) -> bool:
        """Whether it is a write; signing in and out are none."""
        return self.action.partition("?")[0] not in ("/login", "/logout")


def shape(address: str) -> str:
    """Return an address with `*` for each part that has a digit, and without its query."""
    path = address.partition("?")[0]
    return "/".join("*" if re.search(r"\d", part) else part for part in path.split("/"))


def offers_on(page: Page) -> Iterator[Offer]:
    """Yield what the forms of a page offer; signing in and out are no writes."""
    every = (offer_of(page, form, button) for form, button in page.forms())
    yield from (offer for offer in every if offer.writes)


def offer_of(page: Page, form: HtmlElement, button: HtmlElement) -> Offer:
    """Return what one button of a form offers."""
    action = page.absolute(button.get("formaction") or form.get("action") or page.address)
    named = f"{button.get('name')}={button.get('value', '')}" if button.get("name") else ""
    return Offer(page.address, action, named)


@dataclass
class Crawl:
    """Walks through the pages by their links, and gathers what they offer.

    Attributes:
        focus: Parts of addresses that are looked at before others, such as a patient's number.
        most: Pages to look at.
    """

    visitor: Visitor
    focus: frozenset[str]
    random: Random
    most: int
    found: dict[str, list[Offer]] = field(default_factory=dict)
    _seen: dict[str, int] = field(default_factory=dict)

    async def walk(self, starts: Iterable[str]) -> dict[str, list[Offer]]:
        """Return the offers by kind."""
        waiting, known = list(dict.fromkeys(starts)), set(starts)
        looked = 0
        while waiting and looked < self.most:
            address = waiting.pop(0)
            try:
                page = await self.visitor.get(address)
            except Refused:
                continue
            looked += 1
            for offer in offers_on(page):
                known_offers = self.found.setdefault(offer.kind, [])
                if offer.action not in {each.action for each in known_offers}:
                    known_offers.append(offer)
            fresh = [link for link in dict.fromkeys(page.links()) if link not in known and self._wanted(link)]
            known.update(fresh)
            self.random.shuffle(fresh)
            waiting = sorted(waiting + fresh, key=lambda link: not self.focused(link))
        return self.found

    def focused(self, address: str) -> bool:
        """Whether an address names a record that is looked at first."""
        return any(part in self.focus for part in re.split(r"[/?=&]", address))

    def _wanted(self, address: str) -> bool:
        """Whether another page of this shape is still worth a look."""
        keys = re.findall(r"[?&](\w+)=", address)
        kind = f"{shape(address)}?{','.join(keys)}|{self.focused(address)}"
        self._seen[kind] = self._seen.get(kind, 0) + 1
        return self._seen[kind] <= _SHAPES_SEEN


async def accept(visitor: Visitor, offer: Offer, typed: Typed, random: Random) -> Page | None:
    """Fill in and send a form until it is accepted; return the page after it, or None where it never was."""
    page = await visitor.get(offer.page)
    for turn in range(_ROUNDS):
        button = _button(page, offer)
        if button is None:
            return None
        form = page.form_of(button)
        assert form is not None
        fields = page.controls(form)
        _fill_in(page, form, {**typed(offer.action)}, random, turn)
        try:
            page, accepted = await confirmed(visitor, *await visitor.send(page, button))
        except Refused:
            return None
        if accepted:
            return page
        if not any(one.tag != "button" and one.get("type") not in _FIXED for one in fields):
            return None  # nothing to fill in otherwise
    return None


async def confirmed(visitor: Visitor, page: Page, accepted: bool) -> tuple[Page, bool]:
    """Say yes to the questions that the server asks about what was entered."""
    for _ in range(3):
        if accepted or (sure := _confirmation(page)) is None:
            break
        page, accepted = await visitor.send(page, sure)
    return page, accepted


def _button(page: Page, offer: Offer) -> HtmlElement | None:
    wanted = replace(offer, page=page.address)
    return next((button for form, button in page.forms() if offer_of(page, form, button) == wanted), None)


def _confirmation(page: Page) -> HtmlElement | None:
    """Return the button that says yes to a question about what was entered."""
    return next((button for _, button in page.forms() if button.get("name") == "confirmed"), None)


def _fill_in(page: Page, form: HtmlElement, typed: dict[str, str], random: Random, turn: int) -> None:
    """Give every control a value; from turn to turn more of them, within the limits that the page told."""
    radios: dict[str, list[HtmlElement]] = {}
    for control in page.controls(form):
        name, kind = control.get("name", ""), control.get("type", "text")
        picker = next((one for one in control.iterancestors() if one.get("class") == "picker"), None)
        if control.tag == "button" or kind == "submit":
            continue
        if kind == "radio":
            radios.setdefault(name, []).append(control)
        elif kind == "checkbox":
            control.attrib.pop("checked", None)
            if turn % 2 or random.random() < 0.5:
                control.set("checked", "checked")
        elif picker is not None:
            options = [one for one in picker.iter("li") if one.get("data-value")]
            if options:
                control.set("value", random.choice(options).get("data-value", ""))
        elif kind != "hidden":
            markup.fill(control, typed.get(name, _guess(page, control, random, turn)))
    for group in radios.values():
        markup.choose(page, random.choice(group))


def _guess(page: Page, control: HtmlElement, random: Random, turn: int) -> str:
    """Return what somebody may type: near what is there, within the limits that were told, or some words."""
    held = markup.value_of(control)
    told = " ".join(page.root.xpath("//*[@id=$id]//text()", id=f"{control.get('id')}-problem"))
    if limits := _RANGE.search(told):
        low, high = float(limits[1]), float(limits[2])
        return _number(random.uniform(low, high), whole=turn % 3 != 2)
    if re.fullmatch(r"\d+(\.\d+)?", held) and not told:
        step = random.choice((-1, 1, 2))
        return _number(max(0.0, float(held) + step), whole="." not in held) if random.random() < 0.7 else held
    if "HH:MM" in told:
        return f"{random.randrange(8):02}:{random.randrange(60):02}"
    if told and not held.isdigit():
        return str(random.randint(1, 40))
    if turn % 4 == 1:
        return str(random.randint(1, 40))
    return held or (_WORDS if turn % 4 in (2, 3) or control.tag == "textarea" else "")


def _number(value: float, *, whole: bool) -> str:
    return str(round(value)) if whole else f"{value:.1f}"
