"""One Chromium per worker: started on demand, restarted after a crash, and cleaned up completely."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.drivers.chromium.browser.policies import FLAGS, on_display
from pytest_cuabench.drivers.chromium.observing.locating import register
from pytest_cuabench.drivers.chromium.session.clipboard import BrowserClipboard
from pytest_cuabench.drivers.chromium.session.interrupts import bounded
from pytest_cuabench.drivers.chromium.session.origin_policy import NOWHERE
from pytest_cuabench.drivers.scratch import Scratch
from pytest_cuabench.errors import EnvironmentFailure

if TYPE_CHECKING:
    from playwright import async_api as playwright

    from pytest_cuabench.drivers.chromium.browser.display import Display

_FLAGS = (
    "--disable-quic",  # runs over UDP, which passes by a proxy
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",  # screenshots of software rendering are faster than of an emulated GPU
    "--disable-smooth-scrolling",  # a wheel notch arrives in one frame
    "--disable-spell-checking",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--autofill-server-url=none",
    "--dns-prefetch-disable",
    "--proxy-server=http://0.0.0.0:9",  # for the browser itself, which asks nobody; each context has its own
    "--proxy-bypass-list=<-loopback>",  # loopback addresses, too, which Chromium excepts by default
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # the value stands in this switch
)
PROGRAM = Path(__file__).with_name("chromium.sh")  # starts Chromium
_START = 60.0
_STOP = 10.0


class Chromium:
    """A browser that is started on demand.

    Args:
        executable: The program; found on this computer when not given.
        headless: False shows a window, for a person.
        hosts: Host names that DNS resolves besides localhost, for worlds on other computers.
        shared: Whether several episodes use it at the same time.
        display: The private screen to show a window on, for one episode at a time; it is closed with the browser.
    """

    def __init__(
        self,
        executable: Path | None = None,
        *,
        headless: bool = True,
        hosts: tuple[str, ...] = (),
        shared: bool = False,
        display: Display | None = None,
    ) -> None:
        self.display = display
        self.clipboard = BrowserClipboard(shared)
        self.headless = headless and display is None
        self._nowhere = ", ".join((NOWHERE, *(f"EXCLUDE {host}" for host in hosts)))
        self._executable = executable
        self._driver: playwright.Playwright | None = None
        self._browser: playwright.Browser | None = None
        self._pid: int | None = None
        self._group: int | None = None
        self._folder: Scratch | None = None
        self._lock = asyncio.Lock()

    @property
    def alive(self) -> bool:
        """Whether a browser runs and answers."""
        return self._browser is not None and self._browser.is_connected()

    @property
    def pid(self) -> int | None:
        """The process of the running browser."""
        return self._pid if self.alive else None

    async def context(self, **options: Any) -> playwright.BrowserContext:
        """Return a new context, with options as Playwright's `new_context` takes them.

        Raises:
            SettingError: No browser is installed.
            EnvironmentFailure: The browser does not start.
        """
        from playwright.async_api import Error

        browser = await self._running()
        with suppress(
            Error, TimeoutError
        ):  # the browser has just died without an event yet: start another below
            async with asyncio.timeout(_START):
                return await browser.new_context(**options)
        async with bounded("open a new context", _START):
            async with self._lock:
                if self._browser is browser:  # nobody has started another yet
                    await self._end()
            return await (await self._running()).new_context(**options)

    async def close(self) -> None:
        """Stop the browser and all its processes; may be called twice."""
        async with self._lock:
            await self._end()
            if self._driver is not None:
                driver, self._driver = self._driver, None
                await _quietly(driver.stop())
            if self._folder is not None:
                self._folder.remove()
                self._folder = None
            if self.display is not None:
                await self.display.close()

    async def _running(self) -> playwright.Browser:
        async with self._lock:
            if self._browser is None or not self._browser.is_connected():
                await self._end()
                self._browser = await self._launch()
            return self._browser

    async def _launch(self) -> playwright.Browser:
        executable = self._executable or find_chromium(None, headless=self.headless)
        screen = await self.display.start() if self.display is not None else None
        async with bounded("start", _START):
            if self._driver is None:
                self._driver = await _start_playwright()
            if self._folder is None:
                self._folder = Scratch("cuabench-chromium-")
            browser = await self._driver.chromium.launch(
                executable_path=PROGRAM,
                headless=self.headless,
                args=[*_FLAGS, *(FLAGS if screen else ()), self._nowhere],
                ignore_default_args=[
                    "--hide-scrollbars"
                ],  # an agent must see that a part scrolls, and drag it
                downloads_path=self._folder.path,
                env={
                    **os.environ,
                    # So that all temporary files of the browser are removed with the folder.
                    "TMPDIR": str(self._folder.path),
                    "CHROMIUM_PROGRAM": str(executable),
                    **(on_display(screen, self._folder.path) if screen else {}),
                },
                handle_sigint=False,  # pytest decides what an interrupt means
                handle_sigterm=False,
                handle_sighup=False,
            )
            self._pid = await _process(browser)
            self._group = _own_group(self._pid)
            browser.on("disconnected", lambda _: self._sweep())
            return browser

    async def _end(self) -> None:
        if self._browser is not None:
            browser, self._browser = self._browser, None
            await _quietly(browser.close())
        self._sweep()

    def _sweep(self) -> None:
        """Kill the remaining processes of a dead browser, which share its process group."""
        group, self._group = self._group, None
        if group is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)


async def _start_playwright() -> playwright.Playwright:
    from playwright.async_api import async_playwright

    # A page that calls the driver's binding with nonsense would otherwise end it, and with it every episode.
    # Playwright gives its driver this process's environment and takes no other, so it is changed during the start.
    options = os.environ.get("NODE_OPTIONS")
    os.environ["NODE_OPTIONS"] = " ".join(filter(None, (options, "--unhandled-rejections=none")))
    try:
        driver = await async_playwright().start()
        await register(driver)
        return driver
    except Exception as error:  # Playwright raises a bare Exception if its Node program cannot run
        raise EnvironmentFailure(
            f"Playwright's driver does not start ({str(error).splitlines()[0]}); on a small Debian it lacks a "
            "library, type: apt-get install libatomic1"
        ) from error
    finally:
        if options is None:
            del os.environ["NODE_OPTIONS"]
        else:
            os.environ["NODE_OPTIONS"] = options


async def _process(browser: playwright.Browser) -> int:
    # Playwright does not tell a browser's process.
    session = await browser.new_browser_cdp_session()
    processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
    await session.detach()
    return next(int(process["id"]) for process in processes if process["type"] == "browser")


def _own_group(pid: int) -> int | None:
    """Return the process group to kill as a whole; its leader may be a script that started the browser."""
    with suppress(ProcessLookupError):
        group = os.getpgid(pid)
        # Never our own group, which pytest is in.
        return group if group != os.getpgrp() else None
    return None


async def _quietly(ending: Any) -> None:
    """Await a shutdown, ignoring errors because it may have happened already."""
    from playwright.async_api import Error

    with suppress(Error, TimeoutError):
        async with asyncio.timeout(_STOP):
            await ending
