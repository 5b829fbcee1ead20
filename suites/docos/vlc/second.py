"""Second solutions of VLC, written without a look at the checks."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click, Key, Type


async def _preferences(pilot: Pilot, page: str) -> None:
    """Open the simple preferences by their keys, and a page of them."""
    await pilot.press("ctrl+p")
    await pilot.click(f'check-box[name="{page}"]')


async def _save(pilot: Pilot) -> None:
    """Press Save by its mnemonic."""
    await pilot.press("alt+s")


async def _turn(pilot: Pilot, shown: str, wanted: str, key: str = "down") -> None:
    """Choose in a list that is closed, by arrow keys."""
    await pilot.click(f"dialog >> combo-box{shown}")
    await pilot.press("escape")
    while not await pilot.sees(f'dialog >> combo-box[name="{wanted}"]:focused'):
        await pilot.press(key)


async def snapshots(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, with arrow keys."""
    await _preferences(pilot, "Video")
    await _turn(pilot, '[name="png"]', case["format"])
    await pilot.click('check-box[name="Sequential numbering"]')
    await pilot.fill('text[value="vlcsnap-"]', case["prefix"])
    await pilot.fill('text[name="Directory"]', case["folder"])
    await _save(pilot)


async def one_window(pilot: Pilot, case: Case) -> None:
    """The first one is switched off and on again by Space."""
    await _preferences(pilot, "Interface")
    await pilot.click('check-box[name="Allow only one instance"]')
    await pilot.press("space")
    await pilot.press("space")
    await pilot.click('check-box[name="Enqueue items into playlist in one instance mode"]')
    await _save(pilot)


async def resume(pilot: Pilot, case: Case) -> None:
    """The filter first, the list by an arrow key."""
    await _preferences(pilot, "Interface")
    await pilot.fill('text[name="Filter:"]', case["word"])
    await _turn(pilot, '[name="Ask"]', "Always")
    await _save(pilot)


async def recordings(pilot: Pilot, case: Case) -> None:
    """With a slash at the end of the folder."""
    await _preferences(pilot, "Input / Codecs")
    await pilot.fill('text[name="Record directory or filename"]', f"{case['folder']}/")
    await _save(pilot)


