"""Second solutions of Writer, written without a look at the checks: by search, letters of labels, and arrow keys."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot

from ..toolkit.office import choose, finish, put, settings, turn, turn_beside


async def _find(pilot: Pilot, text: str) -> None:
    """Select a text by the search bar."""
    await pilot.press("ctrl+f")
    await pilot.press("ctrl+a")
    await pilot.type(f"{text}\n")
    await pilot.press("escape")


async def _page_style(pilot: Pilot, tab: str) -> None:
    """Open a page of the page style's dialog by keys."""
    await pilot.press("alt+shift+p")
    await pilot.click(f'page-tab[name="{tab}"]')


async def _text_flow_of_style(pilot: Pilot) -> None:
    """Edit the style of a paragraph that is found by search, by the key of the menu Styles."""
    await _find(pilot, "drinking water")
    await pilot.press("alt+p")
    await pilot.click('page-tab[name="Text Flow"]')


async def _next(pilot: Pilot, text: object) -> None:
    """Go on to the next field by Tab, and replace what it holds."""
    await pilot.press("tab")
    await pilot.press("ctrl+a")
    await pilot.type(str(text))


async def line_numbers(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await choose(pilot, "Tools", "Line Numbering")
    await pilot.click('dialog >> check-box[name="Show numbering"]')
    await pilot.click('dialog >> check-box[name="Blank lines"]')
    await pilot.press("space", 2)
    await turn_beside(pilot, "Position", 1)
    await pilot.press("tab")
    await _next(pilot, f"{case['interval']}\t")
    await finish(pilot)


async def mirrored(pilot: Pilot, case: Case) -> None:
    """Enter the outer margin before the inner one."""
    await _page_style(pilot, "Page")
    await turn_beside(pilot, "Page layout", 1)
    await put(pilot, "u", f'{case["outer"]}"')
    await put(pilot, "n", f'{case["inner"]}"')
    await finish(pilot)


async def register(pilot: Pilot, case: Case) -> None:
    """Choose the style by arrow keys."""
    await _page_style(pilot, "Page")
    await pilot.click('dialog >> check-box[name="Use page line-spacing"]')
    await pilot.press("tab")
    await pilot.type(case["style_shown"])
    await finish(pilot)


async def custom_property(pilot: Pilot, case: Case) -> None:
    """Write the name by Tab from the button that adds the property."""
    await choose(pilot, "File", "Properties")
    await pilot.click('page-tab[name="Custom Properties"]')
    await pilot.click('dialog >> push-button[name="Add Property"]')
    await pilot.type(case["name"])
    await pilot.press("tab", 2)
    await pilot.type(case["text"])
    await finish(pilot)


async def page_number(pilot: Pilot, case: Case) -> None:
    """Find the heading by search, and set the page by letters."""
    await _find(pilot, "Costs")
    await choose(pilot, "Format", "Paragraph...")
    await pilot.click('page-tab[name="Text Flow"]')
    await pilot.press("alt+i")
    await pilot.click('dialog >> check-box[name="With page style:"]')
    await pilot.click('dialog >> check-box[name="Page number:"]')
    await _next(pilot, f"{case['number']}\t")
    await pilot.click('dialog >> push-button[name="OK"]')
    await pilot.press("ctrl+s")


async def hyphens(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await _text_flow_of_style(pilot)
    await pilot.press("alt+u")
    await pilot.click('dialog >> check-box[name="Don\'t hyphenate words in CAPS"]')
    for words, number in (
        ("Enter the maximum number", case["lines"]),
        (
            "Enter the minimum number of characters that must appear",
            case["begin"],
        ),
        (
            "Enter the minimum number of characters to leave",
            case["end"],
        ),
    ):
        await pilot.fill(f'dialog >> spin-button[description^="{words}"]', f"{number}\t")
    await pilot.click('dialog >> push-button[name="OK"]')
    await pilot.press("ctrl+s")


async def drop_caps(pilot: Pilot, case: Case) -> None:
    """Find the paragraph by search, and set the space first."""
    await _find(pilot, "Brookfield takes")
    await choose(pilot, "Format", "Paragraph...")
    await pilot.click('page-tab[name="Drop Caps"]')
    await pilot.press("alt+d")
    await put(pilot, "s", f'{case["space"]}"')
    await put(pilot, "l", case["lines"])
    await put(pilot, "c", case["count"])
    await pilot.click('dialog >> push-button[name="OK"]')
    await pilot.press("ctrl+s")


async def footnote_area(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await _page_style(pilot, "Footnote")
    await put(pilot, "l", f"{case['length']}%")
    await pilot.press("alt+p")
    await turn(pilot, 1)
    await pilot.click('dialog >> radio-button[name="Maximum footnote height"]')
    await _next(pilot, f'{case["height"]}"\t')
    await finish(pilot)


async def first_header(pilot: Pilot, case: Case) -> None:
    """By the letters of the labels."""
    await _page_style(pilot, "Header")
    await pilot.press("alt+d")
    await pilot.click('dialog >> check-box[name="Same content on first page"]')
    await put(pilot, "s", f'{case["space"]}"')
    await finish(pilot)


async def widows(pilot: Pilot, case: Case) -> None:
    """Set widows before orphans."""
    await _text_flow_of_style(pilot)
    await pilot.press("alt+w")
    await _next(pilot, f"{case['widows']}\t")
    await pilot.press("alt+o")
    await pilot.press("space")
    await _next(pilot, f"{case['orphans']}\t")
    await pilot.click('dialog >> push-button[name="OK"]')
    await pilot.press("ctrl+s")


async def protected(pilot: Pilot, case: Case) -> None:
    """Tick twice too often."""
    await choose(pilot, "Format", "Sections")
    await pilot.press("alt+p")
    await pilot.press("space", 2)
    await finish(pilot)


async def hidden_section(pilot: Pilot, case: Case) -> None:
    """Go on to the condition by its letter."""
    await choose(pilot, "Format", "Sections")
    await pilot.click('dialog >> check-box[name="Hide"]')
    await put(pilot, "w", f"{case['variable']} EQ {case['value']}")
    await finish(pilot)


async def title_page(pilot: Pilot, case: Case) -> None:
    """Go on to the number by Tab."""
    await choose(pilot, "Format", "Title Page")
    await pilot.click('dialog >> check-box[name="Set page number for first title page"]')
    await _next(pilot, f"{case['number']}\t")
    await finish(pilot)


async def keep_table(pilot: Pilot, case: Case) -> None:
    """Find a cell by search, and open the dialog from the table's context menu."""
    await _find(pilot, "South")
    await choose(pilot, "Table", "Properties")
    await pilot.click('page-tab[name="Text Flow"]')
    await pilot.press("alt+k")
    await pilot.press("alt+t")
    await finish(pilot)


async def word_completion(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, by letters."""
    await choose(pilot, "Tools", "AutoCorrect Options")
    await pilot.click('page-tab[name="Word Completion"]')
    await put(pilot, "m", case["count"])
    await put(pilot, "n", case["length"])
    await pilot.press("alt+a")
    await pilot.press("alt+o")


async def new_tables(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, by letters."""
    await settings(pilot, "LibreOffice Writer", 7)
    await pilot.press("alt+d")
    await pilot.press("alt+p")
    await pilot.press("alt+e")
    await pilot.press("enter")


async def direct_cursor(pilot: Pilot, case: Case) -> None:
    """Tick by its letter."""
    await settings(pilot, "LibreOffice Writer", 3)
    await pilot.press("alt+d")
    await pilot.press("enter")


async def protected_cursor(pilot: Pilot, case: Case) -> None:
    """Untick by Space."""
    await settings(pilot, "LibreOffice Writer", 3)
    await pilot.click('dialog >> check-box[name="Enable cursor"]')
    await pilot.press("space", 2)
    await pilot.press("enter")


async def comparison(pilot: Pilot, case: Case) -> None:
    """Set the length before the kind."""
    await settings(pilot, "LibreOffice Writer", 9)
    await pilot.press("alt+o")
    await pilot.press("alt+p")
    await _next(pilot, f"{case['length']}\t")
    await pilot.press("enter")


async def print_hidden(pilot: Pilot, case: Case) -> None:
    """Tick by its letter."""
    await settings(pilot, "LibreOffice Writer", 6)
    await pilot.press("alt+x")
    await pilot.press("enter")


async def brochure(pilot: Pilot, case: Case) -> None:
    """Tick by its letter."""
    await settings(pilot, "LibreOffice Writer", 6)
    await pilot.press("alt+u")
    await pilot.press("enter")
