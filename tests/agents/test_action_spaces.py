"""Golden replies of each action space, and the mistakes that are told to the model and never guessed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.makers.chat.action_spaces import ACTION_SPACES, Reply, ToolCall, find_action_space
from pytest_cuabench.agents.makers.chat.action_spaces.base import MAX_ACTIONS, MAX_REPLY, place
from pytest_cuabench.agents.makers.chat.action_spaces.described import find_place, steps
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.action import (
    Action,
    Answer,
    Back,
    CallApi,
    CallUser,
    Click,
    ClickElement,
    CloseTab,
    Drag,
    FillElement,
    Forward,
    Key,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Navigate,
    RunCode,
    Screenshot,
    Scroll,
    Size,
    SwitchTab,
    Terminate,
    Type,
    Wait,
)

SCREEN = Size(1000, 500)
DONE, FAILED, CANNOT = Terminate("success"), Terminate("failure"), Terminate("infeasible")


def read(name: str, text: str, *calls: ToolCall, coordinates: str | None = None) -> Decision:
    """Return what a reply means on a screen of 1000x500, sent as it is."""
    dialect = find_action_space(name, coordinates)
    return dialect.read(Reply(text, calls), dialect.space(SCREEN, SCREEN))


def fence(code: str, language: str = "python") -> str:
    """Return a code block."""
    return f"```{language}\n{code}\n```"


def qwen(**arguments: Any) -> str:
    """Return a call as Qwen2.5-VL and Qwen3-VL write it."""
    return f"<tool_call>\n{json.dumps({'name': 'computer_use', 'arguments': arguments})}\n</tool_call>"


def xml(**arguments: str) -> str:
    """Return a call as Qwen3.5 writes it."""
    inside = "".join(f"<parameter={name}>\n{value}\n</parameter>\n" for name, value in arguments.items())
    return f"<tool_call>\n<function=computer_use>\n{inside}</function>\n</tool_call>"


def seed(function: str, **arguments: str) -> str:
    """Return a call as UI-TARS-2 writes it."""
    inside = "".join(f"<parameter={name}>{value}</parameter>" for name, value in arguments.items())
    return f"<seed:tool_call><function={function}>{inside}</function></seed:tool_call>"


def dragged(x: int, y: int) -> list[Action]:
    """Return a drag from where the pointer is."""
    return [MouseDown(), Move(x, y), MouseUp()]


QWEN: list[tuple[str, list[Action]]] = [
    (qwen(action="left_click", coordinate=[500, 500]), [Click(500, 250)]),
    (qwen(action="left_click"), [Click()]),
    (qwen(action="left_click", coordinate=[250.5, 1000]), [Click(250, 499)]),
    (qwen(action="right_click", coordinate=[0, 0]), [Click(0, 0, "right")]),
    (qwen(action="middle_click", coordinate=[0, 0]), [Click(0, 0, "middle")]),
    (qwen(action="double_click", coordinate=[0, 0]), [Click(0, 0, count=2)]),
    (qwen(action="triple_click", coordinate=[0, 0]), [Click(0, 0, count=3)]),
    (qwen(action="mouse_move", coordinate=[1000, 0]), [Move(999, 0)]),
    (qwen(action="left_click_drag", coordinate=[100, 200]), dragged(100, 100)),
    (qwen(action="key", keys=["ctrl", "a"]), [Key(("ctrl", "a"))]),
    (qwen(action="key", keys=["ctrl+a"]), [Key(("ctrl", "a"))]),
    (qwen(action="key", keys=["Return"]), [Key(("enter",))]),
    (qwen(action="type", text="naïve\n✓"), [Type("naïve\n✓")]),
    (qwen(action="scroll", pixels=-300), [Scroll(dy=3)]),
    (qwen(action="scroll", pixels=300), [Scroll(dy=-3)]),
    (qwen(action="scroll", pixels=-5), [Scroll(dy=1)]),
    (qwen(action="hscroll", pixels=200), [Scroll(dx=2)]),
    (qwen(action="wait", time=2), [Wait(2.0)]),
    (qwen(action="terminate", status="success"), [DONE]),
    (qwen(action="terminate", status="failure"), [FAILED]),
    (qwen(action="answer", text="37.2"), [Answer("37.2")]),
    (
        qwen(action="mouse_move", coordinate=[1, 1]) + "\n" + qwen(action="scroll", pixels=-100),
        [Move(1, 0), Scroll(dy=1)],
    ),
    (xml(action="left_click", coordinate="[500, 500]"), [Click(500, 250)]),
    (xml(action="type", text="12"), [Type("12")]),
    (xml(action="type", text="one\ntwo"), [Type("one\ntwo")]),
    (xml(action="key", keys='["ctrl", "s"]'), [Key(("ctrl", "s"))]),
    (xml(action="scroll", pixels="-200"), [Scroll(dy=2)]),
    (xml(action="wait", time="1.5"), [Wait(1.5)]),
    (
        '<tool_call>{"name": "computer_use", "arguments": "{\\"action\\": \\"left_click\\"}"}</tool_call>',
        [Click()],
    ),
]

UI_TARS: list[tuple[str, list[Action]]] = [
    ("Thought: There.\nAction: click(point='<point>200 100</point>')", [Click(200, 100)]),
    ("Thought: There.\nAction: click(start_box='(200,100)')", [Click(200, 100)]),
    ("Action: click(start_box='<|box_start|>(200,100)<|box_end|>')", [Click(200, 100)]),
    ("Action: click(start_box='[100, 100, 200, 120]')", [Click(150, 110)]),
    ("Action: click(point='<bbox>100 100 200 120</bbox>')", [Click(150, 110)]),
    ("click(point='<point>200 100</point>')", [Click(200, 100)]),
    ("Action: left_double(point='<point>1 2</point>')", [Click(1, 2, count=2)]),
    ("Action: right_single(point='<point>1 2</point>')", [Click(1, 2, "right")]),
    (
        "Action: drag(start_point='<point>1 2</point>', end_point='<point>30 40</point>')",
        [Drag(((1, 2), (30, 40)))],
    ),
    ("Action: drag(start_box='(1,2)', end_box='(30,40)')", [Drag(((1, 2), (30, 40)))]),
    ("Action: hotkey(key='ctrl c')", [Key(("ctrl", "c"))]),
    ("Action: hotkey(key='enter')", [Key(("enter",))]),
    ("Action: hotkey(key='ctrl shift t')", [Key(("ctrl", "shift", "t"))]),
    ("Action: type(content='it\\'s 5\\n')", [Type("it's 5\n")]),
    ("Action: scroll(point='<point>5 6</point>', direction='down')", [Scroll(5, 6, dy=5)]),
    ("Action: scroll(point='<point>5 6</point>', direction='up')", [Scroll(5, 6, dy=-5)]),
    ("Action: scroll(direction='left')", [Scroll(dx=-5)]),
    ("Action: wait()", [Wait(5.0)]),
    ("Action: finished()", [DONE]),
    ("Action: finished(content='')", [DONE]),
    ("Action: finished(content='Ada')", [Answer("Ada")]),
    ("Action: call_user()", [CallUser()]),
    (
        "Thought: Both.\nAction: click(point='<point>1 2</point>')\n\ntype(content='x')",
        [Click(1, 2), Type("x")],
    ),
]

UI_TARS_2: list[tuple[str, list[Action]]] = [
    (seed("click", point="<point>500 500</point>"), [Click(500, 250)]),
    (
        '<seed:tool_call><function name="click"><parameter name="point" string="true"><point>500 500</point>'
        "</parameter></function></seed:tool_call>",
        [Click(500, 250)],
    ),
    (seed("move_to", point="<point>1000 1000</point>"), [Move(999, 499)]),
    (seed("type", content="a < b"), [Type("a < b")]),
    (seed("press", key="shift") + seed("release", key="shift"), [KeyDown("shift"), KeyUp("shift")]),
    (seed("mouse_down", point="<point>0 0</point>"), [MouseDown(0, 0)]),
    (seed("mouse_up", button="right"), [MouseUp(button="right")]),
    (seed("hotkey", key="alt f4"), [Key(("alt", "f4"))]),
    (seed("wait", time="2"), [Wait(2.0)]),
    (seed("take_screenshot"), [Screenshot()]),
    (seed("open_computer"), [Screenshot()]),
    (seed("scroll", point="<point>0 0</point>", direction="right"), [Scroll(0, 0, dx=5)]),
    (seed("finished", content="42"), [Answer("42")]),
]

CODE: list[tuple[str, list[Action]]] = [
    ("pyautogui.click(10, 20)", [Click(10, 20)]),
    ("pyautogui.click(x=10, y=20)", [Click(10, 20)]),
    ("pyautogui.click((10, 20))", [Click(10, 20)]),
    ("pyautogui.click()", [Click()]),
    ("pyautogui.click(10, 20, 2, 0.1, 'right')", [Click(10, 20, "right", 2)]),
    ("pyautogui.click(10, 20, button='secondary', clicks=1, duration=0.3)", [Click(10, 20, "right")]),
    ("pyautogui.rightClick(10, 20)", [Click(10, 20, "right")]),
    ("pyautogui.middleClick(10, 20)", [Click(10, 20, "middle")]),
    ("pyautogui.doubleClick(10, 20)", [Click(10, 20, count=2)]),
    ("pyautogui.tripleClick(10, 20)", [Click(10, 20, count=3)]),
    ("pyautogui.moveTo(10, 20, duration=1)", [Move(10, 20)]),
    ("pyautogui.dragTo(10, 20, duration=1, button='left')", dragged(10, 20)),
    ("pyautogui.mouseDown()\npyautogui.mouseUp(1, 2)", [MouseDown(), MouseUp(1, 2)]),
    ("pyautogui.scroll(-5)", [Scroll(dy=5)]),
    ("pyautogui.scroll(5, x=1, y=2)", [Scroll(1, 2, dy=-5)]),
    ("pyautogui.scroll(-250)", [Scroll(dy=100), Scroll(dy=100), Scroll(dy=50)]),
    ("pyautogui.hscroll(3)", [Scroll(dx=3)]),
    ("pyautogui.write('Grüße\\n', interval=0.05)", [Type("Grüße\n")]),
    ("pyautogui.typewrite(['a', 'enter'])", [Key(("a",)), Key(("enter",))]),
    ("pyautogui.press('enter')", [Key(("enter",))]),
    ("pyautogui.press('down', presses=3)", [Key(("down",), 3)]),
    ("pyautogui.press(['up', 'left'])", [Key(("up",)), Key(("left",))]),
    ("pyautogui.hotkey('ctrl', 'shift', 'esc')", [Key(("ctrl", "shift", "escape"))]),
    ("pyautogui.hotkey(['winleft', 'd'])", [Key(("meta", "d"))]),
    ("pyautogui.keyDown('ctrlleft')\npyautogui.keyUp('ctrlleft')", [KeyDown("ctrl"), KeyUp("ctrl")]),
    ("import time\nimport pyautogui\ntime.sleep(1.5)\npyautogui.sleep(2)", [Wait(1.5), Wait(2.0)]),
    ("pyautogui.click(1, 2); pyautogui.click(3, 4)  # both", [Click(1, 2), Click(3, 4)]),
]

SPECIAL: list[tuple[str, list[Action]]] = [
    ("```DONE```", [DONE]),
    ("```\nDONE\n```", [DONE]),
    ("DONE", [DONE]),
    ("```FAIL```", [CANNOT]),
    ("```WAIT```", [Wait(5.0)]),
    ("```WAIT 3```", [Wait(3.0)]),
    ("```ANS 5```", [Answer("5")]),
    ("```\nANS 12 Mpc\n```", [Answer("12 Mpc")]),
    ("```\nANS one\ntwo\n```", [Answer("one\ntwo")]),
    (fence("pyautogui.press('a')\nDONE"), [Key(("a",)), DONE]),
    (fence("pyautogui.press('a')") + "\nthen\n```DONE```", [Key(("a",)), DONE]),
    (fence("pyautogui.click(tag_7)"), [ClickElement(7)]),
    (fence("pyautogui.doubleClick(*tag_7)"), [ClickElement(7, count=2)]),
    (fence("pyautogui.write('DONE')"), [Type("DONE")]),
    (fence("pyautogui.press('a')", "tool_code"), [Key(("a",))]),
    ("```python pyautogui.press('a')```", [Key(("a",))]),
    ("```DONE\n```", [DONE]),
    ("```\nANS\n42```", [Answer("42")]),
]

SCIENCEBOARD: list[tuple[str, list[Action]]] = [
    ("```ANS\n42\n```", [Answer("42")]),
    ("```python\nANS 42\n```", [Answer("42")]),
    ("```ANS a b  c```", [Answer("a b  c")]),
    ("```text\nWAIT\n```", [Wait(5.0)]),
    ("```WAIT 0.5```", [Wait(0.5)]),
    ("```import pyautogui; pyautogui.press('a')```", [Key(("a",))]),
    ("```API plot```", [CallApi("plot")]),
    ("```\nAPI plot\n```", [CallApi("plot")]),
    (
        '```API map.zoom {"level": [1, 2.5], "é": null}```',
        [CallApi("map.zoom", '{"level": [1, 2.5], "\\u00e9": null}')],
    ),
    (
        "```API plot(expression='x^2', points=[-1, 2])```",
        [CallApi("plot", '{"expression": "x^2", "points": [-1, 2]}')],
    ),
    ('```python\nAPI plot\n{"a": 1}\n```', [CallApi("plot", '{"a": 1}')]),
    ("```CODE print('naïve')```", [RunCode("print('naïve')")]),
    ("```CODE\nfor i in range(2):\n    print(i)\n```", [RunCode("for i in range(2):\n    print(i)")]),
    ("```python\nCODE\nprint(1)\n```", [RunCode("print(1)")]),
    ("```CODE python\nprint(1)\n```", [RunCode("print(1)")]),
    ("```CODE bash\nls -l\n```", [RunCode("ls -l", "bash")]),
    ("```CODE sh ls```", [RunCode("ls", "bash")]),
    (fence("pyautogui.press('a')\nANS 5"), [Key(("a",)), Answer("5")]),
    ("First\n```CODE print(1)```\nthen\n```WAIT 1```", [RunCode("print(1)"), Wait(1.0)]),
]

OPENCUA: list[tuple[str, list[Action]]] = [
    (
        "# Step 1:\n## Thought:\n- I see it.\n## Action:\n- Click.\n## Code:\n"
        + fence("pyautogui.click(x=10, y=20)"),
        [Click(10, 20)],
    ),
    (fence("computer.triple_click(x=10, y=20)"), [Click(10, 20, count=3)]),
    (fence("computer.wait(3)"), [Wait(3.0)]),
    (fence("computer.terminate(status='success')"), [DONE]),
    (fence("computer.terminate('failure')"), [FAILED]),
    (fence("computer.terminateWithText(status='success', text='Ada')"), [Answer("Ada")]),
    (fence("computer.terminateWithText(status='failure', text='no')"), [Terminate("failure", "no")]),
    ("pyautogui.press('a')", [Key(("a",))]),
]

COMPUTER_13: list[tuple[str, list[Action]]] = [
    (fence('{"action_type": "MOVE_TO", "x": 1, "y": 2}', "json"), [Move(1, 2)]),
    ('I click. {"action_type": "CLICK"}', [Click()]),
    (
        '{"action_type": "CLICK", "x": 1, "y": 2, "button": "right", "num_clicks": 2}',
        [Click(1, 2, "right", 2)],
    ),
    ('{"action_type": "CLICK", "parameters": {"x": 1, "y": 2}}', [Click(1, 2)]),
    ('{"action_type": "RIGHT_CLICK", "x": 1, "y": 2}', [Click(1, 2, "right")]),
    ('{"action_type": "DOUBLE_CLICK"}', [Click(count=2)]),
    ('{"action_type": "MOUSE_DOWN", "button": "middle"}', [MouseDown(button="middle")]),
    ('{"action_type": "MOUSE_UP"}', [MouseUp()]),
    ('{"action_type": "DRAG_TO", "x": 1, "y": 2}', dragged(1, 2)),
    ('{"action_type": "SCROLL", "dx": 0, "dy": -3}', [Scroll(dy=3)]),
    ('{"action_type": "SCROLL", "dx": 2, "dy": 0}', [Scroll(dx=2)]),
    ('{"action_type": "TYPING", "text": "é\\n"}', [Type("é\n")]),
    ('{"action_type": "PRESS", "key": "return"}', [Key(("enter",))]),
    ('{"action_type": "KEY_DOWN", "key": "shift"}', [KeyDown("shift")]),
    ('{"action_type": "KEY_UP", "key": "shift"}', [KeyUp("shift")]),
    ('{"action_type": "HOTKEY", "keys": ["ctrl", "c"]}', [Key(("ctrl", "c"))]),
    ('[{"action_type": "WAIT"}, "DONE"]', [Wait(2.0), DONE]),
    ("DONE", [DONE]),
    ("```\nFAIL\n```", [CANNOT]),
    ('{"action_type": "ANSWER", "text": "42"}', [Answer("42")]),
]

BROWSERGYM: list[tuple[str, list[Action]]] = [
    (fence("mouse_click(10.5, 20)", ""), [Click(10, 20)]),
    ("I click.\n<action>mouse_click(x=10, y=20, button='right')</action>", [Click(10, 20, "right")]),
    ("mouse_dblclick(10, 20)", [Click(10, 20, count=2)]),
    (
        "mouse_move(10, 20)\nmouse_down(10, 20)\nmouse_up(30, 40)",
        [Move(10, 20), MouseDown(10, 20), MouseUp(30, 40)],
    ),
    ("mouse_drag_and_drop(1, 2, 30, 40)", [Drag(((1, 2), (30, 40)))]),
    ("scroll(0, 300)", [Scroll(dy=3)]),
    ("scroll(-100, -50.2)", [Scroll(dx=-1, dy=-1)]),
    ("keyboard_type('hé')\nkeyboard_insert_text('!')", [Type("hé"), Type("!")]),
    ("keyboard_press('Control+a')", [Key(("ctrl", "a"))]),
    ("keyboard_down('Shift')\nkeyboard_up('Shift')", [KeyDown("shift"), KeyUp("shift")]),
    (
        "click('12')\ndblclick(3, 'right')\nfill('4', 'x')",
        [ClickElement(12), ClickElement(3, "right", 2), FillElement(4, "x")],
    ),
    ("goto('http://w/a')\ngo_back()\ngo_forward()", [Navigate("http://w/a"), Back(), Forward()]),
    ("tab_focus(1)\ntab_close()", [SwitchTab(1), CloseTab()]),
    ("noop()\nnoop(500)", [Wait(1.0), Wait(0.5)]),
    ("send_msg_to_user('42')", [Answer("42")]),
    ("report_infeasible('gone')", [Terminate("infeasible", "gone")]),
    ("done()", [DONE]),
]

BROWSER_USE: list[tuple[str, list[Action]]] = [
    ('{"action": [{"click": {"index": 3}}]}', [ClickElement(3)]),
    (
        '{"action": [{"click_element_by_index": {"index": 3}}, {"wait": {"seconds": 1}}]}',
        [ClickElement(3), Wait(1.0)],
    ),
    ('{"action": [{"click": {"coordinate_x": 5, "coordinate_y": 6}}]}', [Click(5, 6)]),
    ('{"action": [{"input": {"index": 3, "text": "x"}}]}', [FillElement(3, "x")]),
    ('{"action": [{"input_text": {"index": 3, "text": "x", "clear": false}}]}', [ClickElement(3), Type("x")]),
    ('{"action": [{"scroll": {"down": true, "pages": 1.0}}]}', [Scroll(dy=6)]),
    ('{"action": [{"scroll": {"down": false, "pages": 0.5, "index": 0}}]}', [Scroll(dy=-3)]),
    ('{"action": [{"send_keys": {"keys": "Control+a"}}]}', [Key(("ctrl", "a"))]),
    ('{"action": [{"navigate": {"url": "http://w/"}}, {"go_back": {}}]}', [Navigate("http://w/"), Back()]),
    ('{"action": [{"switch": {"tab_id": 1}}, {"close": {"tab_id": 0}}]}', [SwitchTab(1), CloseTab(0)]),
    ('{"action": [{"done": {"text": "", "success": true}}]}', [DONE]),
    ('{"action": [{"done": {"text": "42", "success": true}}]}', [Answer("42")]),
    ('{"action": [{"done": {"text": "no", "success": false}}]}', [Terminate("failure", "no")]),
    (fence('{"thinking": "t", "action": [{"screenshot": null}]}', "json"), [Screenshot()]),
]

GOLDEN = [
    *(("qwen", *entry) for entry in QWEN),
    *(("ui-tars", *entry) for entry in UI_TARS),
    *(("ui-tars-2", *entry) for entry in UI_TARS_2),
    *(("pyautogui", fence(code), actions) for code, actions in CODE),
    *(("opencua", fence(code), actions) for code, actions in CODE),
    *(("pyautogui", *entry) for entry in SPECIAL),
    *(("scienceboard", fence(code), actions) for code, actions in CODE),
    *(("scienceboard", *entry) for entry in (*SPECIAL, *SCIENCEBOARD)),
    *(("opencua", *entry) for entry in OPENCUA),
    *(("computer_13", *entry) for entry in COMPUTER_13),
    *(("browsergym", *entry) for entry in BROWSERGYM),
    *(("browser-use", *entry) for entry in BROWSER_USE),
]


@pytest.mark.parametrize("space_name", dict.fromkeys(name for name, *_ in GOLDEN))
def test_golden(space_name: str) -> None:
    """A reply as its action space is documented means these actions, in this order."""
    for text, actions in ((text, actions) for name, text, actions in GOLDEN if name == space_name):
        reading = read(space_name, text)
        assert reading.format_error is None, text
        assert list(reading.actions) == actions, text


MISTAKES = [
    ("qwen", "I click the button.", "holds no action"),
    ("qwen", "", "the reply is empty"),
    ("qwen", qwen(action="left_click", coordinate=[500]), "is not a point"),
    ("qwen", qwen(action="left_click", coordinate=[500, "low"]), "is not a point"),
    ("qwen", qwen(action="left_click", coordinate=[1001, 5]), "x=1001 lies outside"),
    ("qwen", qwen(action="left_click", coordinate=[True, 5]), "is not a point"),
    ("qwen", qwen(action="left_click", coordinate=[5, 5], button="right"), "unknown argument button"),
    ("qwen", qwen(action="smash"), "action is 'smash', but must be one of"),
    ("qwen", qwen(coordinate=[5, 5]), "action is missing"),
    ("qwen", qwen(action="scroll", pixels=0), "scroll 1 to 1000 notches"),
    ("qwen", qwen(action="scroll", pixels="a lot"), "must be a number"),
    ("qwen", qwen(action="terminate", status="maybe"), "one of success, failure"),
    ("qwen", qwen(action="key", keys=["nokey"]), "unknown key 'nokey'"),
    ("qwen", qwen(action="wait", time=1e9), "must be a number"),
    ("qwen", qwen(action="wait", time=100), "must be 0 to 60"),
    ("qwen", "<tool_call>{", "is not valid JSON"),
    ("qwen", "<tool_call>{</tool_call>", "is not valid JSON"),
    ("qwen", "<tool_call>[]</tool_call>", "must be an object"),
    ("qwen", '<tool_call>{"name": "mobile_use", "arguments": {}}</tool_call>', "unknown function"),
    (
        "qwen",
        '<tool_call>{"name": "computer_use", "arguments": {}, "why": 1}</tool_call>',
        "unknown argument why",
    ),
    ("qwen", "<tool_call><function=computer_use>x</function></tool_call>", "is neither a parameter"),
    ("qwen", "<tool_call><function=computer_use><parameter=action>wait</tool_call>", "is not closed"),
    ("qwen", '```json\n{"arguments": 5}\n```', "must be an object"),
    ("fara", qwen(action="web_search", query="x"), "no search engine"),
    ("fara", qwen(action="double_click", coordinate=[1, 2]), "must be one of"),
    ("glm", "I think.\nMemory:\n[]", "holds no action"),
    ("glm", "jump(start_box='[1,2]')", "unknown action jump"),
    ("glm", "left_click(start_box='[1001,2]')", "lies outside"),
    ("ui-tars", "Thought: Hm.", "holds no action"),
    ("ui-tars", "Action: smash()", "unknown action smash"),
    ("ui-tars", "Action: click(point='here')", "is not a point"),
    ("ui-tars", "Action: click(point='<point>1 2</point>', start_box='(1,2)')", "not both"),
    ("ui-tars", "Action: click(point=spot)", "write numbers and texts out"),
    ("ui-tars", "Action: type(content='it's", "invalid Python"),
    ("ui-tars", "Action: scroll(point='1 2', direction='it's')", "invalid Python"),
    ("ui-tars", "Action: scroll(direction='around')", "one of down, up, right, left"),
    ("ui-tars", "Action: hotkey(key='')", "is not a key chord"),
    ("ui-tars-2", seed("smash"), "unknown function smash"),
    (
        "ui-tars-2",
        seed("click", point="<point>1 2</point>").replace("</seed:tool_call>", ""),
        "is not closed",
    ),
    ("ui-tars-2", seed("click", point="1", extra="2"), "is not a point"),
    ("pyautogui", fence("pyautogui.click(10, 20"), "invalid Python"),
    ("pyautogui", fence("x = 10\npyautogui.click(x, 20)"), "not assign"),
    ("pyautogui", fence("for i in range(3):\n    pyautogui.click(1, 2)"), "not for"),
    ("pyautogui", fence("pyautogui.click(5 + 5, 20)"), "write numbers and texts out"),
    ("pyautogui", fence("pyautogui.click(**{'x': 1})"), "not with **"),
    ("pyautogui", fence("pyautogui.click(1, 2, x=3)"), "duplicate argument x"),
    ("pyautogui", fence("pyautogui.click(1000, 20)"), "x=1000 lies outside"),
    ("pyautogui", fence("pyautogui.click(10)"), "y is missing"),
    ("pyautogui", fence("pyautogui.click('save.png')"), "must be a number"),
    ("pyautogui", fence("pyautogui.click(1, 2, clicks=9)"), "must be 1, 2 or 3"),
    ("pyautogui", fence("pyautogui.moveTo(tag_3)"), "can only be clicked"),
    ("pyautogui", fence("pyautogui.press('volumeup')"), "unknown key 'volumeup'"),
    ("pyautogui", fence("pyautogui.press('ctrl+a')"), "unknown key 'ctrl+a'"),
    ("pyautogui", fence("pyautogui.scroll(9999)"), "scroll 1 to 1000 notches"),
    ("pyautogui", fence("import os\nos.system('reboot')"), "unknown call os.system"),
    ("pyautogui", fence("pyperclip.copy(5)"), "must be text"),
    ("pyautogui", fence("__import__('os').system('reboot')"), "must name its function"),
    ("pyautogui", fence("pyautogui.click(1, 2).then()"), "must name its function"),
    ("pyautogui", fence("eval('1')"), "unknown call eval"),
    ("pyautogui", fence("computer.terminate('success')"), "unknown call computer.terminate"),
    ("pyautogui", fence("time.sleep(3600)"), "must be 0 to 60"),
    ("pyautogui", "```python\npyautogui.click(1, 2)", "is not closed"),
    ("pyautogui", "``````", "holds no action"),
    ("pyautogui", "```DONE now```", "DONE does not take"),
    ("pyautogui", "```WAIT soon```", "WAIT does not take"),
    ("pyautogui", "```ANS```", "ANS does not take"),
    ("scienceboard", "```ANS```", "ANS needs an answer"),
    ("scienceboard", "```DONE now```", "DONE does not take 'now'"),
    ("scienceboard", "```WAIT soon```", "WAIT takes a number"),
    ("scienceboard", "```WAIT 3600```", "must be 0 to 60"),
    ("scienceboard", "```WAIT 1\npyautogui.click(1, 2)```", "WAIT takes a number"),
    ("scienceboard", "```ANS(5)```", "unknown call ANS"),
    ("scienceboard", "```API```", "API takes a name and JSON"),
    ("scienceboard", "```API 5```", "API takes a name and JSON"),
    ("scienceboard", "```API plot 5```", "API takes a name and JSON"),
    ("scienceboard", "```API plot {5}```", "is not valid JSON"),
    ("scienceboard", '```API plot {"a": NaN}```', "values that JSON does not support"),
    ("scienceboard", "```API plot(5)```", "named arguments"),
    ("scienceboard", "```API plot(a=1)(b=2)```", "must name its function"),
    ("scienceboard", "```API plot(a=1); plot(b=2)```", "write one call"),
    ("scienceboard", "```API plot(a=[tag_3])```", "can only be clicked"),
    ("scienceboard", "```API plot(a=open('x'))```", "write numbers and texts out"),
    ("scienceboard", "```CODE```", "CODE needs a program"),
    ("scienceboard", "```CODE bash```", "CODE needs a program"),
    ("scienceboard", fence("import os", "python"), "holds no action"),
    ("scienceboard", "```CODE print(1)", "is not closed"),
    ("opencua", "## Thought: it is done", "holds no action"),
    ("opencua", fence("computer.terminate(status='done')"), "one of success"),
    ("opencua", fence("DONE"), "not name"),
    ("computer_13", '{"action_type": "JUMP"}', "one of MOVE_TO"),
    ("computer_13", '{"action_type": "MOVE_TO", "x": 1}', "y is missing"),
    ("computer_13", '{"action_type": "CLICK", "x": 1, "parameters": {}}', "the object of all arguments"),
    ("computer_13", '{"action_type": "WAIT"} and so on', "is not valid JSON"),
    ("computer_13", '[{"action_type": "WAIT"}, 5]', "must be an object"),
    ("browsergym", fence("click('a51')"), "must be a whole number"),
    ("browsergym", fence("click(1.5)"), "must be a whole number"),
    ("browsergym", fence("hover('3')"), "unknown call hover"),
    ("browsergym", "I do nothing.", "invalid Python"),
    ("browser-use", '{"action": [{"click": {"index": 3}, "wait": {}}]}', "an object with one key"),
    ("browser-use", '{"action": [{"extract": {}}]}', "unknown action"),
    ("browser-use", '{"action": []}', "holds no action"),
    ("browser-use", '{"thinking": "t"}', "action is missing"),
    ("browser-use", '{"action": [{"scroll": {"index": 7}}]}', "leave index out"),
    ("browser-use", '{"action": [{"navigate": {"url": "http://w/", "new_tab": true}}]}', "leave new_tab out"),
]


@pytest.mark.parametrize("space_name", dict.fromkeys(name for name, *_ in MISTAKES))
def test_mistakes(space_name: str) -> None:
    """What does not fit is told in one sentence, and nothing of it is done."""
    for text, told in ((text, told) for name, text, told in MISTAKES if name == space_name):
        reading = read(space_name, text)
        assert told in str(reading.format_error), text
        assert "\n" not in str(reading.format_error)
        assert not [action for action in reading.actions if not isinstance(action, Wait)], text


def test_actions_before_a_mistake_stay() -> None:
    """The actions before the first mistake are kept, and none behind it."""
    reading = read("pyautogui", fence("pyautogui.press('a')\nos.remove('b')\npyautogui.press('c')"))
    assert reading.actions == (Key(("a",)),)
    reading = read(
        "qwen", qwen(action="type", text="a") + qwen(action="jump") + qwen(action="type", text="c")
    )
    assert reading.actions == (Type("a"),)


@pytest.mark.parametrize(
    ("name", "text", "thought"),
    [
        ("qwen", "I save it.\n" + qwen(action="left_click"), "I save it."),
        ("ui-tars", "Thought: I save it.\nAction: wait()", "I save it."),
        ("ui-tars-2", "I save it." + seed("take_screenshot"), "I save it."),
        ("pyautogui", "I save it.\n```DONE```", "I save it."),
        ("opencua", "## Thought:\nI save it.\n" + fence("computer.wait(1)"), "## Thought:\nI save it."),
        ("computer_13", 'I save it. {"action_type": "WAIT"}', "I save it."),
        ("browsergym", "I save it. <action>done()</action>", "I save it."),
        (
            "browser-use",
            '{"memory": "Saved.", "next_goal": "Go.", "action": [{"go_back": {}}]}',
            "Saved.\nGo.",
        ),
    ],
)
def test_thoughts(name: str, text: str, thought: str) -> None:
    """What a model says around its actions is kept as its thought."""
    assert read(name, text).thought == thought


def test_calls_that_the_server_set_apart() -> None:
    """Native calls mean the same as calls in the text."""
    call = ToolCall("computer_use", '{"action": "left_click", "coordinate": [500, 500]}')
    assert read("qwen", "", call, call).actions == (Click(500, 250),) * 2
    assert read("ui-tars-2", "", ToolCall("wait", "")).actions == (Wait(5.0),)
    assert read("browser-use", "", ToolCall("act", '{"action": [{"go_back": {}}]}')).actions == (Back(),)


@pytest.mark.parametrize(
    ("coordinates", "written", "expected"),
    [
        ("absolute", "999, 499", Click(999, 499)),
        ("qwen25", "999, 499", Click(999, 499)),
        ("relative", "0.5, 0.25", Click(500, 125)),
        ("relative", "1, 1", Click(999, 499)),
        ("relative999", "999, 999", Click(999, 499)),
        ("relative1000", "1000, 1000", Click(999, 499)),
        ("relative1000", "0, 0", Click(0, 0)),
    ],
)
def test_coordinates(coordinates: str, written: str, expected: Click) -> None:
    """A profile may say that its model names places in another way."""
    reading = read("opencua", fence(f"pyautogui.click({written})"), coordinates=coordinates)
    assert reading.actions == (expected,)
    assert read("opencua", fence("pyautogui.click(1001, 1)"), coordinates=coordinates).format_error


def test_too_much() -> None:
    """A reply is neither longer nor fuller than anybody would look at."""
    many = read("pyautogui", fence("pyautogui.press('a')\n" * (MAX_ACTIONS + 1)))
    assert len(many.actions) == MAX_ACTIONS
    assert "more than 100 actions" in str(many.format_error)
    assert "longer than" in str(read("pyautogui", "x" * (MAX_REPLY + 1)).format_error)


@pytest.mark.parametrize("huge", ["0x" + "f" * 9000, "1e999", "-" + "9" * 300])
def test_huge_numbers(huge: str) -> None:
    """A number that no screen has is a mistake, even one that Python itself does not write out."""
    for code in (
        f"pyautogui.click({huge}, 1)",
        f"pyautogui.scroll({huge})",
        f"pyautogui.press('a', presses={huge})",
    ):
        assert "must be a" in str(read("pyautogui", fence(code)).format_error)


def test_sentences_can_be_sent() -> None:
    """A sentence about a broken character does not hold it."""
    reading = read("qwen", qwen(action="left_click", **{"\ud800": 1}))
    assert "unknown argument ?" in str(reading.format_error)


def test_sentences_are_short() -> None:
    """A mistake is told shortly, however long it was."""
    for name in ACTION_SPACES:
        reading = read(name, fence(f"pyautogui.press('{'a' * 9000}')"))
        assert len(str(reading.format_error)) < 700


def test_a_dialect_of_ones_own() -> None:
    """A action space may be named as module:Class."""
    assert find_action_space("pytest_cuabench.agents.makers.chat.action_spaces.qwen:Qwen25").limit.tile == 28


# Plans and places


@pytest.mark.parametrize(
    ("text", "x", "y"),
    [
        ("(12, 34)", 12, 34),
        ("It is at [12, 34].", 12, 34),
        ("<point>12 34</point>", 12, 34),
        ("[10, 20, 30, 40]", 20, 30),
        ('{"point_2d": [12, 34], "label": "Save"}', 12, 34),
        ("pyautogui.click(x=12, y=34)", 12, 34),
        ("click(start_box='(12,34)')", 12, 34),
        ('<point x="12.5" y="34">Save</point>', 12.5, 34),
        ("(12, 34) and again (12, 34)", 12, 34),
    ],
)
def test_find_place(text: str, x: float, y: float) -> None:
    """A grounder's reply names one place, in one of the forms that are about."""
    assert find_place(text) == (x, y)


