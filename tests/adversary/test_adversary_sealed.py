"""What an agent may leave for an application that it opens again: none of it runs where the judge reads the state."""

from __future__ import annotations

import base64
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from drivers.guests import Guest, absent
from PIL import Image

pytestmark = pytest.mark.slow
PEPTIDE = "/usr/share/pymol/data/demo/pept.pdb"
PAPER, NOTATIONS = "paper.tex", "Display notations"
LINES = "ConstellationMgr.linesDisplayed"
SECONDS = 60
# What runs leaves a file beside the documents, named for the way that it came by.
MARK = "wrapper.py", "probe_window.py", "stellarium"
PYTHON = f"""
import os
told = open('/proc/self/cmdline').read()
if any(name in told for name in {MARK!r}):
    open('/home/user/ran-{{way}}', 'w').close()
"""
NATIVE = """
#include <fcntl.h>
__attribute__((constructor)) static void run(void) { open("/home/user/ran-library", O_CREAT | O_WRONLY, 0644); }
"""
LEFT = """
import os, site, stat, pathlib, socket, subprocess
home = pathlib.Path('/home/user')
def put(path, text, mode=0o644):
    path = home / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(mode)
def code(way):
    return {python!r}.replace('{{way}}', way)
import base64
library = base64.b64decode({library!r})
put('evil.so', library, 0o755)
user = pathlib.Path(site.getusersitepackages()).relative_to(home)
put(user / 'usercustomize.py', code('usercustomize'))
put(user / 'sitecustomize.py', code('sitecustomize'))
put(user / 'evil.pth', 'import evil_module')
put(user / 'evil_module.py', code('pth'))
for name in ('serving', 'snapshot', 'own_code', 'places', 'json', 'gi', 'wx', 'pymol'):
    put(name + '.py', code('folder'))
    put(user / (name + '.py'), code('user-site'))
put('.pymolrc', 'python\\n' + code('pymolrc') + '\\npython end\\n')
put('.pymolrc.py', code('pymolrc'))
put('.pymol/startup/evil.py', code('plugin'))
put('.grass8/env', 'export LD_PRELOAD=/home/user/evil.so\\nexport PYTHONPATH=/home/user\\n')
put('.grass8/bashrc', 'touch /home/user/ran-bashrc\\n')
for name in ('g.region', 'd.rast', 'g.gisenv', 'grass'):
    put('.grass8/addons/bin/' + name, '#!/bin/sh\\ntouch /home/user/ran-addon\\n', 0o755)
    put('.grass8/addons/scripts/' + name, '#!/bin/sh\\ntouch /home/user/ran-addon\\n', 0o755)
settings = home / '.stellarium/config.ini'
if settings.exists():
    section = '[plugins_load_at_startup]'
    settings.write_text(settings.read_text().replace(section, section + '\\nEvil = true'))
    put('.stellarium/modules/Evil/libEvil.so', library, 0o755)
for name in ('python3', 'python', 'grass', 'pymol', 'stellarium', 'sh', 'env'):
    for folder in ('.local/bin', 'bin', ''):
        put(os.path.join(folder, name) if folder else name + '.sh', '#!/bin/sh\\ntouch /home/user/ran-path\\n', 0o755)
for name in ('.profile', '.bashrc', '.xprofile', '.pam_environment', '.pythonrc.py'):
    put(name, 'export LD_PRELOAD=/home/user/evil.so PYTHONSTARTUP=/home/user/json.py\\n')
put('.config/environment.d/evil.conf', 'LD_PRELOAD=/home/user/evil.so\\n')
put('.config/gtk-3.0/settings.ini', '[Settings]\\ngtk-modules=/home/user/evil.so\\n')
for name in ('pymol', 'org.stellarium.Stellarium', 'grass82', 'coqide', 'texstudio', 'org.kde.kalgebra'):
    entry = '[Desktop Entry]\\nType=Application\\nName=x\\nExec=touch ran-desktop\\n'
    put('.local/share/applications/' + name + '.desktop', entry)
put('.local/share/kxmlgui5/kalgebra/kalgebraui.rc', '<gui name="kalgebra" version="99"></gui>')
put('.config/kdeglobals', '[KDE]\\nwidgetStyle=/home/user/evil\\n[UiSettings]\\nColorScheme=evil\\n')
macro = '{{"name": "Evil", "trigger": "?txs-start", "tag": "%SCRIPT\\napp.fileNew()"}}'
put('.config/texstudio/macro/Evil.txsMacro', macro)
put('.config/texstudio/texstudio.ini', '[texmaker]\\nFiles\\\\RestoreSession=true\\nTools\\\\Start=touch ran-start\\n')
put('.config/coq/coqiderc', 'cmd_coqtop = "/home/user/bin/coqidetop"\\nview_display_notations = "false"\\n')
for name in ('coqidetop', 'coqidetop.opt', 'coqide', 'texstudio', 'kalgebra', 'QtWebEngineProcess'):
    put('bin/' + name, '#!/bin/sh\\ntouch /home/user/ran-path\\n', 0o755)
for kind in ('platforms', 'styles', 'accessible', 'kf5', 'imageformats', 'qt5/plugins/styles'):
    put('.local/lib/' + kind + '/evil.so', library, 0o755)
put('.local/lib/gtk-3.0/modules/libevil.so', library, 0o755)
for name in ('LD_PRELOAD', 'PYTHONPATH', 'QT_PLUGIN_PATH', 'GTK_MODULES', 'PYTHONSTARTUP'):
    subprocess.run(['dbus-update-activation-environment', name + '=/home/user/evil.so'], capture_output=True)
for name in ('pymol', 'grass', 'stellarium', 'probe'):
    socket.socket(socket.AF_UNIX).bind('/run/user/1000/' + name)
    pathlib.Path('/run/user/1000/' + name + '-token').write_text('known')
put('.probe.jsonl', '{{"type": "edit", "field": "text", "at": 0, "new": "forged", "gone": 0}}\\n')
print('left')
"""


