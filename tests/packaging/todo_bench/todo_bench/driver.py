"""A driver without a browser: what is typed is posted to the world."""

from urllib.parse import urlsplit

import httpx2

from pytest_cuabench import (
    ActionError,
    ActionResult,
    Activity,
    DriverContext,
    Environment,
    EnvironmentFailure,
    Instance,
    Observation,
    State,
    World,
    find_world,
)
from pytest_cuabench.task.action import Action, Type, check_on_screen
from pytest_cuabench.testing import blank_png


def open_todo(context: DriverContext) -> Environment:
    """Return the environment of a suite."""
    suite = context.suite
    world = context.shared(f"world {suite.world}", lambda: World(find_world(suite.world, suite.folder)))
    return TodoEnvironment(world, context)


class TodoEnvironment(Environment):
    """A list of things to do, and a keyboard."""

    capabilities = ("keyboard",)

    def __init__(self, world: World, context: DriverContext) -> None:
        self.screen = context.suite.screen
        self._world = world
        self._session = None

    async def reset(self, instance: Instance) -> None:
        """Open a new session of the world."""
        await self.close()
        self._session = await self._world.open(instance.task.application, instance.seed)

    async def observe(self, kind: str) -> Observation:
        """Return a white screen."""
        return Observation(self.screen, screenshot=blank_png(self.screen))

    async def perform(self, action: Action) -> ActionResult:
        """Post what is typed."""
        try:
            check_on_screen(action, self.screen, self.capabilities)
        except ActionError as error:
            return ActionResult(error=str(error))
        if isinstance(action, Type):
            host = urlsplit(self._session.origin).netloc  # only browsers know *.localhost by themselves
            async with httpx2.AsyncClient(trust_env=False, headers={"Host": host}) as client:
                reply = await client.post(f"http://127.0.0.1:{host.partition(':')[2]}/", content=action.text)
            if reply.status_code != 204:
                raise EnvironmentFailure(f"the list answered {reply.status_code}")
        return ActionResult()

    async def settle(self) -> None:
        """Nothing moves."""

    async def state(self) -> State:
        """Return what the world says."""
        return await self._session.state()

    async def revision(self) -> int:
        """Return the number of the last write."""
        return await self._session.revision()

    async def activity(self) -> Activity:
        """Return nothing: no request is logged."""
        return Activity()

    async def close(self) -> None:
        """End the session."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()
