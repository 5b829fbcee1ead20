"""Pages as a server sends them: elements found by the selectors of solutions, and forms with their values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

import lxml.html
from cssselect import HTMLTranslator
from lxml.html import HtmlElement

Fields = list[tuple[str, str]]

_ROLE = re.compile(r'role=(\w+)(?:\[name(\^?)="(.*?)"\])?(\[pressed=true\])?')
_ELEMENTS = {
    "button": "self::button[not(@role)] or self::input[@type='submit'] or @role='button'",
    "link": "self::a[@href]",
    "textbox": "(self::input[not(@type) or @type='text' or @type='password'] or self::textarea) and not(@role)",
    "radio": "self::input[@type='radio']",
    "checkbox": "self::input[@type='checkbox']",
}
_CHOSEN = ("radio", "checkbox")


@lru_cache(maxsize=256)
def _xpath(css: str) -> str:
    return HTMLTranslator().css_to_xpath(css)


def squeezed(text: str) -> str:
    """Return a text without any space, the form in which names are compared."""
    return "".join(text.split())


def submits(element: HtmlElement) -> bool:
    """Whether a click on the element sends its form."""
    return (element.tag == "button" and element.get("type", "submit") == "submit") or (
        element.tag == "input" and element.get("type") == "submit"
    )


class Page:
    """One document; what is filled in stays in it until a form is sent.

    Attributes:
        address: Path and query that it was served at.
        source: The document as it was served.
    """

    def __init__(self, address: str, text: str) -> None:
        self.address = address
        self.source = text
        # lxml refuses an empty document.
        self.root: HtmlElement = lxml.html.document_fromstring(text or "<html></html>")

    def find(self, target: str) -> list[HtmlElement]:
        """Return the visible elements that a selector means: CSS, `role=`, `text=` and `nth=`, joined by ` >> `."""
        found = [self.root]
        for part in target.split(" >> "):
            if part.startswith("nth="):
                place = int(part.removeprefix("nth="))
                found = found[place:][:1] if place >= 0 else found[place : len(found) + place + 1]
            else:
                found = list(dict.fromkeys(one for within in found for one in self._matching(within, part)))
        return found

    def links(self) -> Iterator[str]:
        """Yield the addresses of the same origin that the page links to."""
        for element in self.root.iterfind(".//a[@href]"):
            address = self.absolute(element.get("href", ""))
            if _visible(element) and address.startswith("/") and not address.startswith("/static/"):
                yield address

    def forms(self) -> Iterator[tuple[HtmlElement, HtmlElement]]:
        """Yield each form that posts, with each of its buttons that send it."""
        for button in self.root.iter("button", "input"):
            form = self.form_of(button)
            works = submits(button) and _visible(button) and button.get("disabled") is None
            if works and form is not None and form.get("method", "get").lower() == "post":
                yield form, button

    def form_of(self, element: HtmlElement) -> HtmlElement | None:
        """Return the form that an element belongs to."""
        if name := element.get("form"):
            return next(iter(self.root.xpath("//form[@id=$name]", name=name)), None)
        return next(element.iterancestors("form"), None)

    def controls(self, form: HtmlElement) -> list[HtmlElement]:
        """Return the controls of a form that have a name, in order."""
        every = self.root.iter("input", "textarea", "button")
        return [
            one
            for one in every
            if one.get("name") and self.form_of(one) is form and one.get("disabled") is None
        ]

    def submission(self, button: HtmlElement) -> tuple[str, str, Fields]:
        """Return method, address and fields of what a button sends."""
        form = self.form_of(button)
        assert form is not None
        fields = [(one.get("name", ""), value_of(one)) for one in self.controls(form) if _counts(one, button)]
        action = button.get("formaction") or form.get("action") or self.address
        return form.get("method", "get").lower(), self.absolute(action), fields

    def absolute(self, address: str) -> str:
        """Return path and query of an address that the page names; others keep their scheme."""
        whole = urljoin(f"http://here{self.address}", address)
        parts = urlsplit(whole)
        if parts.netloc != "here":
            return whole
        return parts.path + (f"?{parts.query}" if parts.query else "")

    def name(self, element: HtmlElement) -> str:
        """Return an element's accessible name."""
        if label := element.get("aria-label"):
            return label
        if label := element.get("aria-labelledby"):
            return " ".join(_text(one) for name in label.split() for one in self._by_id(name))
        if element.tag in ("input", "textarea") or element.get("role") == "combobox":
            return self._label(element)
        return _text(element)

    def text(self, element: HtmlElement) -> str:
        """Return what the element holds or says."""
        return value_of(element) if element.tag in ("input", "textarea") else _text(element)

    def _label(self, element: HtmlElement) -> str:
        wrapped = next(element.iterancestors("label"), None)
        labels = self.root.xpath("//label[@for=$id]", id=element.get("id") or "-")
        return " ".join(_text(one) for one in labels) or ("" if wrapped is None else _text(wrapped))

    def _by_id(self, name: str) -> list[HtmlElement]:
        return list(self.root.xpath("//*[@id=$name]", name=name))

    def _matching(self, within: HtmlElement, part: str) -> Iterator[HtmlElement]:
        role = _ROLE.fullmatch(part)
        if role:
            test = _ELEMENTS.get(role[1], f"@role='{role[1]}'")
            begins, named = role[2], role[3]
            for one in within.xpath(f".//*[{test}]"):
                name = squeezed(self.name(one))
                fits = (
                    named is None or name == squeezed(named) or (begins and name.startswith(squeezed(named)))
                )
                if fits and _visible(one) and (not role[4] or one.get("aria-pressed") == "true"):
                    yield one
        elif part.startswith("text="):
            wanted = squeezed(part.removeprefix("text=")).casefold()
            every = [one for one in within.iter() if isinstance(one.tag, str) and _visible(one)]
            holding = [one for one in every if wanted in squeezed(_text(one)).casefold()]
            inner = {parent for one in holding for parent in one.iterancestors()}
            yield from (one for one in holding if one not in inner)
        else:
            yield from (one for one in within.xpath(_xpath(part)) if _visible(one))