async def subtitle_look(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, by arrow keys and type-ahead."""
    await _preferences(pilot, "Subtitles / OSD")
    await pilot.fill('spin-button[name="Force subtitle position"]', str(case["margin"]))
    await _turn(pilot, '[name="Normal"]', "Thick")
    await pilot.click('combo-box[name="Auto"]')
    await pilot.type(case["size_words"].capitalize() + "\n")
    await pilot.click('combo-box[name^="Default ("]')
    await pilot.type(case["encoding_name"] + "\n")
    await pilot.fill('text[name="Preferred subtitle language"]', case["language_code"])
    await _save(pilot)


async def loudness(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await _preferences(pilot, "Audio")
    await pilot.fill('text[name="Preferred audio language:"]', case["language_code"])
    await _turn(pilot, '[name="None"]', "Track")
    await pilot.click('check-box[name="Normalize volume to:"]')
    await pilot.press("tab")
    await pilot.press("ctrl+a")
    await pilot.type(str(case["level"]))
    await pilot.press("tab")
    await _save(pilot)


_ACTIONS = {
    "take a picture of the video": "Take video snapshot",
    "start and stop recording": "Record",
    "switch the subtitles on and off": "Toggle subtitles",
    "mute the sound": "Mute",
    "go to the next item": "Next",
}


async def _look_for_action(pilot: Pilot, case: Case) -> str:
    """Look for the action by the search of the list, and return its row."""
    name = _ACTIONS[case["command_words"]]
    await pilot.click("dialog >> text")
    await pilot.type(name)
    return f'dialog >> table-cell[name="{name}"]'


async def _all(pilot: Pilot, search: str, *pages: str) -> None:
    """Show all preferences, and look for a page by the search."""
    await pilot.press("ctrl+p")
    await pilot.click('radio-button[name="All"]')
    await _look_for(pilot, search, *pages)


async def _look_for(pilot: Pilot, search: str, *pages: str) -> None:
    await pilot.act(Click(400, 47), Key(("ctrl", "a")), Type(search))
    for page in pages:
        await pilot.click(f'table-cell[name="{page}"]')


async def log_file(pilot: Pilot, case: Case) -> None:
    """By the search, from the last setting to the first, with arrow keys."""
    await _all(pilot, "Log to file", "Logger")
    await _pick(pilot, '[name="Default"]', case["level_words"])
    await _pick(pilot, '[name="Text"]', case["format"])
    await pilot.fill('text[name="Log filename"]', case["file"])
    await pilot.click('check-box[name="Log to file"]')
    await _save(pilot)


async def _pick(pilot: Pilot, shown: str, wanted: str) -> None:
    """Choose in a list by typing what the item begins with."""
    await pilot.click(f"dialog >> combo-box{shown}")
    await pilot.type(f"{wanted[:1].upper()}{wanted[1:]}\n")


async def jumps(pilot: Pilot, case: Case) -> None:
    """By the search, from the last setting to the first."""
    await _all(pilot, "jump length", "Hotkeys settings")
    await pilot.fill('spin-button[name="Medium jump length"]', str(case["medium"]))
    await pilot.fill('spin-button[name="Short jump length"]', str(case["short"]))
    await pilot.press("tab")
    await _save(pilot)


async def find_subtitles(pilot: Pilot, case: Case) -> None:
    """By the search, from the last setting to the first."""
    await _all(pilot, "fuzziness", "Subtitles / OSD")
    await pilot.fill('text[name="Subtitle autodetection paths"]', case["folder"])
    await pilot.fill('spin-button[name="Subtitle autodetection fuzziness"]', "4")
    await pilot.press("tab")
    await _save(pilot)


async def title_on_video(pilot: Pilot, case: Case) -> None:
    """By the search, from the last setting to the first."""
    await _all(pilot, "Show media title", "Video")
    await pilot.fill('spin-button[name^="Hide cursor"]', str(case["hidden"]))
    place = _place(case["place_words"])
    await _turn(pilot, '[name="Bottom"]', place, "down" if "-" in place else "up")
    await pilot.fill('spin-button[name^="Show video title"]', str(case["shown"]))
    await pilot.press("tab")
    await _save(pilot)


def _place(words: str) -> str:
    """Return the name of a place in lists: Top-Left for in the top left corner."""
    parts = [name for name in ("top", "bottom", "left", "right") if name in words]
    return "-".join(part.capitalize() for part in parts) or "Center"


async def web_interface(pilot: Pilot, case: Case) -> None:
    """The pages and the password before the interface is switched on."""
    await _all(pilot, "Lua", "Lua")
    await pilot.fill('text[name="Source directory"]', case["folder"])
    await pilot.fill('password-text[name="Password"]:nth(0)', case["password"])
    await pilot.click('table-cell[name="Main interfaces"]')
    await pilot.click('check-box[name="Web"]')
    await _save(pilot)


async def gestures(pilot: Pilot, case: Case) -> None:
    """The gestures' settings before they are switched on."""
    await _all(pilot, "Gestures", "Gestures")
    await pilot.fill('spin-button[name^="Motion threshold"]', str(case["distance"]))
    await _pick(pilot, '[name="Left"]', case["button_value"])
    await pilot.click('table-cell[name="Control interfaces"]')
    await pilot.click('check-box[name="Mouse gestures control interface"]')
    await _save(pilot)


async def marquee(pilot: Pilot, case: Case) -> None:
    """The text's settings before it is switched on."""
    await _all(pilot, "Marquee", "Marquee")
    await pilot.fill('spin-button[name="Opacity"]', str(case["opacity"]))
    await _turn(pilot, '[name="Center"]', _place(case["place_words"]))
    await pilot.fill('text[name="Text"]', case["text"])
    await pilot.click('table-cell[name="Subtitles / OSD"]')
    await pilot.click('check-box[name="Marquee display"]')
    await _save(pilot)


async def podcasts(pilot: Pilot, case: Case) -> None:
    """The addresses before the module is named."""
    await _all(pilot, "Podcast", "Podcast")
    urls = "|".join(f"http://{case[name]}.example/feed" for name in ("first", "second"))
    await pilot.fill('text[name^="Podcast URLs"]', urls)
    await pilot.click('table-cell[name="Services discovery"]')
    await pilot.fill('text[name="Services discovery modules"]', "podcast")
    await _save(pilot)


async def equalizer(pilot: Pilot, case: Case) -> None:
    """By the key of the effects, with type-ahead."""
    await pilot.press("ctrl+e")
    await pilot.click('dialog >> check-box[name="Enable"]')
    await pilot.click('dialog >> combo-box[name="Preset"]')
    await pilot.type(case["preset_name"] + "\n")
    await pilot.click('dialog >> push-button[name="Save"]')
    await pilot.press("escape")


async def broadcast(pilot: Pilot, case: Case) -> None:
    """By its key, from the last field to the first."""
    await pilot.press("ctrl+shift+w")
    await pilot.click('check-box[name="Loop"]')
    await pilot.fill('text[name="Output:"]', case["show_output"])
    await pilot.fill('text[name="Input:"]', f"http://{case['station']}.radio.example/live.ogg")
    await pilot.fill('text[name="Name:"]', case["show_name"])
    await pilot.click('push-button[name="Add"]')
    await pilot.click('push-button[name="Export"]')
    await pilot.press("ctrl+a")
    await pilot.type(f"/home/user/{case['file']}.vlm\n")
    await pilot.press("escape")


async def hotkey(pilot: Pilot, case: Case) -> None:
    """By the search of the page, and by Enter in the row."""
    await _preferences(pilot, "Hotkeys")
    await pilot.click(await _look_for_action(pilot, case))
    await pilot.press("enter")
    await pilot.press(case["key"].lower())
    await _save(pilot)


async def global_key(pilot: Pilot, case: Case) -> None:
    """The wheel first, then by the search of the page."""
    await _preferences(pilot, "Hotkeys")
    await _pick(pilot, '[name="Volume control"]', "Position control")
    row = await _look_for_action(pilot, case)
    _, top, _, height = await pilot.box(row)
    await pilot.act(Click(700, round(top + height / 2), count=2))
    await pilot.press(case["key"].lower())
    await _save(pilot)


_STARTS = {"minute and a half": 90, "two minutes": 120, "45 seconds": 45}


async def playlist(pilot: Pilot, case: Case) -> None:
    """Write the options as text, the start before the caching, and enqueue by the keyboard."""
    await pilot.press("ctrl+n")
    await pilot.type(f"http://{case['station']}.radio.example/show.ogg")
    await pilot.press("alt+m")
    options = f":start-time={_STARTS[case['start_words']]} :network-caching={case['caching']}"
    await pilot.fill('text[name="Edit Options"]', options)
    await pilot.press("alt+e")
    await pilot.press("ctrl+y")
    await pilot.type(f"/home/user/{case['name']}.xspf\n")


async def toolbars(pilot: Pilot, case: Case) -> None:
    """By the keyboard, the profile of buttons by type-ahead."""
    await pilot.press("alt+s")
    await pilot.press("up", 2)
    await pilot.press("enter")
    editor = 'dialog[name="Toolbars Editor"]'
    await pilot.click(f"{editor} >> combo-box:nth(0)")
    await pilot.type(f"{case['style_words'].capitalize()}\n")
    await pilot.click('check-box[name="Above the Video"]')
    await pilot.click(f'{editor} >> push-button[description="New profile"]')
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['name']}\n")
    await pilot.click(f'{editor} >> push-button[name="Close"]')


async def conversion_profile(pilot: Pilot, case: Case) -> None:
    """The sound before the container, and the name last."""
    await pilot.press("ctrl+r")
    await pilot.click('page-tab[name="Network"]')
    await pilot.click("dialog >> combo-box")
    await pilot.type("http://radio.example/show.ogg\t")
    await pilot.click('push-button[name="Convert / Save"]')
    await pilot.click('push-button[description="Create a new profile"]')
    await pilot.click('page-tab[name="Audio codec"]')
    await pilot.press("tab")
    await pilot.press("space")
    await _pick(pilot, '[name="8000 Hz"]', f"{case['rate']} Hz")
    await pilot.fill('spin-button[name="Channels"]', "1")
    await pilot.fill('spin-button[name="Bitrate"]', str(case["bitrate"]))
    await pilot.press("tab")
    await _pick(pilot, '[name="MPEG Audio"]', case["codec_name"])
    await pilot.click('page-tab[name="Encapsulation"]')
    await pilot.click('radio-button[name="Ogg/Ogm"]')
    await pilot.fill('text[name="Profile Name"]', case["name"])
    await pilot.click('push-button[name="Create"]')
    await pilot.press("escape")