@pytest.mark.parametrize("text", ["none", "", "12", "(1, 2) or (3, 4)", "(1, 2, 3)", "(nan, 1)"])
def test_no_place(text: str) -> None:
    """No place, or several, is none."""
    with pytest.raises(ActionError):
        find_place(text)


@pytest.mark.parametrize(
    "value", [[1, 2], "1 2", "1, 2", "(1, 2)", "[1,2]", "<point>1 2</point>", [1, 2, 1, 2]]
)
def test_place_keeps_whole_numbers(value: Any) -> None:
    """Whole numbers stay whole, as they name a cell and mean its middle."""
    found = place("click", value)
    assert found == (1, 2)
    assert all(isinstance(number, int) for number in found)


def test_plan() -> None:
    """A plan's calls say what is looked for, and what is done there."""
    plan = list(
        steps(
            fence(
                "click('Save', count=2)\ndrag('a', 'b')\ntype('x', target='Name')\nscroll('up')\ndone()", ""
            )
        )
    )
    assert [step.targets for step in plan] == [("Save",), ("a", "b"), ("Name",), (), ()]


@pytest.mark.parametrize(
    "text", ["", "Hm.", "```\n```", fence("click()"), fence("click('')"), fence("jump()"), "```\nwait(1)"]
)
def test_plan_mistakes(text: str) -> None:
    """A plan without calls, or with an unknown one, is a mistake."""
    with pytest.raises(ActionError):
        list(steps(text))


