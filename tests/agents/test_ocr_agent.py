"""The agent that reads: its seam, and how its plan meets screens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from lazily import lazily

from pytest_cuabench.agents.base import Agent, Briefing
from pytest_cuabench.agents.builtin.reader.executor import PlanExecutor
from pytest_cuabench.agents.builtin.reader.instruction_parser import read_goal
from pytest_cuabench.agents.builtin.reader.plan import (
    CheckAll,
    CountEntries,
    Fill,
    Open,
    Plan,
    Press,
    ReadValues,
)
from pytest_cuabench.agents.builtin.reader.screen import Screen, Text
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.errors import EnvironmentFailure, ProviderFailure, SettingError
from pytest_cuabench.task.action import Action, Answer, Click, Scroll, Size, Terminate, Type
from pytest_cuabench.task.observation import Box, Observation

from .drawn import Drawing

if TYPE_CHECKING:
    from pytest_cuabench.agents.builtin.ocr import OcrAgent

pytestmark = pytest.mark.skipif(find_spec("rapidocr_onnxruntime") is None, reason="needs the extra ocr")

adapter = lazily("pytest_cuabench.agents.builtin.ocr")
SIZE = Size(800, 600)
World = Callable[[tuple[Action, ...]], Screen]


def text(words: str, x: float, y: float) -> Text:
    return Text(words, Box(x, y, 9.0 * len(words), 20))


def screen(*texts: Text, frames: tuple[Box, ...] = ()) -> Screen:
    return Screen(SIZE, texts, tuple(sorted(frames, key=lambda box: box.width * box.height)))


def played(plan: Plan, first: Screen, world: World) -> list[tuple[Action, ...]]:
    """Play a plan on screens that a world shows after each move; return the moves."""
    moves = PlanExecutor(plan, SIZE).run(first)
    done = [next(moves).actions]
    while not isinstance(done[-1][-1], Answer | Terminate):
        done.append(moves.send(world(done[-1])).actions)
    with pytest.raises(StopIteration):
        moves.send(first)
    return done


def showing(*screens: Screen) -> World:
    """A world that shows one screen after the other, and then the last for ever."""
    following: Iterator[Screen] = iter(screens)
    last = screens[-1]
    return lambda actions: next(following, last)


def clicked(actions: tuple[Action, ...]) -> tuple[int | None, int | None]:
    """Return where a move clicks first."""
    click = next(action for action in actions if isinstance(action, Click))
    return click.x, click.y


def last(moves: list[tuple[Action, ...]]) -> Action:
    return moves[-1][-1]


# On screens


def test_signing_in_fills_both_fields_and_presses_the_button() -> None:
    """User ID and password go into the fields under their labels, then “Sign in” is pressed."""
    fields = (Box(100, 130, 200, 30), Box(100, 200, 200, 30), Box(100, 250, 100, 34))
    page = (text("User ID", 100, 106), text("Password", 100, 176), text("Sign in", 118, 257))
    first = screen(*page, frames=fields)
    named = screen(*page, text("ada", 108, 135), frames=fields)
    both = screen(*page, text("ada", 108, 135), text("•••", 108, 205), frames=fields)
    board = screen(text("Board", 10, 10))

    moves = played(Plan("ada", "secret"), first, showing(named, both, board))

    assert [clicked(actions) for actions in moves[:3]] == [(200, 145), (200, 215), (149, 267)]
    typed = [action.text for actions in moves for action in actions if isinstance(action, Type)]
    assert typed == ["ada", "secret"]
    assert last(moves) == Terminate("success")


def test_signing_in_in_vain_is_given_up() -> None:
    """A sign-in page that stays after two tries ends the episode as failed."""
    fields = (Box(100, 130, 200, 30), Box(100, 200, 200, 30))
    page = (text("User ID", 100, 106), text("Password", 100, 176), text("Sign in", 118, 257))
    shown = [screen(*page, text(f"try {number}", 400, 400), frames=fields) for number in range(7)]

    moves = played(Plan("ada", "secret"), shown[0], showing(*shown[1:]))

    assert last(moves) == Terminate("failure", "signing in has no effect")


def test_a_click_without_effect_is_tried_elsewhere() -> None:
    """When nothing changes, the next place with the same words is clicked."""
    page = screen(text("Orders", 20, 100), text("Orders", 300, 20))
    done = screen(text("New order", 20, 100))

    moves = played(Plan(steps=(Press("Orders"),)), page, showing(page, done))

    assert [clicked(actions) for actions in moves[:2]] == [(327, 30), (47, 110)]


def test_what_is_not_in_sight_is_scrolled_to() -> None:
    """The wheel is turned until the words appear."""
    top, bottom = screen(text("Top", 10, 10)), screen(text("Save", 40, 500))
    saved = screen(text("Saved", 40, 500), text("well", 300, 10))

    moves = played(Plan(steps=(Press("Save"),)), top, showing(bottom, saved))

    assert isinstance(moves[0][0], Scroll)
    assert clicked(moves[1]) == (58, 510)
    assert last(moves) == Terminate("success")


def test_what_is_nowhere_is_given_up_with_a_reason() -> None:
    """Words that no scrolling shows end the episode as failed, with a sentence."""
    page = screen(text("Top", 10, 10))

    moves = played(Plan(steps=(Press("Save"),)), page, showing(page))

    assert last(moves) == Terminate("failure", "“Save” is not on the screen")
    assert len(moves) <= 4


def test_of_namesakes_the_one_with_the_number_is_opened() -> None:
    """The name is clicked on the row that bears the number."""
    names = (
        text("Byron, Ada", 20, 100),
        text("1111111", 300, 100),
        text("Byron, Ada", 20, 140),
        text("2222222", 300, 140),
    )
    chart = screen(text("Chart", 20, 100))

    moves = played(Plan(steps=(Open(("Ada Byron", "2222222"), "2222222"),)), screen(*names), showing(chart))

    assert clicked(moves[0]) == (65, 150)


def test_a_row_that_is_only_selected_is_opened_with_a_double_click() -> None:
    """To open is more than to select: when the list stays, the row is double-clicked."""
    rows = text("Byron, Ada", 20, 100), text("King, Ben", 20, 140)
    selected = screen(*rows, text("1 selected", 20, 560))
    chart = screen(
        *(text(words, 400, 40 * row) for row, words in enumerate(("Chart", "Born", "Sex", "Age", "Notes"), 1))
    )
    opening = Open(("Ada Byron",), enter=True)

    moves = played(Plan(steps=(opening,)), screen(*rows), showing(selected, chart))

    assert [action.count for actions in moves for action in actions if isinstance(action, Click)] == [1, 2]
    assert last(moves) == Terminate("success")


def test_who_is_not_listed_is_searched() -> None:
    """The number is typed into the field that invites to search."""
    field = Box(400, 10, 240, 30)
    first = screen(text("Search name", 410, 15), frames=(field,))
    found = screen(text("2222222", 410, 15), text("Byron, Ada", 20, 100), frames=(field,))
    chart = screen(text("Chart", 20, 100))

    moves = played(Plan(steps=(Open(("Ada Byron", "2222222"), "2222222"),)), first, showing(found, chart))

    assert moves[0][-1] == Type("2222222\n")
    assert clicked(moves[1]) == (65, 110)


def test_a_value_goes_into_the_field_of_the_label_it_begins_with() -> None:
    """“Heart rate 97” is parted at the label on the screen, and the number typed beside it."""
    field = Box(160, 96, 100, 30)
    first = screen(text("Heart rate", 20, 100), frames=(field,))
    typed = screen(text("Heart rate", 20, 100), text("97", 168, 100), frames=(field,))

    moves = played(Plan(steps=(Fill("Heart rate 97 /min"),)), first, showing(typed))

    assert clicked(moves[0]) == (210, 111)
    assert moves[0][-1] == Type("97")


def test_an_option_is_chosen_from_the_list_that_opens() -> None:
    """A field that opens a list is not typed into: the option that fits is clicked."""
    field = Box(20, 124, 200, 30)
    page = (text("Reason", 20, 100), text("Choose", 28, 129))
    options = (text("Fever", 24, 160), text("Chest pain", 24, 184))

    moves = played(
        Plan(steps=(Fill("Chest pain", "Reason"),)),
        screen(*page, frames=(field,)),
        showing(
            screen(*page, *options, frames=(field,)),
            screen(text("Reason", 20, 100), text("Chest pain", 28, 129)),
        ),
    )

    assert [clicked(actions) for actions in moves[:2]] == [(120, 139), (69, 194)]
    assert last(moves) == Terminate("success")


def test_a_segment_is_clicked_under_its_label_and_not_elsewhere() -> None:
    """Of several places with a word the one under the label is chosen."""
    texts = text("Ward", 600, 20), text("Level of care", 20, 100), text("Ward", 40, 130)
    page = screen(*texts, frames=(Box(30, 124, 60, 30),))
    done = screen(text("Level of care", 20, 100), text("Ward!", 40, 130))

    moves = played(Plan(steps=(Fill("Ward", "Level of care"),)), page, showing(done))

    assert clicked(moves[0]) == (58, 140)


def test_a_score_is_chosen_on_the_row_of_its_label() -> None:
    """“Label: 3 Meaning” clicks the meaning on the label's row, though the label takes two lines."""
    rows = (
        text("Sensory", 20, 100),
        text("perception", 20, 121),
        text("Limited", 500, 112),
        text("Limited", 500, 190),
    )
    done = screen(*rows, text("1 done", 20, 500))

    moves = played(Plan(steps=(Fill("Sensory perception: 3 Limited"),)), screen(*rows), showing(done))

    assert clicked(moves[0]) == (531, 122)


