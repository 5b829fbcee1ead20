"""Nothing that an episode does to a desktop is there in the next one: each row of the table in docs/desktops.md."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from drivers.guests import needs_desktop

from guest import applications, tools
from guest.code import run_code
from guest.desktop import Desktop
from guest.session import Options

pytestmark = [needs_desktop, pytest.mark.asyncio(loop_scope="module")]
pytest.importorskip("Xlib", reason="programs in the box speak to the X server by python-xlib")

MESS = r"""
import os, sys
from Xlib import X, Xatom, Xcursorfont, display
from Xlib.ext import xtest
from Xlib.protocol import event

d = display.Display()
root, screen = d.screen().root, d.screen()
d.set_close_down_mode(X.RetainPermanent)  # what is made here stays when this program ends
a, q = d.keysym_to_keycode(ord("a")), d.keysym_to_keycode(ord("q"))
d.change_keyboard_mapping(a, [[ord("q"), ord("Q")]])
d.change_keyboard_mapping(q, [[ord("a"), ord("A")]])
d.set_modifier_mapping([[0] * 2 for _ in range(8)])
d.change_keyboard_control(bell_percent=7, bell_pitch=1234, auto_repeat_mode=X.AutoRepeatModeOn)
xtest.fake_input(d, X.KeyPress, d.keysym_to_keycode(0xFFE5) or 66)
xtest.fake_input(d, X.KeyRelease, d.keysym_to_keycode(0xFFE5) or 66)
d.set_pointer_mapping([3, 2, 1, *range(4, 11)])
d.change_pointer_control((9, 1), 1)
d.set_screen_saver(3, 3, 1, 1)
d.set_access_control(X.DisableAccess)
root.change_property(d.intern_atom("RESOURCE_MANAGER"), Xatom.STRING, 8, b"*background: red\n*font: 10x20\n")
root.change_property(d.intern_atom("_LEFT_BEHIND"), Xatom.STRING, 8, b"by an episode")
root.change_attributes(background_pixel=0xFF0000)
root.clear_area()
font = d.open_font("cursor")
shape = font.create_glyph_cursor(font, 88, 89, (0, 0, 0), (65535, 65535, 65535))
root.change_attributes(cursor=shape)
look = {"background_pixel": 0x00FF00, "override_redirect": 1, "cursor": shape}
ghost = root.create_window(0, 0, 300, 200, 0, screen.root_depth, **look)
ghost.change_property(Xatom.WM_NAME, Xatom.STRING, 8, b"ghost")
ghost.map()
mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask
for name, words in (("_NET_NUMBER_OF_DESKTOPS", [4]), ("_NET_CURRENT_DESKTOP", [2]), ("_NET_SHOWING_DESKTOP", [1])):
    message = event.ClientMessage(window=root, client_type=d.intern_atom(name), data=(32, (words + [0] * 5)[:5]))
    root.send_event(message, event_mask=mask)
root.warp_pointer(7, 9)
d.set_font_path(["built-ins"])
d.sync()
"""
FILES = r"""
mkdir -p ~/.config/openbox ~/.themes/Clearlooks/openbox-3 ~/.local/share/dbus-1/services ~/.config/dconf
echo '*background: red' > ~/.Xdefaults
echo 'padding.width: 90' > ~/.themes/Clearlooks/openbox-3/themerc
printf '[D-BUS Service]\nName=org.a11y.Bus\nExec=/bin/false\n' > ~/.local/share/dbus-1/services/org.a11y.Bus.service
echo x > ~/.config/dconf/user; echo 'LANG=de_DE' > ~/.pam_environment
touch "$HOME/$(printf 'bad\xff')" /tmp/left /dev/shm/left "$XDG_RUNTIME_DIR/left"; mkfifo ~/pipe
chmod 000 ~ /tmp "$XDG_RUNTIME_DIR"
"""
# Owns selections and a name on the session bus, holds a grab, and stays: as programs that were opened do.
STAYS = r"""
import time
from Xlib import X, display
d = display.Display()
root = d.screen().root
window = root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
for name in ("PRIMARY", "SECONDARY", "CLIPBOARD"):
    window.set_selection_owner(d.intern_atom(name), X.CurrentTime)
