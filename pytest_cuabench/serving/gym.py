"""A suite as a Gymnasium environment.

    from pytest_cuabench.serving.gym import act, make

    env = make("medcua", select="login and intent")
    seen, info = env.reset(seed=1)
    seen, reward, terminated, truncated, info = env.step(act("click", x=640, y=300))

Environments of one process share a browser and a world program. The reward comes with the last step; an episode that
broke has the reward NaN and `info["error"]`, is truncated, and is to be left out of the training.
"""

from __future__ import annotations

import io
import json
import math
import string
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, SupportsFloat, cast

try:
    import gymnasium
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "pytest_cuabench.serving.gym needs the package 'gymnasium'; type: pip install 'pytest-cuabench[gym]'"
    ) from missing
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import register
from numpy.typing import NDArray
from PIL import Image

from pytest_cuabench.agents.builtin.random import RandomAgent
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.agents.program.endpoints.wire import observation_to_json
from pytest_cuabench.errors import ActionError, SettingError
from pytest_cuabench.serving.catalogue import HELD_OUT, SEEDS, TRAIN, Catalogue, collect
from pytest_cuabench.serving.sessions import Turn
from pytest_cuabench.serving.thread import Shared
from pytest_cuabench.task.action import Size, parse_action
from pytest_cuabench.task.model import phase_places
from pytest_cuabench.task.observation import Observation

ID = "pytest_cuabench/Suite-v0"
MOST_TEXT = 1_000_000  # characters of a text in an observation or an action
_TREE_PARTS = ("tree", "marks", "dom")


def act(kind: str, **arguments: Any) -> str:
    """Return an action as `CuabenchEnv.step` takes it, such as `act("click", x=640, y=300)`.

    Raises:
        ActionError: There is no such action, or it has other arguments.
    """
    action = parse_action({"kind": kind, **arguments})
    return json.dumps(action.to_json())


def make(suite: str, **options: Any) -> gymnasium.Env[dict[str, Any], str]:
    """Return the environment of a suite, with Gymnasium's usual wrappers."""
    return gymnasium.make(ID, suite=suite, **options)


class AnyText(spaces.Text):
    """Texts of any characters: pages hold more than a set of them could name."""

    def __init__(self) -> None:
        # The characters are for Gymnasium's own sampling; `contains` accepts any.
        super().__init__(MOST_TEXT, min_length=0, charset=string.printable)

    def contains(self, x: Any) -> bool:
        """Whether it is a text, and no longer than may be."""
        return isinstance(x, str) and len(x) <= MOST_TEXT


