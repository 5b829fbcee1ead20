"""The door as a server of the Model Context Protocol: a tool for each action, and finish; needs the extra `mcp`.

Each tool call is one step, and its result holds the screen afterwards. Goal, documents and pictures are resources.
"""

from __future__ import annotations

import base64
from contextlib import AbstractAsyncContextManager
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import Route

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.makers.chat.action_spaces.base import strip_surrogates
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.agents.program.endpoints.exchange import Exchange, TooManyCalls
from pytest_cuabench.agents.program.endpoints.openapi import summary
from pytest_cuabench.agents.program.endpoints.wire import (
    FINISH_SCHEMA,
    arguments_schema,
    offered,
    read_finish,
    read_step,
)
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.action import Screenshot, Size
from pytest_cuabench.task.observation import Observation

_ENDED = "The episode has ended; stop now."
_FINISH = (
    "End the task. Nothing can be done afterwards, and the first call counts. Where the task asks for an answer, "
    "give it in answer, exactly in the form that the task wants."
)
_ENDING = "Act by the tools of this server; each call is one turn. End the task by the tool finish."


def mcp_route(exchange: Exchange) -> tuple[Route, AbstractAsyncContextManager[None]]:
    """Return the route of the protocol over streamable HTTP, and what has to run beside it."""
    # The token is checked before; pages of other origins cannot reach a Unix socket.
    settings = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    manager = StreamableHTTPSessionManager(
        _server(exchange), json_response=True, stateless=True, security_settings=settings
    )
    return Route("/mcp", StreamableHTTPASGIApp(manager)), manager.run()


def _server(exchange: Exchange) -> Server[Any]:
    briefing = exchange.briefing
    tools = {
        cls.kind: types.Tool(name=cls.kind, description=summary(cls), input_schema=arguments_schema(cls))
        for cls in offered(briefing.capabilities)
    }
    tools["finish"] = types.Tool(name="finish", description=_FINISH, input_schema=FINISH_SCHEMA)

    async def list_tools(context: Any, asked: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=list(tools.values()))

    async def call_tool(context: Any, call: types.CallToolRequestParams) -> types.CallToolResult:
        if call.name not in tools:
            return _failed(f"there is no tool {call.name!r:.80}; known: {', '.join(tools)}")
        if (
            call.name == Screenshot.kind and exchange.fresh
        ):  # the screen as it is; only looking again is a step
            return _shown(exchange, await exchange.observe())
        try:
            seen = await exchange.act(_decision(call.name, call.arguments or {}, exchange.briefing.screen))
        except ActionError as error:
            return _failed(str(error))
        except RecursionError:
            return _failed("the arguments are nested too deeply")
        except TooManyCalls:
            return _failed("wait for the result of a tool before calling the next one")
        return _shown(exchange, seen)

    async def list_resources(
        context: Any, asked: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[
                types.Resource(name=uri.partition("://")[2], uri=uri, mime_type=content.mime_type)
                for uri, content in contents.items()
            ]
        )

    async def read_resource(context: Any, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        found = contents.get(str(asked.uri))
        return types.ReadResourceResult(contents=[found] if found else [])

    contents = _resources(exchange)
    return Server(
        "cuabench",
        instructions=f"{prompts.instructions(briefing, _ENDING)}\n\n{prompts.task(briefing)}",
        get_tool_input_schema=lambda name: (
            None
        ),  # our own sentences tell what is wrong, and the step is counted
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


def _decision(name: str, arguments: dict[str, Any], screen: Size) -> Decision:
    if name == "finish":
        return read_finish(arguments)
    return read_step({"actions": [{**arguments, "kind": name}]}, screen)


def _resources(exchange: Exchange) -> dict[str, types.TextResourceContents | types.BlobResourceContents]:
    briefing = exchange.briefing
    texts = {"task://goal": briefing.goal}
    texts |= {f"task://document/{number}": text for number, text in enumerate(briefing.documents, 1)}
    found: dict[str, types.TextResourceContents | types.BlobResourceContents] = {
        uri: types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)
        for uri, text in texts.items()
    }
    for number, picture in enumerate(briefing.pictures, 1):
        uri = f"task://picture/{number}"
        found[uri] = types.BlobResourceContents(uri=uri, mime_type="image/png", blob=_base64(picture))
    return found


def _shown(exchange: Exchange, seen: Observation | None) -> types.CallToolResult:
    if seen is None:
        return types.CallToolResult(content=[types.TextContent(type="text", text=_ENDED)])
    told = strip_surrogates(prompts.look(seen))
    turn = f"Turn {exchange.steps} of {exchange.briefing.max_steps}."
    content: list[Any] = [types.TextContent(type="text", text=f"{told}\n{turn}" if told else turn)]
    pictures = [*(each.image for each in seen.results), seen.screenshot]
    content += [
        types.ImageContent(type="image", data=_base64(picture), mime_type="image/png")
        for picture in pictures
        if picture
    ]
    failed = any(each.error for each in seen.results)
    return types.CallToolResult(content=content, is_error=failed)


def _failed(sentence: str) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=strip_surrogates(sentence))], is_error=True
    )


def _base64(picture: bytes) -> str:
    return base64.b64encode(picture).decode()
