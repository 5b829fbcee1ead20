"""Whether the workers of a host should share one world program or have one each: time and memory of both.

Each simulated worker plays sessions as episodes do, without a browser: it opens one, signs in, asks for pages, and
reads the state after each. Both ways run one after the other on the same machine.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx2
import psutil

from pytest_cuabench.drivers.worlds import find_world

EPISODES, PAGES = 20, 15


class Program:
    """A running world."""

    def __init__(self, folder: Path) -> None:
        spec = find_world("clinic")
        self.socket = folder / "control"
        command = [
            sys.executable,
            "-m",
            spec.module,
            "--listen",
            "127.0.0.1:0",
            "--control",
            str(self.socket),
        ]
        self.process = subprocess.Popen(
            [*command, "--fixtures", str(spec.fixtures), "--until-eof"],
            cwd=spec.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.listen: str = json.loads(self.process.stdout.readline())["listen"]

    def held(self) -> int:
        """Return the bytes it holds, shared pages in part."""
        return int(psutil.Process(self.process.pid).memory_full_info().pss)

    def stop(self) -> None:
        """End it."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(20)


def play(socket: str, listen: str) -> None:
    """Play the episodes of one worker."""
    control = httpx2.Client(transport=httpx2.HTTPTransport(uds=socket), base_url="http://control")
    for seed in range(EPISODES):
        body = {"application": "emergency_triage", "seed": seed % 3}
        session = control.post("/sessions", json=body).raise_for_status().json()
        path = f"/sessions/{session['id']}"
        users = control.get(f"{path}/state").json()["collections"]["users"].values()
        user = next(row for row in users if row["role"] == "triage_nurse")
        host = session["origin"].removeprefix("http://")
        headers = {"host": host, "origin": session["origin"]}
        with httpx2.Client(base_url=f"http://{listen}", headers=headers) as browser:
            browser.post("/login", data={"user_id": user["user_id"], "password": user["password"]})
            for _ in range(PAGES):
                browser.get("/board").raise_for_status()
                control.get(f"{path}/state")
        control.delete(path)


def measure(workers: int, worlds: int) -> tuple[float, float]:
    """Return episodes a second and MiB of all worlds."""
    with tempfile.TemporaryDirectory(prefix="cua-") as folder:
        places = [Path(folder) / str(number) for number in range(worlds)]
        for place in places:
            place.mkdir()
        programs = [Program(place) for place in places]
        chosen = [programs[number % worlds] for number in range(workers)]
        players = [
            multiprocessing.Process(target=play, args=(str(program.socket), program.listen))
            for program in chosen
        ]
        start = time.perf_counter()
        for player in players:
            player.start()
        for player in players:
            player.join()
            if player.exitcode:
                raise SystemExit("a simulated worker broke; see above")
        seconds = time.perf_counter() - start
        held = sum(program.held() for program in programs)
        for program in programs:
            program.stop()
    return workers * EPISODES / seconds, held / 2**20


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, nargs="+", default=[2, 4, 8])
    for workers in parser.parse_args().workers:
        shared, one = measure(workers, 1)
        own, many = measure(workers, workers)
        print(
            f"{workers} workers: one world for all {shared:.1f} episodes/s and {one:.0f} MiB; "
            f"one each {own:.1f} episodes/s and {many:.0f} MiB; {own / shared:.2f}x the speed"
        )


if __name__ == "__main__":
    main()