class Actions(AnyText):
    """Actions as JSON: an object, or a list of objects that are carried out in order; see `act`."""

    def __init__(self, screen: Size) -> None:
        super().__init__()
        self.screen = screen

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Return a random action of a pointer or keyboard, on the screen."""
        player = RandomAgent(Profile(adapter="random"))
        # By the space's own generator, so that seeding the space repeats its samples.
        player.seed(int(self.np_random.integers(2**31)), self.screen)
        return json.dumps(player.choose().to_json())


class CuabenchEnv(gymnasium.Env[dict[str, Any], str]):
    """Episodes of a suite.

    An observation has `goal`, the task in words; `screenshot`, unless `observation` is `tree` or `dom`; `text`, the
    accessibility tree, marks or page text as JSON, where `observation` asks for one; `messages`, the results and
    notices of the last step as JSON. When a phase ends, such as the search for a document, `goal` is the next one's
    and `info` has what a reset's has: `instance`, `phase`, `max_steps`, and the `pictures` of the goal's documents.

    Args:
        suite: The name of a suite, or a path.
        observation: What pytest's `--cua-observation` accepts.
        seeds: Seeds of the worlds, as in `--cua-seeds`.
        held_out: Those of them that `train` does not have.
        split: Where a reset without `options` takes an instance from.
        select: As in pytest's `-k`.
        options: Further options of pytest, such as `--cua-max-steps=20`.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 2}  # noqa: RUF012 - Gymnasium's own form

    def __init__(
        self,
        suite: str,
        *,
        observation: str = "screenshot",
        seeds: str = SEEDS,
        held_out: Collection[int] = HELD_OUT,
        split: str = TRAIN,
        select: str | None = None,
        options: Collection[str] = (),
        render_mode: str | None = None,
    ) -> None:
        chosen = ("-k", select) if select else ()
        given = (f"--cua-observation={observation}", f"--cua-seeds={seeds}", *chosen, *options)
        self._catalogue = _collected(suite, given, tuple(held_out))
        if render_mode not in (None, "rgb_array"):
            raise SettingError(f"render_mode is {render_mode!r}, but must be 'rgb_array' or None")
        pictures = observation not in ("tree", "dom")
        if render_mode and not pictures:
            raise SettingError(
                f"the observation {observation!r} has no picture to render; use 'screenshot+tree'"
            )
        self.render_mode, self.split = render_mode, split
        screen = self._screen()
        parts: dict[str, spaces.Space[Any]] = {"goal": AnyText(), "messages": AnyText()}
        if pictures:
            parts["screenshot"] = spaces.Box(0, 255, (screen.height, screen.width, 3), np.uint8)
        if observation != "screenshot":
            parts["text"] = AnyText()
        self.observation_space = spaces.Dict(parts)
        self.action_space: Actions = Actions(screen)
        self._shared: Shared | None = None
        self._seen: dict[str, Any] | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode: of `options["instance"]`, of `options["index"]` and `["split"]`, or of a random instance.

        Raises:
            SettingError: There is no such instance, or it cannot be played here.
            RuntimeError: The world broke; reset again.
        """
        super().reset(seed=seed)
        offer = self._offer(options or {})
        if self._shared is None:
            self._shared = Shared.enter(self._catalogue)
            self._session = self._shared.session()
        turn = self._shared.wait(self._session.reset(offer))
        if turn.seen is None or turn.done:
            raise RuntimeError(f"{offer.instance.id} could not be reset: {turn.info.get('error')}")
        told = self._told(turn)
        self._seen = self._observation(turn.seen)
        return self._seen, told

    def step(self, action: str) -> tuple[dict[str, Any], SupportsFloat, bool, bool, dict[str, Any]]:
        """Carry out actions.

        Raises:
            ActionError: No episode has begun, or it has ended.
        """
        if self._shared is None or self._seen is None:
            raise ActionError("no episode has begun: call reset() before step()")
        turn = self._shared.wait(self._session.step({"actions": _actions(action)}))
        told = self._told(turn)
        if turn.seen is not None:
            self._seen = self._observation(turn.seen)
        return (
            self._seen,
            _reward(turn),
            turn.done and not turn.ended_by_budget,
            turn.ended_by_budget,
            {**told, **turn.info},
        )

    def render(self) -> Any:
        """Return the last screenshot, in the render mode `rgb_array`."""
        return self._seen["screenshot"] if self.render_mode and self._seen else None

    def close(self) -> None:
        """End the episode; with the last environment of this process, the browser and the world as well."""
        shared, self._shared, self._seen = self._shared, None, None
        if shared is not None:
            shared.wait(self._session.close())
            shared.leave()

    def _told(self, turn: Turn) -> dict[str, Any]:
        """Keep the goal of a new briefing, and return what else it tells; empty without one."""
        briefing, offer = turn.briefing, self._session.offer
        if briefing is None or offer is None:
            return {}
        self._goal = "\n\n".join((*briefing.documents, briefing.goal))
        return {
            "instance": offer.instance.id,
            "phase": briefing.phase,
            "max_steps": briefing.max_steps,
            "pictures": [_pixels(picture) for picture in briefing.pictures],
        }

    def _offer(self, options: Mapping[str, Any]) -> Any:
        if unknown := set(options) - {"instance", "split", "index"}:
            raise SettingError(f"reset: unknown option {min(unknown)!r}; known: instance, split, index")
        if "instance" in options:
            return self._catalogue.named(options["instance"])
        split = options.get("split", self.split)
        index = options.get("index", int(self.np_random.integers(len(self._catalogue.split(split)))))
        return self._catalogue.chosen(split, index)

    def _screen(self) -> Size:
        screens = {offer.suite.screen for offer in self._catalogue.offers}
        if len(screens) > 1:
            sizes = ", ".join(sorted(map(str, screens)))
            raise SettingError(f"the selected instances have screens of {sizes}; select those of one size")
        phases = {place.screen for offer in self._catalogue.offers for place in phase_places(offer.suite)}
        widths, heights = zip(*(screens | phases), strict=True)
        return Size(max(widths), max(heights))

    def _observation(self, seen: Observation) -> dict[str, Any]:
        told = observation_to_json(seen, 0, 0)
        messages = {"results": told["results"], "notices": told["notices"], "tabs": told["tabs"]}
        found: dict[str, Any] = {"goal": self._goal, "messages": _text(messages)}
        known = cast(spaces.Dict, self.observation_space)
        if "text" in known.spaces:
            found["text"] = _text({part: told[part] for part in _TREE_PARTS if told[part] is not None})
        if "screenshot" in known.spaces:
            assert seen.screenshot is not None
            found["screenshot"] = _filled(_pixels(seen.screenshot), self.action_space.screen)
        return found


@cache
def _collected(suite: str, options: tuple[str, ...], held_out: tuple[int, ...]) -> Catalogue:
    """Collect once in a process."""
    catalogue = collect(suite, options, held_out)
    catalogue.check(None)
    return catalogue


def _actions(text: object) -> Any:
    """Return the actions of a text; what is no JSON is the agent's mistake, which the episode counts."""
    try:
        data = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        data = {"kind": "no JSON"}
    return data if isinstance(data, list) and 1 <= len(data) <= 50 else [data]


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)[:MOST_TEXT]


def _reward(turn: Turn) -> float:
    if not turn.done:
        return 0.0
    return math.nan if turn.reward is None else turn.reward


def _pixels(png: bytes) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(png)) as picture:
        return np.asarray(picture.convert("RGB"), dtype=np.uint8)


def _filled(picture: NDArray[np.uint8], screen: Size) -> NDArray[np.uint8]:
    """Return a picture of a smaller screen, such as a phase's, with black to the right and below."""
    height, width, _ = picture.shape
    return np.pad(picture, ((0, screen.height - height), (0, screen.width - width), (0, 0)))


register(ID, entry_point="pytest_cuabench.serving.gym:CuabenchEnv")
