"""How the steps before are told to a model in its maker's own form."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from pytest_cuabench.agents.makers.chat.conversation import PublishedConversation, Telling, filled
from pytest_cuabench.agents.makers.chat.official import prompt_file
from pytest_cuabench.agents.models.pictures import size_of
from pytest_cuabench.task.action import Size
from pytest_cuabench.testing import blank_png

PNG = blank_png(Size(64, 48))


def told(
    telling: Telling,
    task: str,
    *,
    steps: int,
    history: int = 2,
    words: str = "",
    replies: str = "Action: step {}.",
) -> list[str]:
    """Return each message as its role and content, pictures as a star, before step number `steps`."""
    conversation = PublishedConversation("S", task, history, telling, {"goal": "G {previous}"})
    for number in range(1, steps):
        conversation.show("", [PNG])
        conversation.said({"role": "assistant", "content": replies.format(number)}, "why")
    conversation.show(words, [PNG])
    return [f"{message['role'][0]}:{flat(message['content'])}" for message in conversation.messages()]


def flat(content: Any) -> str:
    """Return a content with a star for each picture."""
    return content if isinstance(content, str) else "".join(part.get("text", "*") for part in content)


STEPS = Telling(task="oldest", step="\n{number} {action}", none=" -", action="Action: (.*)")


@pytest.mark.parametrize(
    ("steps", "messages"),
    [
        (1, ["s:S", "u:*G {previous}; done: -"]),
        (2, ["s:S", "u:*G {previous}; done: -", "a:Action: step 1.", "u:*"]),
        (
            4,
            ["s:S", "u:*G {previous}; done:\n1 step 1.\n2 step 2.", "a:Action: step 3.", "u:*"],
        ),
    ],
)
def test_task_with_the_oldest_picture(steps: int, messages: list[str]) -> None:
    """Older steps are listed in the task, which goes with the oldest picture; a goal is never read as a placeholder."""
    assert told(STEPS, "{goal}; done:{previous}", steps=steps) == messages


def test_task_with_the_newest_picture() -> None:
    """Older steps become one message of the assistant's; the newer ones keep their pictures."""
    telling = Telling(task="newest", said="#{number} {thought}: {action}\n", action="Action: (.*)")
    assert told(telling, "{goal}", steps=4) == [
        "s:S", "a:#1 why: step 1.\n\n#2 why: step 2.\n", "u:*", "a:#3 why: step 3.\n", "u:*G {previous}",
    ]  # fmt: skip


def test_task_before_all_pictures() -> None:
    """All replies are told again, and the newest pictures."""
    assert told(Telling(task="before"), "{goal}", steps=4) == [
        "s:S", "u:G {previous}", "a:Action: step 1.", "a:Action: step 2.", "u:*", "a:Action: step 3.", "u:*",
    ]  # fmt: skip


def test_task_with_the_first_picture() -> None:
    """The task stays when its picture goes; other looks have words of their own."""
    telling = Telling(task="first", look="{screenshot}look {number}")
    assert told(telling, "{goal}", steps=2) == ["s:S", "u:*G {previous}", "a:Action: step 1.", "u:*look 2"]
    assert told(telling, "{goal}", steps=3) == [
        "s:S", "u:G {previous}", "a:Action: step 1.", "u:*look 2", "a:Action: step 2.", "u:*look 3",
    ]  # fmt: skip


def test_one_message_alone() -> None:
    """Everything stands in one message, with pictures where the steps say, and what the model remembers."""
    telling = Telling(
        task="alone",
        step="[{number} {screenshot} {action}]",
        omitted="gone",
        action=r"(step \d)",
        remembered="Memory:(.*)",
        nothing="none",
    )
    task = "{goal}{previous} {remembered} {screenshot}"
    assert told(telling, task, steps=1) == ["s:S", "u:G {previous} none *"]
    replies = "step {0} Memory: m{0}"
    assert told(telling, task, steps=3, replies=replies) == [
        "s:S", "u:G {previous}[1 gone step 1][2 * step 2] m2 *",
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["before", "first", "oldest", "newest", "alone"])
def test_errors_are_told(form: Any) -> None:
    """What went wrong in the last step stands behind the newest picture, whatever the form."""
    messages = told(
        Telling(task=form), "{goal}{screenshot}" if form == "alone" else "{goal}", steps=2, words="No!"
    )
    assert messages[-1].endswith("\n\nNo!")


def test_pictures_of_steps_before_are_made_smaller() -> None:
    """A maker that shrinks older pictures gets them shrunken, and the newest as it is."""
    conversation = PublishedConversation("", "{goal}{previous}{screenshot}", 2, SMALL, {"goal": "G"})
    conversation.show("", [PNG])
    conversation.said({"role": "assistant", "content": "a"})
    conversation.show("", [PNG])
    (message,) = conversation.messages()
    urls = [part["image_url"]["url"] for part in message["content"] if part["type"] == "image_url"]
    sizes = [size_of(base64.b64decode(url.partition(",")[2])) for url in urls]
    assert sizes == [Size(32, 24), Size(64, 48)]


SMALL = Telling(task="alone", step="{screenshot}", shrink=0.5)


def test_values_are_filled_in_one_pass() -> None:
    """No value is read as a placeholder, and unknown names in brackets stay as they are."""
    assert filled("{goal} {x} {action}", {"goal": "{action}", "action": "a"}) == [
        "",
        "{action}",
        " {x} ",
        "a",
        "",
    ]


@pytest.mark.parametrize(
    ("name", "reply", "line"),
    [
        ("qwen3-vl", "Action: Click Save.\n<tool_call>{}</tool_call>", "\nStep 1: Click Save."),
        (
            "glm",
            "I save. <|begin_of_box|>DONE()<|end_of_box|>\nMemory:\n[1]",
            " Thought: I save.\nAction: DONE()",
        ),
    ],
)
def test_published_lists_of_steps(name: str, reply: str, line: str) -> None:
    """The action of a reply is found as the maker's own runner finds it."""
    file = prompt_file(name)
    conversation = PublishedConversation("", file.task, 1, file.history, {"goal": "G"})
    conversation.show("", [PNG])
    conversation.said({"role": "assistant", "content": reply})
    conversation.show("", [PNG])
    assert line in flat(conversation.messages()[0]["content"])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("opencua", "# Step 1:\n## Action:\nClick Save.\n"),
        ("kimi", "# Step 1:\n◁think▷why◁/think▷## Action:\nClick Save.\n"),
        ("ui-tars", "## Thought:\nIt is there.\n\n## Action:\nClick Save.\n\n## Code:\n```python\nx\n```"),
    ],
)
def test_published_messages_of_steps(name: str, message: str) -> None:
    """An earlier step is said again as the maker's own runner says it: whole, or without its code."""
    file = prompt_file(name)
    conversation = PublishedConversation("", file.task, 3, file.history, {"goal": "G"})
    conversation.show("", [PNG])
    reply = "## Thought:\nIt is there.\n\n## Action:\nClick Save.\n\n## Code:\n```python\nx\n```"
    conversation.said({"role": "assistant", "content": reply}, "why")
    conversation.show("", [PNG])
    (said,) = [one["content"] for one in conversation.messages() if one["role"] == "assistant"]
    assert said == message