def test_a_value_goes_into_the_empty_cell_of_a_sheet_s_row() -> None:
    """On a row of cells, those that hold something are passed over for the empty field at its end."""
    cells = (Box(150, 96, 100, 28), Box(260, 96, 100, 28), Box(700, 98, 80, 24))
    row = (text("Pulse", 20, 100), text("85", 190, 100), text("77", 300, 100))
    typed = screen(*row, text("78", 706, 100), frames=cells)

    moves = played(Plan(steps=(Fill("Pulse 78"),)), screen(*row, frames=cells), showing(typed))

    assert clicked(moves[0]) == (740, 110)


def test_all_boxes_of_a_list_are_ticked() -> None:
    """The small squares before words are clicked, all in one move."""
    squares = tuple(Box(20, y, 14, 14) for y in (100, 130, 160))
    page = screen(
        *(text("Item", 44, square.y - 3) for square in squares), frames=(*squares, Box(500, 300, 14, 14))
    )

    moves = played(Plan(steps=(CheckAll("all three"),)), page, showing(screen(text("Ticked", 1, 1))))

    assert [(action.x, action.y) for action in moves[0] if isinstance(action, Click)] == [
        (27, 107),
        (27, 137),
        (27, 167),
    ]


def test_entries_of_a_column_are_counted() -> None:
    """The filter with the same word is not counted; a sign before an entry and a lost letter do not matter."""
    column = ("o Waiting", "Waing", "Waiting", "Left")
    entries = (text(words, 500 + 5 * row, 100 + 30 * row) for row, words in enumerate(column))
    page = screen(text("Waiting", 200, 20), *entries)

    assert last(played(Plan(steps=(CountEntries("Waiting"),)), page, showing(page))) == Answer("3")