POINT = "<point>10 20</point>"
CALL = '{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [10, 20]}'
MENDED: tuple[tuple[str, str, tuple[Action, ...], str], ...] = (
    ("ui-tars", f"Action: click(point='{POINT})", (Click(10, 20),), "unclosed quote"),
    ("ui-tars", f'Action: click(point="{POINT}', (Click(10, 20),), "unclosed quote"),
    ("ui-tars", "Action: type(content='it is)", (Type("it is"),), "unclosed quote"),
    ("ui-tars", f"Action: click(point='{POINT}'", (Click(10, 20),), "unclosed bracket"),
    ("ui-tars", f"Thought：so\nAction：click(point='{POINT}')", (Click(10, 20),), "full-width colon"),
    ("ui-tars", f"Action: click（point='{POINT}'）", (Click(10, 20),), "full-width marks"),
    *(
        ("ui-tars", f"Action: click(point='{POINT}'){end}", (Click(10, 20),), "sign of the end")
        for end in (
            "<|im_end|>",
            "\n<|endoftext|>",
            "</s>",
            "[EOS]",
            "<|im_end|></s>",
            "<｜end▁of▁sentence｜>",
        )
    ),
    (
        "ui-tars",
        "Action: scroll(start_box='(10,20)', end_box='(10,200)', direction='down')",
        (Scroll(10, 20, dy=5),),
        "second point of a scroll",
    ),
    (
        "qwen",
        qwen(action="left_click", coordinate={"x": 10, "y": 20}),
        (Click(10, 10),),
        "point as an object",
    ),
    ("qwen", qwen(action="left_click", x=10, y=20), (Click(10, 10),), "x and y instead of a point"),
    ("qwen", f"<tool_call>{CALL}}}}}</tool_call>", (Click(10, 10),), "bracket too many"),
    ("qwen", f"<tool_call>{CALL}</tool_call>", (Click(10, 10),), "unclosed bracket"),
    ("qwen", f"<tool_call>{CALL}}}</tool_cal>", (Click(10, 10),), "garbled tag"),
    ("qwen", f"<tool_call>{CALL}}}</tool", (Click(10, 10),), "garbled tag"),
    ("qwen", f"<tool_call>{CALL}}}<tool_call>", (Click(10, 10),), "unclosed tag"),
    (
        "qwen",
        '<tool_call>{"arguments": {"action": "left_click", "coordinate": [10, 20]}}</tool_call>',
        (Click(10, 10),),
        "call without a name",
    ),
    (
        "qwen",
        '<tool_call>{"action": "left_click", "coordinate": [10, 20]}</tool_call>',
        (Click(10, 10),),
        "call without a name",
    ),
    ("qwen", qwen(action="terminate", status="failed"), (FAILED,), "another word for a status"),
    ("pyautogui", fence("pyautogui.FAILSAFE = False\npyautogui.click(10, 20)"), (Click(10, 20),), "setting"),
)