CLOSE = """
import pathlib
from Xlib import X, display
screen = display.Display()
for number in screen.screen().root.get_full_property(screen.intern_atom('_NET_CLIENT_LIST'), X.AnyPropertyType).value:
    window = screen.create_resource_object('window', number)
    if {title!r} in (None, window.get_wm_name()):
        window.kill_client()
screen.sync()
for lock in pathlib.Path('/home/user').glob('grassdata/*/*/.gislock'):
    lock.unlink()
"""


def library(folder: Path) -> str:
    """Return a library that marks where it is loaded; an empty one where no compiler is."""
    if shutil.which("gcc") is None:
        return ""
    (folder / "evil.c").write_text(NATIVE)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", folder / "evil.so", folder / "evil.c"], check=True)
    return base64.b64encode((folder / "evil.so").read_bytes()).decode()


@contextmanager
def started(application: str, *setup: dict[str, Any]) -> Iterator[Guest]:
    """A guest that shows an application."""
    if reason := absent():
        pytest.skip(reason)
    guest = Guest(screen="1920x1080")
    try:
        health = guest.call("GET", "/health")["applications"][application]
        if not health["available"]:
            pytest.skip(f"type: apt-get install {' '.join(health['packages'])}")
        guest.begin(application, setup)
        yield guest
    finally:
        guest.close()


def ran(guest: Guest, code: str) -> str:
    """Run a program of an agent's."""
    told = guest.call("POST", "/code", {"code": code, "language": "python"})
    assert told["code"] == 0, told
    return str(told["out"])