def test_a_list_is_counted_to_its_end() -> None:
    """A list that can be scrolled is counted page by page, rows that both pages show once."""

    def page(*names: str) -> Screen:
        rows = [
            (text(name, 20, 60 + 30 * row), text("Waiting", 300, 60 + 30 * row))
            for row, name in enumerate(names)
        ]
        return screen(*(cell for row in rows for cell in row))

    first, second = page("Ada", "Ben", "Cyd"), page("Cyd", "Dan", "Eve")

    assert last(played(Plan(steps=(CountEntries("Waiting"),)), first, showing(second))) == Answer("5")


def test_entries_of_a_panel_are_counted() -> None:
    """With a panel named, only what lies in its frame counts."""
    panels = (Box(0, 0, 300, 300), Box(320, 0, 300, 300))
    tiles = (text("Free", 20, 100), text("Free", 120, 100), text("Free", 340, 100))
    page = screen(text("5A Medical", 10, 10), text("5B Surgical", 330, 10), *tiles, frames=panels)

    assert last(played(Plan(steps=(CountEntries("Free", "5B"),)), page, showing(page))) == Answer("1")


def test_a_form_is_filled_from_the_first_row_that_counts() -> None:
    """Values are read under their headings, rows that do not count are passed over."""
    page = screen(
        *(text(head, x, 100) for head, x in (("HR", 100), ("BP", 200), ("Note", 400))),
        *(text(cell, x, 130) for cell, x in (("999", 100), ("9/9", 200), ("Void", 400))),
        *(text(cell, x, 160) for cell, x in (("81", 100), ("120/80", 200))),
    )
    plan = Plan(steps=(ReadValues("HR …, BP …/…", (), None, "Void"),))

    assert last(played(plan, page, showing(page))) == Answer("HR 81, BP 120/80")


def test_a_cell_is_read_where_row_and_column_meet() -> None:
    """With a row named, the column's value on that row is the answer, without a second unit."""
    heads = text("Ward", 20, 100), text("Now", 200, 100)
    rows = text("3A", 20, 130), text("71 %", 200, 130), text("3B", 20, 160), text("85 %", 200, 160)
    page = screen(*heads, *rows)

    assert last(played(Plan(steps=(ReadValues("… %", ("Now",), "3B"),)), page, showing(page))) == Answer(
        "85 %"
    )


