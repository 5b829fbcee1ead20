"""Second solutions of Writer, written without a look at the checks: by Tab, arrow keys, and opened lists."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot

from ..toolkit.office import apply, choose, finish, open_options, pick_beside, put_beside, turn_beside

_NUMBERS = ["1, 2, 3", "A, B, C", "a, b, c", "I, II, III", "i, ii, iii"]


async def _page_style(pilot: Pilot, page: str) -> None:
    """Open the style of the page by its keys."""
    await pilot.press("alt+shift+p")
    await pilot.click(f'dialog >> page-tab[name="{page}"]')


async def _paragraph(pilot: Pilot, place: str, page: str) -> None:
    """Open the properties of a paragraph, with the cursor in its middle."""
    await pilot.click(f"document-text >> {place}")
    await choose(pilot, "Format", "Paragraph...")
    await pilot.click(f'dialog >> page-tab[name="{page}"]')


async def _tick(pilot: Pilot, *names: str) -> None:
    for name in names:
        await pilot.click(f'dialog >> check-box[name^="{name}"]')


async def _enter(pilot: Pilot, description: str, value: object) -> None:
    """Fill the field that is described so, and leave it by Tab."""
    await pilot.fill(f'dialog >> spin-button[description^="{description}"]', f"{value}\t")


async def line_numbers(pilot: Pilot, case: Case) -> None:
    """Leave out empty lines first, and choose the side by arrow keys."""
    await choose(pilot, "Tools", "Line Numbering")
    await pilot.click('dialog >> check-box[name="Show numbering"]')
    await pilot.click('dialog >> check-box[name="Blank lines"]')
    await pilot.press("space", 2)
    await turn_beside(pilot, "Position", 1)
    await pilot.press("tab", 2)
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['interval']}\t")
    await finish(pilot)


async def chapter_numbers(pilot: Pilot, case: Case) -> None:
    """Number the second level before the first one, and its sign before its numbers."""
    await choose(pilot, "Tools", "Chapter Numbering")
    await pilot.click('dialog >> table-cell[name="2"]')
    await put_beside(pilot, "After:", case["sign"])
    await turn_beside(pilot, "Number:", _NUMBERS.index(case["kind_shown"]) + 1)
    await put_beside(pilot, "Show sublevels:", 2)
    await pilot.click('dialog >> table-cell[name="1"]')
    await turn_beside(pilot, "Number:", 4)
    await finish(pilot)


async def footnotes(pilot: Pilot, case: Case) -> None:
    """From the last field to the first, with arrow keys."""
    await choose(pilot, "Tools", "Footnotes and Endnotes")
    await turn_beside(pilot, "Start at", 0)
    await put_beside(pilot, "After", case["sign"])
    await turn_beside(pilot, "Numbering", _NUMBERS.index(case["kind_shown"]))
    await finish(pilot)


async def mirrored(pilot: Pilot, case: Case) -> None:
    """Open the dialog by keys, and enter the margins in millimetres, the outer one first."""
    await _page_style(pilot, "Page")
    await turn_beside(pilot, "Page layout:", 1)
    await put_beside(pilot, "Outer:", f"{case['outer'] * 25.4:g} mm")
    await put_beside(pilot, "Inner:", f"{case['inner'] * 25.4:g} mm")
    await finish(pilot)


async def register(pilot: Pilot, case: Case) -> None:
    """Open the dialog by keys, and choose the style in the opened list."""
    await _page_style(pilot, "Page")
    await _tick(pilot, "Use page line-spacing")
    await pick_beside(pilot, 'label[name="Reference Style:"]', case["style_shown"])
    await finish(pilot)


async def footnote_area(pilot: Pilot, case: Case) -> None:
    """Describe the line before the height."""
    await _page_style(pilot, "Footnote")
    await _enter(pilot, "Enter the length of the separator", f"{case['length']} %")
    await turn_beside(pilot, "Position", 1)
    await pilot.click('dialog >> radio-button[name="Maximum footnote height"]')
    await _enter(pilot, "Enter the maximum height", f'{case["height"]}"')
    await finish(pilot)


async def first_header(pilot: Pilot, case: Case) -> None:
    """Insert the header by the menu, and make it another one on the first page afterwards."""
    await choose(pilot, "Insert", "Header and Footer", "=Header", "Default Page Style")
    await _page_style(pilot, "Header")
    await put_beside(pilot, "Spacing:", case["space"])
    await _tick(pilot, "Same content on first page")
    await finish(pilot)


async def drop_caps(pilot: Pilot, case: Case) -> None:
    """Enter the space first, and the letters last."""
    await _paragraph(pilot, 'paragraph[value*="drinking water"]', "Drop Caps")
    await _tick(pilot, "Display drop caps")
    for label, value in (("Space to text", "space"), ("Lines", "lines"), ("Number of characters", "count")):
        await put_beside(pilot, label, case[value])
    await finish(pilot)


async def page_number(pilot: Pilot, case: Case) -> None:
    """Tick everything before the number is entered, and choose the page in the opened list."""
    await _paragraph(pilot, 'heading[value="Costs"]', "Text Flow")
    await _tick(pilot, "Insert", "With page style:")
    await pick_beside(pilot, 'check-box[name="With page style:"]', "Default Page Style")
    await _tick(pilot, "Page number:")
    await _enter(pilot, "Enter the page number", case["number"])
    await finish(pilot)


async def title_page(pilot: Pilot, case: Case) -> None:
    """Let the title begin with a break before the style of first pages, in place of the dialog for title pages."""
    await _paragraph(pilot, 'paragraph[value^="Water in"]', "Text Flow")
    await _tick(pilot, "Insert", "With page style:")
    await pick_beside(pilot, 'check-box[name="With page style:"]', "First Page")
    await _tick(pilot, "Page number:")
    await _enter(pilot, "Enter the page number", case["number"])
    await finish(pilot)


async def word_completion(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await choose(pilot, "Tools", "AutoCorrect", "AutoCorrect Options")
    await pilot.click('dialog >> page-tab[name="Word Completion"]')
    await put_beside(pilot, "Min. word length", case["length"])
    await put_beside(pilot, "Max. entries", case["count"])
    await _tick(pilot, "Append space")
    await pilot.click('dialog >> push-button[name="OK"]')


async def new_tables(pilot: Pilot, case: Case) -> None:
    """By keys to the page, from the last setting to the first, and by Apply."""
    await open_options(pilot, 7)
    await _tick(pilot, "Do not split", "Heading", "Repeat on each page")
    await apply(pilot)


async def direct_cursor(pilot: Pilot, case: Case) -> None:
    """By keys to the page, and by Apply."""
    await open_options(pilot, 3)
    await _tick(pilot, "Direct cursor")
    await apply(pilot)


async def protected_cursor(pilot: Pilot, case: Case) -> None:
    """By keys to the page, and by Apply."""
    await open_options(pilot, 3)
    await _tick(pilot, "Enable cursor")
    await apply(pilot)


async def comparison(pilot: Pilot, case: Case) -> None:
    """By keys to the page, from box to field by Tab, and by Apply."""
    await open_options(pilot, 9)
    await pilot.click('dialog >> radio-button[name="By word"]')
    await _tick(pilot, "Ignore pieces of length")
    await pilot.press("tab")
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['length']}\t")
    await apply(pilot)


async def print_hidden(pilot: Pilot, case: Case) -> None:
    """By keys to the page, and by Apply."""
    await open_options(pilot, 6)
    await _tick(pilot, "Hidden text")
    await apply(pilot)


async def brochure(pilot: Pilot, case: Case) -> None:
    """By keys to the page, and by Apply."""
    await open_options(pilot, 6)
    await _tick(pilot, "Brochure")
    await apply(pilot)


async def widows(pilot: Pilot, case: Case) -> None:
    """Open the style by its keys, and enter the lines after a break before those ahead of it."""
    await _body_style(pilot)
    for name, value in (("Widow control", "widows"), ("Orphan control", "orphans")):
        await _tick(pilot, name)
        await _next(pilot, case[value])
    await finish(pilot)


async def hyphens(pilot: Pilot, case: Case) -> None:
    """Open the style by its keys, except words in capitals by the space bar, and go to the numbers by Tab."""
    await _body_style(pilot)
    await _tick(pilot, "Automatically")
    await pilot.press("tab")
    await pilot.press("space")
    await pilot.press("tab")
    for value in ("end", "begin", "lines"):
        await _next(pilot, case[value])
    await finish(pilot)


async def custom_property(pilot: Pilot, case: Case) -> None:
    """Choose the kind by its arrow keys, and enter the text before the name."""
    await choose(pilot, "File", "Properties")
    await pilot.click('dialog >> page-tab[name="Custom Properties"]')
    await pilot.click('dialog >> push-button[name="Add Property"]')
    await pilot.press("tab", 2)
    await pilot.press("space")
    await pilot.press("home")
    await pilot.press("return")
    await pilot.press("tab")
    await pilot.type(case["text"])
    await pilot.press("shift+tab", 3)
    await pilot.type(f"{case['name']}\t")
    await finish(pilot)


async def protected(pilot: Pilot, case: Case) -> None:
    """Open the section by the menu of its text."""
    await _section(pilot)
    await _tick(pilot, "Protect")
    await finish(pilot)


async def hidden_section(pilot: Pilot, case: Case) -> None:
    """Open the section by the menu of its text, and go to the condition by Tab."""
    await _section(pilot)
    await _tick(pilot, "Hide")
    await _next(pilot, f"{case['variable']} == {case['value']}")
    await finish(pilot)


async def keep_table(pilot: Pilot, case: Case) -> None:
    """Open the properties by the menu of a cell, and keep it with the paragraph first."""
    await pilot.click('document-text >> paragraph[value="East"]', button="right")
    await pilot.click('*[name^="Table Properties"]:selectable')
    await pilot.click('dialog >> page-tab[name="Text Flow"]')
    await _tick(pilot, "Keep with next paragraph", "Allow table to split")
    await finish(pilot)


async def _body_style(pilot: Pilot) -> None:
    """Open the style of the first paragraph by its keys."""
    await pilot.click('document-text >> paragraph[value*="drinking water"]')
    await pilot.press("alt+p")
    await pilot.click('dialog >> page-tab[name="Text Flow"]')


async def _section(pilot: Pilot) -> None:
    """Open the section by the menu that its text has."""
    await pilot.press("ctrl+end")
    await pilot.press("up")
    await pilot.press("shift+f10")
    await pilot.click('*[name^="Edit Section"]:selectable')


async def _next(pilot: Pilot, value: object) -> None:
    """Go to the next field by Tab, and replace what is in it."""
    await pilot.press("tab")
    await pilot.press("ctrl+a")
    await pilot.type(f"{value}")
