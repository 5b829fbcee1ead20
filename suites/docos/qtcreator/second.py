"""Second solutions of Qt Creator, written without a look at the checks."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot


async def _preferences(pilot: Pilot, search: str, category: str, tab: str) -> None:
    """Open the preferences by the keyboard, and look for a page by the filter."""
    await pilot.press("alt+e")
    await pilot.press("up")
    await pilot.press("enter")
    await pilot.fill('dialog >> text[description="Filter"]', search)
    await pilot.click(f'dialog >> list-item[name="{category}"]:nth(0)')
    await pilot.click(f'dialog >> page-tab[name="{tab}"]')


async def _tick(pilot: Pilot, name: str) -> None:
    """Tick or untick by Space, after two clicks that undo each other."""
    await pilot.click(f'dialog >> check-box[name^="{name}"]')
    await pilot.press("space")
    await pilot.press("space")


async def _number(pilot: Pilot, name: str, number: object) -> None:
    """Enter a number, and leave the field by Tab."""
    await pilot.fill(f"dialog >> spin-button{name}", str(number))
    await pilot.press("tab")


async def _apply(pilot: Pilot) -> None:
    """Press Apply, and leave the dialog by Cancel."""
    await pilot.click('dialog >> push-button[name="Apply"]')
    await pilot.click('dialog >> push-button[name="Cancel"]')


async def keep_files_in_memory(pilot: Pilot, case: Case) -> None:
    """By the filter."""
    await _preferences(pilot, "suspend", "Environment", "System")
    await _number(pilot, '[value="10"]', case["files"])
    await _apply(pilot)


async def annotate_between_lines(pilot: Pilot, case: Case) -> None:
    """By arrow keys."""
    await _preferences(pilot, "annotations", "Text Editor", "Display")
    await pilot.click('radio-button[name="Aligned at right side"]')
    await pilot.press("down")
    await _apply(pilot)


async def rebase_when_pulling(pilot: Pilot, case: Case) -> None:
    """By the filter."""
    await _preferences(pilot, "rebase", "Version Control", "Git")
    await _tick(pilot, "Pull with rebase")
    await _apply(pilot)


async def _choose(pilot: Pilot, shown: str, wanted: str) -> None:
    """Choose in a list by typing what the item begins with."""
    await pilot.click(f"dialog >> combo-box{shown}")
    await pilot.type(f"{wanted}\n")


async def indent_by_keys(pilot: Pilot, case: Case) -> None:
    """By the filter, with type-ahead, the last setting first."""
    await _preferences(pilot, "backspace", "Text Editor", "Behavior")
    await _choose(pilot, '[name="Never"]', "In Leading")
    await _choose(pilot, '[name="None"]', "Follows")
    await _apply(pilot)


async def format_qml(pilot: Pilot, case: Case) -> None:
    """By the filter."""
    await _preferences(pilot, "auto format", "Qt Quick", "QML/JS Editing")
    await _tick(pilot, "Enable auto format on file save")
    await _apply(pilot)


async def _enter(pilot: Pilot, field: str, text: object) -> None:
    """Replace the text of a field, and leave it by Tab."""
    await pilot.fill(f"dialog >> text{field}", str(text))
    await pilot.press("tab")


async def check_leaks(pilot: Pilot, case: Case) -> None:
    """By the filter, from the last setting to the first."""
    await _preferences(pilot, "memcheck", "Analyzer", "Valgrind")
    await _number(pilot, '[name="Backtrace frame count:"]', case["frames"])
    await _choose(pilot, '[name="Summary Only"]', "Full")
    await _tick(pilot, "Show reachable")
    await _apply(pilot)


async def tune_clangd(pilot: Pilot, case: Case) -> None:
    """By the filter, from the last setting to the first, with type-ahead."""
    await _preferences(pilot, "clangd", "C++", "Clangd")
    await _number(pilot, '[value="100"]', case["results"])
    await _tick(pilot, "Insert header files")
    await _number(pilot, '[value="Automatic"]', case["threads"])
    await _choose(pilot, '[name="Low Priority"]', case["priority_words"].capitalize())
    await _apply(pilot)


async def shuffle_tests(pilot: Pilot, case: Case) -> None:
    """By the filter, from the last setting to the first."""
    await _preferences(pilot, "shuffle", "Testing", "Google Test")
    await _tick(pilot, "Shuffle tests")
    await _tick(pilot, "Repeat tests")
    await _number(pilot, '[name="Iterations:"]', case["times"])
    await _tick(pilot, "Run disabled tests")
    await _apply(pilot)


async def start_gdb(pilot: Pilot, case: Case) -> None:
    """By the filter, the command first."""
    await _preferences(pilot, "disassembly", "Debugger", "GDB")
    await pilot.click('text[name="Additional Startup Commands"]')
    await pilot.type(case["command"])
    await _tick(pilot, "Use Intel style disassembly")
    await _number(pilot, '[name="GDB timeout:"]', case["seconds"])
    await _apply(pilot)


async def paste_code(pilot: Pilot, case: Case) -> None:
    """By the filter, from the last setting to the first."""
    await _preferences(pilot, "expires", "Code Pasting", "General")
    await _number(pilot, '[name="Expires after:"]', case["days"])
    await _enter(pilot, '[name="Username:"]', case["name"])
    await _choose(pilot, '[name="Pastebin.Com"]', case["service"])
    await _apply(pilot)


async def show_help_elsewhere(pilot: Pilot, case: Case) -> None:
    """By the filter, with type-ahead."""
    await _preferences(pilot, "context help", "Help", "General")
    await _choose(pilot, '[name="Show Side-by-Side if Possible"]', "Always Show in Ext")
    await _apply(pilot)


async def map_sources(pilot: Pilot, case: Case) -> None:
    """By the filter, the target before the source."""
    await _preferences(pilot, "mapping", "Debugger", "General")
    await pilot.click('dialog >> push-button[name="Add"]')
    await _enter(pilot, '[description^="The path must not be empty"]', f"/home/user/{case['name']}")
    await _enter(pilot, '[name="Source path:"]', f"/build/{case['name']}")
    await _apply(pilot)


async def wrap_submit_messages(pilot: Pilot, case: Case) -> None:
    """By the filter; the tick is taken off and set again."""
    await _preferences(pilot, "wrap", "Version Control", "General")
    await _number(pilot, '[value^="72"]', case["columns"])
    await pilot.click('check-box[name="Wrap submit message at:"]')
    await pilot.press("space")
    await _apply(pilot)


async def spell_types_out(pilot: Pilot, case: Case) -> None:
    """By the filter."""
    await _preferences(pilot, "auto", "C++", "Quick Fixes")
    await _tick(pilot, "Use type")
    await _apply(pilot)


async def edit_like_vim(pilot: Pilot, case: Case) -> None:
    """By the filter, from the last setting to the first."""
    await _preferences(pilot, "vim", "FakeVim", "General")
    await _tick(pilot, "vim-surround")
    await _number(pilot, '[name="Scroll offset:"]', case["lines"])
    for name in ("Show line numbers relative", "Use ignorecase", "Use FakeVim"):
        await _tick(pilot, name)
    await _apply(pilot)


async def name_getters(pilot: Pilot, case: Case) -> None:
    """By the filter, from the last setting to the first."""
    await _preferences(pilot, "getter", "C++", "Quick Fixes")
    await pilot.click('radio-button[name="Generate missing namespaces"]')
    await pilot.press("down")
    await _enter(pilot, '[value="m_<name>"]', f"<name>{case['mark']}")
    await _tick(pilot, "Setters should be slots")
    await _enter(pilot, '[value="<name>"]', "get<Name>")
    await _apply(pilot)


async def collect_keyword(pilot: Pilot, case: Case) -> None:
    """By the filter, the word before its picture, which is found by typing its name."""
    await _preferences(pilot, "to-do", "To-Do", "To-Do")
    await pilot.click('dialog >> push-button[name="Add"]')
    small = 'dialog[name="Keyword"]'
    await pilot.fill(f'{small} >> panel[name="Keyword"] >> text', case["word"])
    await pilot.click(f'{small} >> list-item[name="information"]')
    if case["icon_picture"] != "information":
        await pilot.type(case["icon_picture"])
    await pilot.click(f'{small} >> push-button[name="OK"]')
    await _apply(pilot)


async def add_tool(pilot: Pilot, case: Case) -> None:
    """Add it by the keyboard, and name it last, by F2."""
    await _preferences(pilot, "external tools", "Environment", "External Tools")
    await pilot.click('table-cell[name="Uncategorized"]')
    await pilot.click('dialog >> push-button[name="Add"]')
    await pilot.press("down")
    await pilot.press("enter")
    await _enter(pilot, '[name="Description:"]', case["about"])
    await _tick(pilot, "Modifies current document")
    await _enter(pilot, '[name="Arguments:"]', f"{case['options']} %{{CurrentDocument:FilePath}}")
    await _enter(pilot, '[value="echo"]', case["program"])
    await pilot.click('table-cell[name="New Tool"]')
    await pilot.press("f2")
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['name']}\n")
    await _apply(pilot)


async def add_snippet(pilot: Pilot, case: Case) -> None:
    """By the filter, with type-ahead."""
    await _preferences(pilot, "snippets", "Text Editor", "Snippets")
    await _choose(pilot, '[name="Text"]', "C++")
    await pilot.click('dialog >> push-button[name="Add"]')
    await pilot.type(f"{case['word']}\n")
    await pilot.click("dialog >> split-pane >> text:nth(0)")
    await pilot.type(case["code"])
    await _apply(pilot)


async def copy_code_style(pilot: Pilot, case: Case) -> None:
    """By the filter, from the last setting to the first."""
    await _preferences(pilot, "code style", "C++", "Code Style")
    await pilot.click('dialog >> push-button[name="Copy..."]')
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['name']}\n")
    await pilot.click('page-tab[name="Braces"]')
    await _tick(pilot, "Blocks")
    await pilot.click('page-tab[name="Content"]')
    await _tick(pilot, "Declarations within")
    await pilot.click('dialog >> page-tab[name="General"]:nth(0)')
    await _number(pilot, '[name="Indent size:"]', case["width"])
    await _apply(pilot)


async def sort_by_keys(pilot: Pilot, case: Case) -> None:
    """By both filters, and by recording the keys."""
    await _preferences(pilot, "keyboard", "Environment", "Keyboard")
    await pilot.fill('text[name="Keyboard Shortcuts"]', "SortSel")
    await pilot.click('table-cell[name="SortSelectedLines"]')
    await pilot.click('dialog >> check-box[name="Record"]')
    await pilot.press(case["keys"].lower())
    await pilot.click('dialog >> check-box[name="Stop Recording"]')
    await _apply(pilot)