def told_when(guest: Guest, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the first state of which something is true."""
    end = time.monotonic() + SECONDS
    while True:
        told = guest.call("GET", "/session/state")
        if true(told) or time.monotonic() > end:
            return told
        time.sleep(0.2)


OPENED = {
    "probe": lambda told: told["collections"]["fields"]["text"]["value"] == "",
    "pymol": lambda told: told["collections"]["objects"] == {},
    "stellarium": lambda told: told["collections"].get("properties", {}).get(LINES) == {"value": False},
    "grass": lambda told: told["collections"]["layers"] == {},
    "coq": lambda told: told["collections"]["view"].get(NOTATIONS) == {"on": True},
    "kalgebra": lambda told: (
        "pi" in told["collections"]["variables"] and "x" not in told["collections"]["variables"]
    ),
    "texstudio": lambda told: told["collections"]["editor"] == {},
}
SETUPS: dict[str, tuple[dict[str, Any], ...]] = {
    "probe": (),
    "pymol": ({"do": "run", "lines": [f"load {PEPTIDE}, pept"]},),
    "stellarium": ({"do": "properties", "values": {LINES: True}},),
    "grass": ({"do": "layer", "name": "coastline", "kind": "vector"},),
    "coq": (),
    "kalgebra": ({"do": "define", "text": "x:=1"},),
    "texstudio": ({"do": "write", "path": PAPER, "text": "A word.\n"}, {"do": "open", "path": PAPER}),
}
# What is done in the first window, where a setup does not do it.
DONE: dict[str, tuple[dict[str, Any], ...]] = {
    "probe": ({"kind": "click", "x": 500, "y": 60}, {"kind": "type", "text": "typed"}),
    "coq": ({"kind": "key", "keys": ["shift", "alt", "n"]},),
}


@pytest.mark.parametrize("application", list(OPENED))
def test_what_an_agent_leaves_does_not_run_in_an_application_that_is_opened_again(application, tmp_path):
    """Nothing of thirty kinds of files, names and variables runs; the new window is read, and tells what is true."""
    with started(application, *SETUPS[application]) as guest:
        guest.act(*DONE.get(application, ()))
        assert not OPENED[application](guest.call("GET", "/session/state"))
        assert "left" in ran(guest, LEFT.format(python=PYTHON, library=library(tmp_path)))
        ran(guest, CLOSE.format(title=None))
        guest.act({"kind": "open_app", "name": application})
        told = told_when(
            guest, lambda told: not told["trouble"] and not told["unsealed"] and OPENED[application](told)
        )
        assert (told["trouble"], told["unsealed"]) == (None, None)
        assert OPENED[application](told), "the window that was opened again is not read"
        assert [path for path in told["collections"]["files"] if path.startswith("ran-")] == []


FORGING = (
    "import serving", "/cmd.count_atoms = lambda *a: 7", "run forge.py", "spawn forge.py", "load forge.pse",
    "iterate all, exec('import os')", "label all, __import__('os').getcwd()", "alias x, color red", "cmd.os.getcwd()",
)  # fmt: skip
FORGER = """
import pickle, pathlib
forged = 'from pymol import cmd, querying\\ncmd.get_names = querying.get_names = lambda *a, **k: ["forged"]\\n'
pathlib.Path('forge.py').write_text(forged)
class Forge:
    def __reduce__(self):
        import os
        return (os.getcwd, ())
pathlib.Path('forge.pse').write_bytes(pickle.dumps({"names": [], "x": Forge()}))
"""


def test_code_in_pymol_breaks_its_seal():
    """Python in PyMOL's own process is told, the state stays as it was before, and reopened it is believed again."""
    with started("pymol", *SETUPS["pymol"]) as guest:
        ran(guest, FORGER)
        for number, line in enumerate(FORGING):
            guest.act({"kind": "type", "text": f"load {PEPTIDE}, pept{number}\n"})
            before = guest.call("GET", "/session/state")
            assert before["unsealed"] is None, f"{before['unsealed']} before {line}"
            guest.act({"kind": "type", "text": f"{line}\n"})
            told = told_when(guest, lambda told: told["unsealed"])
            assert "PyMOL is not believed any more" in (told["unsealed"] or ""), f"{line} is not told"
            assert told["trouble"] is None
            assert told["collections"]["objects"] == before["collections"]["objects"]
            guest.act({"kind": "open_app", "name": "pymol"})
            told = told_when(guest, lambda told: not told["unsealed"] and not told["trouble"])
            assert told["unsealed"] is None, f"after {line}, a new window is not believed"


FAKE = """
import gi, sys
gi.require_version('Gtk', '3.0')
from gi.repository import Gtk
window, box, bar = Gtk.Window(title=sys.argv[1]), Gtk.VBox(), Gtk.MenuBar()
view, menu = Gtk.MenuItem(label='View'), Gtk.Menu()
window.add(box), box.add(bar), bar.append(view), view.set_submenu(menu)
menu.append(Gtk.CheckMenuItem(label='Forged', active=True))
book = Gtk.Notebook()
book.append_page(Gtk.TextView(), Gtk.Label(label='forged'))
box.add(book), box.add(Gtk.Button(label='Save'))
window.show_all(), window.iconify()
book.get_accessible().ref_accessible_child(0).set_description('/home/user/forged.tex')
Gtk.main()
"""
TERMINAL, FRONT = ("page-tab", "Terminal"), {"kind": "click", "x": 700, "y": 20}
FORGED = {"x - TeXstudio", "CoqIDE 2"}
SHARED = "env -u AT_SPI_BUS_ADDRESS DBUS_SESSION_BUS_ADDRESS=unix:path=$XDG_RUNTIME_DIR/bus"
# Typed into the terminal of TeXstudio, whose programs live on, see its bus and are its children.
LIVING = (
    "python3 fake.py 'x - TeXstudio' &",
    f"{SHARED} python3 fake.py 'CoqIDE 2' &",
    "for n in environ mem exe; do head -c 1 /proc/$PPID/$n && touch ran-$n; done",
    "ls /run/buses && touch told-bus; gdb --version && gdb -p $PPID -batch && touch ran-debugger; touch told-all",
)


def shown(guest: Guest) -> set[str]:
    """Return the titles of all windows that an agent sees, hidden ones included."""
    nodes = guest.call("GET", "/tree?all=1")["nodes"]
    return {node["name"] for node in nodes if node["role"] == "frame"}


def test_programs_that_live_beside_an_opened_application_are_not_read():
    """Windows of an agent's programs that look the same are seen by it, but are no state, whichever bus they join."""
    files = ({"do": "write", "path": "fake.py", "text": FAKE}, *SETUPS["texstudio"])
    with started("texstudio", *files, {"do": "start", "application": "coq", "setup": []}) as guest:
        guest.act(*DONE["coq"])
        assert not OPENED["coq"](guest.call("GET", "/session/state"))
        (terminal,) = (node["box"] for node in guest.nodes() if (node["role"], node["name"]) == TERMINAL)
        left, top, width, height = terminal
        guest.act(FRONT, {"kind": "click", "x": left + width // 2, "y": top + height // 2})
        guest.act(
            {"kind": "click", "x": left, "y": top + 120}, {"kind": "type", "text": "\n".join((*LIVING, ""))}
        )
        told_when(
            guest, lambda told: len(shown(guest) & FORGED) == 2 and "told-all" in told["collections"]["files"]
        )
        assert shown(guest) >= FORGED, "the windows of the agent are not seen by it"
        ran(guest, CLOSE.format(title="CoqIDE"))
        guest.act({"kind": "open_app", "name": "coq"})
        told = told_when(guest, lambda told: not told["trouble"] and OPENED["coq"](told))
        assert OPENED["coq"](told), "CoqIDE that was opened again is not read"
        assert "Forged" not in told["collections"]["view"]
        assert list(told["collections"]["editor"]) == [PAPER]
        files = told["collections"]["files"]
        assert "told-bus" in files, "what TeXstudio starts is to see its bus here"
        assert [path for path in files if path.startswith("ran-")] == []


def test_a_window_over_a_curve_does_not_colour_it():
    """What another window shows where KAlgebra paints a curve's colour is not taken for its colour."""
    with started("kalgebra", {"do": "plot2d", "expression": "sin(x)"}) as guest:
        before = guest.collections()["functions2d"]
        guest.act({"kind": "open_app", "name": "kalgebra"})
        told_when(guest, lambda told: sum(node["name"] == "2D Graph" for node in guest.nodes()) > 2)
        assert sum(node["role"] == "application" for node in guest.nodes()) == 2, (
            "no second window lies over it"
        )
        assert guest.collections()["functions2d"] == before


CURVE = {"do": "plot2d", "expression": "sin(x)"}
# Paints a part of the screen, whose windows are others', by each way that X has.
PAINTS = """
from Xlib import X, display
from Xlib.ext import composite, shape
screen = display.Display()
root, way = screen.screen().root, {way!r}
left, top, width, height = {box!r}
if way in ('inside', 'redirect'):
    screen.set_close_down_mode(X.RetainPermanent)
if way == 'redirect':
    root.composite_redirect_subwindows(composite.RedirectManual)
painter = root.create_gc(foreground=0x00ffff, subwindow_mode=X.IncludeInferiors)
def windows(window, x, y):
    for child in window.query_tree().children:
        box = child.get_geometry()
        place = x + box.x, y + box.y
        yield (child, *place, box.width, box.height)
        yield from windows(child, *place)
for window, x, y, wide, high in list(windows(root, 0, 0)):
    if not (x <= left and y <= top and left + width <= x + wide and top + height <= y + high):
        continue
    if way == 'background':
        window.change_attributes(background_pixel=0x00ffff)
        window.clear_area(left - x, top - y, width, height)
    if way == 'inside':
        window.create_window(left - x, top - y, width, height, 0, 24, background_pixel=0x00ffff).map()
    if way == 'shape':
        window.shape_rectangles(shape.SO.Subtract, shape.SK.Bounding, 0, 0, 0, [(left - x, top - y, width, height)])
root.change_attributes(background_pixel=0x00ffff)
root.fill_rectangle(painter, left, top, width, height)
screen.sync()
print('painted')
"""
WAYS = ("drawing", "background", "shape", "inside", "redirect")


def shown_at(guest: Guest, x: int, y: int) -> tuple[int, ...]:
    """Return the colour of a point of the screen."""
    picture = Image.open(BytesIO(guest.client.get("/screenshot", params={"cursor": "0"}).content)).convert(
        "RGB"
    )
    return tuple(picture.getpixel((x, y)))


def typed(guest: Guest, text: str) -> None:
    """Type behind the expression of a surface."""
    (field,) = (node["box"] for node in guest.nodes() if (node["role"], node["value"]) == ("text", "x*y"))
    left, top, width, height = field
    guest.act(
        {"kind": "click", "x": left + width // 2, "y": top + height // 2}, {"kind": "type", "text": text}
    )


@pytest.mark.parametrize("way", WAYS)
def test_a_painted_colour_is_not_that_of_a_curve(way):
    """Whichever way a program paints into KAlgebra's window, the curve keeps the colour that KAlgebra gave it."""
    with started("kalgebra", CURVE, {"do": "tab", "name": "2D Graph"}) as guest:
        before = guest.collections()["functions2d"]
        (cell,) = (node["box"] for node in guest.nodes() if node["name"] == "f0")
        left, top, _, height = cell
        middle = left + round(height * 1.63), top + height // 2
        box = (middle[0] - height // 2, top + 1, height, height - 2)
        mine = shown_at(guest, *middle)
        assert "painted" in ran(guest, PAINTS.format(way=way, box=box))
        assert guest.collections()["functions2d"] == before
        assert way in ("inside", "redirect") or shown_at(guest, *middle) == mine, (
            "KAlgebra has painted it again"
        )


@pytest.mark.parametrize("way", WAYS)
def test_a_painted_surface_is_not_drawn(way):
    """A surface that is typed and painted is not drawn; drawn, it counts where nothing of the painter's is left."""
    with started("kalgebra", {"do": "plot3d", "expression": "x*y"}) as guest:
        typed(guest, "+x")
        before = {"surface": {"expression": "x*y"}}
        assert guest.collections()["plot3d"] == before
        assert "painted" in ran(
            guest, PAINTS.format(way=way, box=(960, 400, 40, 40)).replace("0x00ffff", "0xf0f000")
        )
        assert guest.collections()["plot3d"] == before
        guest.act({"kind": "type", "text": "\n"})
        drawn = way not in ("inside", "redirect")
        told = told_when(guest, lambda told: not drawn or told["collections"]["plot3d"] != before)
        assert (told["collections"]["plot3d"] != before) == drawn