def test_mended_replies() -> None:
    """What makers' parsers read although it is written wrongly is read, and counted as a repair."""
    for name, text, actions, kind in MENDED:
        reading = read(name, text)
        assert (reading.actions, reading.format_error) == (actions, None), (text, reading)
        assert kind in reading.repairs, (text, reading.repairs)


def test_relative_moves() -> None:
    """Offsets count from where a call before them has put the pointer; where none has, the reply is refused."""
    code = "pyautogui.moveTo(10, 20)\npyautogui.move(5, -5)\npyautogui.dragRel(xOffset=10, yOffset=0, button='right')"
    expected = [Move(10, 20), Move(15, 15), MouseDown(button="right"), Move(25, 15), MouseUp(button="right")]
    assert list(read("pyautogui", fence(code)).actions) == expected
    for call in ("move(5, 5)", "moveRel(5, 5)", "drag(5, 5)", "dragRel(5, 5)"):
        reading = read("pyautogui", fence(f"pyautogui.{call}"))
        assert not reading.actions
        assert "the pointer's place is not known" in str(reading.format_error)


def test_numbers_as_text() -> None:
    """A coordinate that is a number in quotes is a number."""
    assert read("pyautogui", fence("pyautogui.click(x='100', y='20')")).actions == (Click(100, 20),)
    assert read("qwen", qwen(action="left_click", coordinate=["10", "20"])).actions == (Click(10, 10),)
