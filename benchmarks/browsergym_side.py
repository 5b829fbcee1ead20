"""The peer's half of `against_browsergym.py`; runs in the peer's own environment and prints one JSON line.

usage: browsergym_side.py URL EPISODES STEPS FOLDER OBSERVATION_DELAY
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy
from browsergym.core.env import BrowserEnv
from browsergym.core.task import OpenEndedTask
from cpu import Processor
from PIL import Image


def main() -> None:
    url, episodes, steps, folder, delay = sys.argv[1:6]
    # slow_mo is 1000 ms by default; 0 is the peer's fastest setting and the fair one to compare with.
    env = BrowserEnv(
        OpenEndedTask,
        task_kwargs={"start_url": url, "goal": "none"},
        slow_mo=0,
        pre_observation_delay=float(delay),
    )
    resets, acted, recorded, resets_cpu, acted_cpu = [], [], [], [], []
    processor = Processor()
    for episode in range(int(episodes)):
        before, start = processor.spent(), time.perf_counter()
        observation, _ = env.reset(seed=episode)
        resets.append(time.perf_counter() - start)
        resets_cpu.append(processor.spent() - before)
        for step in range(int(steps)):
            before, start = processor.spent(), time.perf_counter()
            observation, *_ = env.step(f"mouse_click({400 + step}, 300)")
            acted.append(time.perf_counter() - start)
            acted_cpu.append(processor.spent() - before)
            start = time.perf_counter()
            Image.fromarray(numpy.asarray(observation["screenshot"])).save(
                Path(folder) / f"{episode}-{step}.png"
            )
            recorded.append(time.perf_counter() - start)
    env.close()
    found = {"reset": resets, "step": acted, "recording": recorded}
    print(json.dumps({**found, "reset CPU": resets_cpu, "step CPU": acted_cpu}))


main()