root.grab_pointer(False, 0, X.GrabModeAsync, X.GrabModeAsync, X.NONE, X.NONE, X.CurrentTime)
d.sync()
import gi
from gi.repository import Gio, GLib
Gio.bus_own_name(Gio.BusType.SESSION, "org.left.Behind", 0, None, None, None)
GLib.MainLoop().run()
"""


@dataclass
class Story:
    """What the display held before, in the mess, and after the reset that followed it."""

    before: dict[str, Any]
    mess: dict[str, Any]
    after: dict[str, Any]
    fingerprints: tuple[str, str]
    layer: str
    names: tuple[list[str], list[str]]
    files: tuple[list[str], list[str]]


async def shared(desktop: Desktop) -> list[str]:
    """Return what lies in the folders that programs may write to, as they see them."""
    command = "ls -A ~ /tmp /dev/shm $XDG_RUNTIME_DIR | sort; stat -c '%a %n' ~ /tmp $XDG_RUNTIME_DIR; env -0 | sort -z"
    done = await desktop.run(["bash", "-c", command])
    return done.out.decode(errors="replace").splitlines()


async def bus_names(desktop: Desktop) -> list[str]:
    """Return the names that services have on the session bus."""
    ask = "org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus.ListNames"
    destination, path, member = ask.split()
    done = await desktop.run(["gdbus", "call", "--session", "-d", destination, "-o", path, "-m", member])
    return sorted(word for word in done.out.decode().split("'") if word.startswith("org."))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def story() -> AsyncIterator[Story]:
    """Play one messy episode and reset the desktop."""
    folder = Path(tempfile.mkdtemp(prefix="cua-"))
    desktop = Desktop(Options(folder, (1280, 800)), "bwrap")
    probe = applications.find("probe")
    try:
        first = await desktop.begin(probe, [])
        assert desktop.episode is not None
        before, names, files = desktop.episode.display_state, await bus_names(desktop), await shared(desktop)
        stays = await desktop.launch(
            ["/usr/bin/python3", "-c", STAYS], tools.environment(desktop.box.name, desktop.environment)
        )
        for _ in range(200):
            if "org.left.Behind" in await bus_names(desktop):
                break
        assert stays.alive
        assert "org.left.Behind" in await bus_names(desktop)
        ran = await run_code(desktop, MESS, "python")
        assert (ran.code, ran.err) == (0, "")
        mess = await desktop.session.display_state()
        await run_code(desktop, FILES, "bash")
        again = await desktop.begin(probe, [])
        after = desktop.episode.display_state
        yield Story(
            dict(before), mess, dict(after), (first["fingerprint"], again["fingerprint"]), again["layer"],
            (names, await bus_names(desktop)), (files, await shared(desktop)),
        )  # fmt: skip
    finally:
        await desktop.end()
        shutil.rmtree(folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        "keymap", "modifiers", "keyboard", "keys", "buttons", "acceleration", "pointer", "cursor", "properties",
        "saver", "hosts", "fonts", "selections", "windows", "picture",
    ],
)  # fmt: skip
async def test_what_the_display_keeps(part: str, story: Story) -> None:
    """What an episode changed of the display is as it was before the episode."""
    assert story.mess[part] != story.before[part]
    assert story.after[part] == story.before[part]


async def test_everything_the_display_keeps(story: Story) -> None:
    """The whole display is as it was, to the last pixel, and so is the reset's fingerprint."""
    assert story.layer == "desktop"
    assert story.after == story.before
    assert story.fingerprints[0] == story.fingerprints[1]


async def test_the_pointer_starts_in_the_middle(story: Story) -> None:
    """The pointer stands in the middle of the screen when an episode begins."""
    assert story.before["pointer"][:2] == story.after["pointer"][:2] == [640, 400]


async def test_files_and_environment(story: Story) -> None:
    """HOME, /tmp, shared memory, the runtime folder, their modes and the environment are as they were."""
    assert story.files[1] == story.files[0]


async def test_services(story: Story) -> None:
    """The session bus has the services that it had, and none of the episode's."""
    assert story.names[1] == story.names[0]
    assert "org.a11y.Bus" in story.names[1]
