"""The Gymnasium environment on a fake world."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from serving.conftest import NOTE, PLAIN

from pytest_cuabench.errors import ActionError, SettingError

gym = pytest.importorskip("pytest_cuabench.serving.gym", reason="type: pip install 'pytest-cuabench[gym]'")

MakeEnv = Callable[..., Any]


@pytest.fixture
def make_env(desk: pytest.Pytester, collected: object) -> Iterator[MakeEnv]:
    """Make environments of the sample suite, and close them after the test."""
    made = []
    driver = desk.path / "suites" / "sample" / "desk_driver.py"
    driver.write_text(driver.read_text().replace("react)", "react, context.suite.screen)"))
    gym._collected.cache_clear()

    def making(**options: Any) -> Any:
        given = {"options": PLAIN, "select": "note", "seeds": "0-2", **options}
        made.append(gym.make("suites/sample", **given))
        return made[-1]

    yield making
    for env in made:
        env.close()
    gym._collected.cache_clear()


def test_gymnasium_checks_it(make_env: MakeEnv) -> None:
    """Gymnasium's own checker finds nothing wrong, warnings included: spaces, seeds and repeated steps."""
    from gymnasium.utils.env_checker import check_env

    check_env(make_env(render_mode="rgb_array").unwrapped)


def test_a_task_is_solved(make_env: MakeEnv) -> None:
    """The reward is 0 until the end, and 1 for a task that was done; the goal is in each observation."""
    env = make_env()
    seen, info = env.reset(options={"instance": NOTE})
    assert (seen["goal"], info["instance"]) == ("Sit down. Note that Ada was seen.", NOTE)
    seen, reward, terminated, truncated, _ = env.step(gym.act("key", keys=["n"]))
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert seen["screenshot"].shape == (480, 640, 3)
    _, reward, terminated, truncated, info = env.step(gym.act("terminate", status="success"))
    assert (reward, terminated, truncated, info["success"]) == (1.0, True, False, True)


def test_a_broken_world_has_no_number_for_a_reward(make_env: MakeEnv) -> None:
    """A world that breaks truncates the episode with the reward NaN, so that it cannot count as a failure."""
    env = make_env().unwrapped  # its usual wrappers warn of NaN
    env.reset(options={"instance": NOTE})
    _, reward, terminated, truncated, info = env.step(gym.act("key", keys=["b"]))
    assert math.isnan(reward)
    assert (terminated, truncated) == (False, True)
    assert "fell over" in info["error"]


def test_a_budget_truncates(make_env: MakeEnv) -> None:
    """An episode that used up its steps is truncated, which is not the same as terminated."""
    env = make_env(options=(*PLAIN, "--cua-max-steps=1"))
    env.reset(seed=3)
    assert env.step(gym.act("key", keys=["tab"]))[2:4] == (False, True)


def test_resets_take_from_the_split(make_env: MakeEnv) -> None:
    """A reset without options takes an instance of `train`, the same for the same seed; `test` can be asked for."""
    env = make_env()
    _, first = env.reset(seed=7)
    _, again = env.reset(seed=7)
    assert first["instance"] == again["instance"]
    assert first["instance"].endswith(("-s1", "-s2"))
    _, info = env.reset(options={"split": "test", "index": 1})
    assert info["instance"] == "desk/note-step"


def test_environments_share_their_worlds(make_env: MakeEnv) -> None:
    """Environments of one process share one thread and pool, and the last one that is closed ends it."""
    first, second = make_env(), make_env()
    first.reset(seed=1)
    second.reset(seed=1)
    shared = first.unwrapped._shared
    assert shared is second.unwrapped._shared
    assert shared._sessions.playing == 2
    first.close()
    assert second.step(gym.act("terminate", status="success"))[1] == 0.0
    second.close()
    assert not shared._thread.is_alive()


def test_several_at_once(make_env: MakeEnv) -> None:
    """Gymnasium's SyncVectorEnv plays several environments and resets those that ended."""
    from gymnasium.vector import SyncVectorEnv

    envs = SyncVectorEnv([lambda: make_env() for _ in range(3)])
    envs.reset(seed=1)
    stop = gym.act("terminate", status="success")
    _, rewards, terminated, _, _ = envs.step([gym.act("key", keys=["tab"]), stop, stop])
    assert rewards.tolist() == [0.0, 0.0, 0.0]
    assert terminated.tolist() == [False, True, True]
    envs.step([stop] * 3)
    envs.close()


@pytest.mark.parametrize("text", ["", "huh", "[]", '{"kind": "explode"}', "[" * 100_000, '{"kind": 3}'])
def test_garbage_is_the_agents_mistake(make_env: MakeEnv, text: str) -> None:
    """A text that is no action is told in the next observation, and does not end the episode."""
    env = make_env()
    env.reset(seed=1)
    seen, _, terminated, truncated, _ = env.step(text)
    assert not terminated
    assert not truncated
    assert "not understood" in json.loads(seen["messages"])["notices"][0]


def test_mistakes_are_refused(make_env: MakeEnv) -> None:
    """A step before the reset, unknown options and a picture that is not observed are refused in one sentence."""
    env = make_env().unwrapped
    with pytest.raises(ActionError, match="call reset"):
        env.step(gym.act("key", keys=["n"]))
    with pytest.raises(SettingError, match="unknown option 'instanse'"):
        env.reset(options={"instanse": NOTE})
    with pytest.raises(SettingError, match="no picture to render"):
        make_env(observation="tree", render_mode="rgb_array")
    with pytest.raises(ActionError, match="missing argument"):
        gym.act("key")
