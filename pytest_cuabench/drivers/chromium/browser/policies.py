"""Settings of a browser with a window: flags, and the policies by which a company manages its computers.

Without a window a browser has no pages of its own, no menus and no dialogs about files, and needs neither.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

FLAGS = (
    "--test-type",  # no bar about flags that are not supported
    "--no-default-browser-check",
    "--password-store=basic",
)
# What a person at a managed computer cannot do either: leave the application, see its sources, read or write files.
POLICIES: Mapping[str, Any] = {
    "URLBlocklist": ["chrome://*", "chrome-extension://*", "devtools://*", "file://*", "view-source:*"],
    "AllowFileSelectionDialogs": False,  # they show this computer's files; `dialogs.py` has ours
    "PrintingEnabled": False,  # `Tab.print` makes the PDF
    "BookmarkBarEnabled": False,
    "EditBookmarksEnabled": False,
    "TranslateEnabled": False,
    "PasswordManagerEnabled": False,
    "EnableMediaRouter": False,
    "DefaultFileSystemReadGuardSetting": 2,  # blocked without a question, as are those below
    "DefaultFileSystemWriteGuardSetting": 2,
    "DefaultGeolocationSetting": 2,
    "DefaultNotificationsSetting": 2,
    "AudioCaptureAllowed": False,
    "VideoCaptureAllowed": False,
    "ScreenCaptureAllowed": False,
    "QRCodeGeneratorEnabled": False,
    "LensOverlaySettings": 1,
    "LensDesktopNTPSearchEnabled": False,
}
_SOCKETS = Path("/tmp/.X11-unix")  # noqa: S108 - where every X client looks
_NUMBER = 7500  # no other server's: a client prefers one of the same number that has no file
_POLICY_FOLDERS = ("chromium", "chromium-browser", "opt/chrome", "opt/chrome_for_testing")  # below /etc


def on_display(socket: str, folder: Path) -> dict[str, str]:
    """Return the variables that show a browser on an X server under the policies; `folder` is for its files.

    Chromium reads policies below /etc only, and finds X servers by their numbers. So it gets an /etc of its own, with
    everything else that is there, and a display of its own, by arguments for bubblewrap that `chromium.sh` passes on.
    """
    policies = folder / "policies"
    policies.mkdir(exist_ok=True)
    (policies / "policies.json").write_text(json.dumps(POLICIES), encoding="utf-8")
    words = ["--dev-bind", "/", "/", "--tmpfs", "/etc", *_kept(Path("/etc"))]
    for name in _POLICY_FOLDERS:
        words += ["--ro-bind", str(policies), f"/etc/{name}/policies/managed"]
    with suppress(FileExistsError):  # else with the mode that X servers give it
        _SOCKETS.mkdir()
        _SOCKETS.chmod(0o1777)
    words += ["--tmpfs", str(_SOCKETS), "--symlink", socket, str(_SOCKETS / f"X{_NUMBER}")]
    arguments = folder / "bubblewrap"
    arguments.write_bytes(b"".join(word.encode() + b"\0" for word in words))
    return {"DISPLAY": f":{_NUMBER}", "CHROMIUM_BUBBLEWRAP": str(arguments)}


def _kept(etc: Path) -> Iterator[str]:
    replaced = {name.split("/")[0] for name in _POLICY_FOLDERS}
    for path in sorted(etc.iterdir()):
        if path.name not in replaced:
            yield from ("--ro-bind-try", str(path), str(path))