def test_words_are_an_answer_where_no_number_stands() -> None:
    """A slot takes the words beside its label, but neither a bare unit nor another text that contains the label."""
    alert = text("Low severity first", 20, 60), text("Severity", 20, 100), text("Major", 150, 100)
    page = screen(*alert, text("RR", 20, 300), text("/min", 60, 300))

    assert last(played(Plan(steps=(ReadValues("Severity: …"),)), page, showing(page))) == Answer(
        "Severity: Major"
    )
    assert isinstance(last(played(Plan(steps=(ReadValues("RR …"),)), page, showing(page))), Terminate)


def test_an_answer_that_cannot_be_read_is_not_invented() -> None:
    """A value that is nowhere ends the episode as failed, without an answer."""
    page = screen(text("Pulse", 20, 100))

    end = last(played(Plan(steps=(ReadValues("SpO2 … %"),)), page, showing(page)))

    assert isinstance(end, Terminate)
    assert end.status == "failure"


def test_a_goal_that_is_not_understood_is_given_up_at_once() -> None:
    """Without any instruction nothing is touched."""
    moves = played(read_goal("The colleague needs the paper as ever."), screen(), showing(screen()))

    assert len(moves) == 1
    assert last(moves) == Terminate("failure", "the goal holds no step that the reader can parse")


# The seam


def briefing(goal: str) -> Briefing:
    return Briefing(goal, "screenshot", Size(640, 360), ("pointer", "keyboard"), 10)


def decide(agent: Agent, goal: str, *pictures: bytes | None) -> list[tuple[Action, ...]]:
    """Let an agent decide on pictures, one after the other."""

    async def run() -> list[tuple[Action, ...]]:
        await agent.start(briefing(goal))
        try:
            seen = [Observation(Size(640, 360), screenshot=png) for png in pictures]
            return [(await agent.decide(look)).actions for look in seen]
        finally:
            await agent.close()

    return asyncio.run(run())


@pytest.fixture(scope="module")
def agent() -> OcrAgent:
    return adapter.OcrAgent()


def test_the_agent_acts_on_what_it_reads(agent: OcrAgent) -> None:
    """From pixels alone: the button that the goal names is clicked, then the agent says that it is done."""
    page = Drawing().text(40, 40, "Ready to save").button(40, 200, "Save form").png()
    saved = Drawing().text(40, 40, "Your form is saved").png()

    first, second = decide(agent, "Press “Save form”.", page, saved)

    assert isinstance(first[0], Click)
    assert first[0].x is not None
    assert first[0].y is not None
    assert 40 <= first[0].x <= 150
    assert 200 <= first[0].y <= 232
    assert second == (Terminate("success"),)


@pytest.mark.slow
def test_one_agent_plays_episode_after_episode(agent: OcrAgent) -> None:
    """Nothing of one episode is left in the next: the same pictures bring the same actions."""
    pictures = Drawing().button(40, 200, "Save form").png(), Drawing().text(40, 40, "Saved").png()

    assert decide(agent, "Press “Save form”.", *pictures) == decide(agent, "Press “Save form”.", *pictures)


def test_without_a_screenshot_the_agent_sees_nothing(agent: OcrAgent) -> None:
    """An observation without a picture is not the agent's fault."""
    with pytest.raises(EnvironmentFailure, match="needs a screenshot"):
        decide(agent, "Press “Save form”.", None)


def test_asking_out_of_turn_is_a_fault_of_the_agent_s_side(agent: OcrAgent) -> None:
    """Before its start and after its end the agent decides nothing."""
    with pytest.raises(ProviderFailure, match="before its start"):
        asyncio.run(agent.decide(Observation(Size(640, 360), screenshot=b"")))
    page = Drawing().text(40, 40, "Hello").png()
    with pytest.raises(ProviderFailure, match="after its end"):
        decide(agent, "Nothing that I know.", page, page)


@pytest.mark.parametrize("options", [{"threads": 0}, {"thread": 1}])
def test_wrong_options_are_named(options: dict[str, int]) -> None:
    """An option that is unknown or not allowed is a setting's error that names it."""
    with pytest.raises(SettingError, match=rf"agent 'mine': .*options\.{next(iter(options))}"):
        adapter.OcrAgent(Profile(adapter="ocr", name="mine", options=options))