def value_of(element: HtmlElement) -> str:
    """Return what a control holds."""
    if element.tag == "textarea":
        return element.text or ""
    default = "on" if element.get("type") in _CHOSEN else ""
    return element.get("value") or default


def fill(element: HtmlElement, text: str) -> None:
    """Replace what a control holds."""
    if element.tag == "textarea":
        element.text = text
    else:
        element.set("value", text)


def choose(page: Page, element: HtmlElement) -> None:
    """Mark a radio button or tick a box, as a click does."""
    if element.get("type") == "checkbox" and element.get("checked") is not None:
        del element.attrib["checked"]
        return
    if element.get("type") == "radio":
        form = page.form_of(element)
        for other in page.root.iter("input"):
            if other.get("name") == element.get("name") and page.form_of(other) is form:
                other.attrib.pop("checked", None)
    element.set("checked", "checked")


def pick(option: HtmlElement) -> None:
    """Take an option of a pop-up list into its field."""
    picker = next(
        one
        for one in option.iterancestors()
        if one.get("data-listbox") is not None or one.get("data-suggest") is not None
    )
    field = next(picker.iter("input"))
    field.set("value", option.get("data-value", ""))
    for shown in picker.xpath(".//*[contains(concat(' ', @class, ' '), ' shown ')]"):
        shown.text = _text(option)


def _counts(control: HtmlElement, button: HtmlElement) -> bool:
    """Whether a control is sent when its form is sent by a button."""
    if control.tag == "button" or control.get("type") == "submit":
        return control is button
    return control.get("type") not in _CHOSEN or control.get("checked") is not None


def _visible(element: HtmlElement) -> bool:
    """Whether an element can be acted on; the page behind a dialog is inert, and a closed list opens."""
    for one in (element, *element.iterancestors()):
        if one.get("inert") is not None:
            return False
        if one.get("hidden") is not None and one.get("role") != "listbox":
            return False
    return element.get("type") != "hidden"


def _text(element: HtmlElement) -> str:
    """Return an element's text without what is hidden from its name."""
    if element.get("aria-hidden") == "true" or element.get("hidden") is not None:
        return ""
    pictured = element.tag in ("img", "svg") and (element.get("alt") or element.get("aria-label"))
    parts = [pictured or "", element.text or ""]
    for child in element:
        # The tag of a comment is a function.
        if isinstance(child.tag, str) and child.tag not in ("script", "style", "template"):
            parts.append(_text(child))
        parts.append(child.tail or "")
    return " ".join(part for part in parts if part)
