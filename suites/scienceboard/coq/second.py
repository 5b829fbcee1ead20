"""Second solutions of CoqIDE, written without a look at the checks."""

from __future__ import annotations

import re

from pytest_cuabench import Case, Pilot

_FILE = "text:nth(0)"

_PROOFS = {  # by words of the goal; `{function}` and `{number}` are read from the file
    "identity of sums and products": "  now intros; nia.",
    "parts of a conjunction": "  firstorder.",
    "a number is said to exist.": "  refine (ex_intro _ {number} _). reflexivity.",
    "an implication is turned round": "  unfold not; intuition.",
    "law about booleans": "  repeat intros []; reflexivity.",
    "list of three parts": "  now intros; rewrite app_length, app_length; lia.",
    "without classical axioms": "  exact (fun P k => k (or_intror (fun p => k (or_introl p)))).",
    "claim about all numbers": "  intro h; pose proof (h 1) as e; now inversion e.",
    "depends on another one": "  induction 1 as [| k _ [m [e p]]]; [exists 1 | exists (S m)]; lia.",
    "identity of integers": "  intros; ring_simplify; reflexivity.",
    "computed by recursion": "  induction n as [| n h]; [reflexivity | cbn [{function}]; nia].",
    "with an accumulator": "  cut (forall l m : list nat, {function} l m = rev l ++ m).\n"
    "{{ intros g l. now rewrite g, app_nil_r. }}\n"
    "induction l as [| x r h]; intro m; cbn; [| rewrite h, <- app_assoc]; reflexivity.",
    "division with a remainder": "  induction n as [| n [q [r [e l]]]]; [exists 0, 0; lia |].\n"
    "destruct (Nat.eq_dec (S r) {number}); [exists (S q), 0 | exists q, (S r)]; lia.",
    "fails in its second case": "  - cbn; lia.",
}


async def prove(pilot: Pilot, case: Case) -> None:
    """Give another proof, typed over the end of the file, and save by the button."""
    text = await pilot.read(_FILE)
    proof = next(proof for words, proof in _PROOFS.items() if words in case.goal)
    numbers = re.search(r"(\d+) \* n = (\d+)", text)
    remainder = re.search(r"r < (\d+)", text)
    number = int(numbers[2]) // int(numbers[1]) if numbers else int(remainder[1]) if remainder else 0
    function = re.search(r"Fixpoint (\w+)", text)
    proof = proof.format(number=number, function=function and function[1])
    await pilot.click(_FILE)
    await pilot.press("ctrl+a")
    await pilot.press("Right")
    await pilot.press("shift+Up", 1 if "Admitted" in text else 2)
    await pilot.type(proof + "\nQed.\n")
    await pilot.click('push-button[name="Save"]')


async def produce(pilot: Pilot, case: Case) -> None:
    """Export by the keyboard."""
    await pilot.press("alt+f")
    await pilot.click('menu[name^="Export"]')
    await pilot.press("Right")
    await pilot.press("Return")


async def _replace_zero(pilot: Pilot, case: Case, by: str) -> None:
    lines = (await pilot.read(_FILE)).splitlines()
    index = next(index for index, line in enumerate(lines) if line.strip().rstrip(".") == "0")
    await pilot.click(_FILE)
    await pilot.press("ctrl+a")
    await pilot.press("Left")
    await pilot.press("Down", index)
    await pilot.press("End")
    if lines[index].endswith("."):
        await pilot.press("Left")
    await pilot.press("BackSpace")
    await pilot.type(by)
    await pilot.press("ctrl+s")


async def complete_definition(pilot: Pilot, case: Case) -> None:
    """Write a successor of a product in another order."""
    a, b = _numbers(await pilot.read(_FILE), case)
    await _replace_zero(pilot, case, f"S ({a} * n + {b - 1})")


async def complete_recursion(pilot: Pilot, case: Case) -> None:
    """Add the step on the right side."""
    step, _ = _numbers(await pilot.read(_FILE), case)
    await _replace_zero(pilot, case, f"{case['name']} m + {step}")


def _numbers(text: str, case: Case) -> tuple[int, int]:
    match = re.search(rf"{case['name']} n = n \* (\d+) \+ (\d+)", text)
    assert match is not None
    return int(match[1]), int(match[2])


async def ask_value(pilot: Pilot, case: Case) -> None:
    """Unfold the recursion by hand."""
    text = await pilot.read(_FILE)
    start = re.search(r"O => (\d+)", text)
    step = re.search(r"S m => (?:(\d+) \+ \w+ m|\w+ m \+ (\d+))\s", text)
    assert start is not None
    assert step is not None
    await pilot.answer(f"{int(start[1]) + 6 * int(step[1] or step[2])}")


async def ask_subgoals(pilot: Pilot, case: Case) -> None:
    """Multiply the numbers of constructors."""
    text = await pilot.read(_FILE)
    constructors = text.split(":=", 1)[1].split(".", 1)[0].split("|")
    await pilot.answer(str(len([one for one in constructors if one.strip()]) ** 2))


async def ask_assumption(pilot: Pilot, case: Case) -> None:
    """Follow the names from the theorem's proof to an axiom."""
    text = await pilot.read(_FILE)
    axioms = set(re.findall(r"Axiom (\w+)", text))
    proofs = dict(re.findall(r"(?:Lemma|Theorem) (\w+) .*?Proof\.(.*?)Qed", text, re.DOTALL))
    seen, left = set(), ["final"]
    while left:
        name = left.pop()
        seen.add(name)
        left += [
            word for word in re.findall(r"\w+", proofs.get(name, "")) if word in {*axioms, *proofs} - seen
        ]
    (axiom,) = axioms & seen
    await pilot.answer(axiom)


async def ask_unproved(pilot: Pilot, case: Case) -> None:
    """Look for the proof that ends with Admitted."""
    text = (await pilot.read(_FILE)).split("Admitted", 1)[0]
    await pilot.answer(re.findall(r"(?:Lemma|Theorem) (\w+)", text)[-1])


async def ask_length(pilot: Pilot, case: Case) -> None:
    """Multiply by hand, and answer in a sentence's worth of digits."""
    text = await pilot.read(_FILE)
    match = re.search(r"fun n => repeat n (\d+)\) \(seq \d+ (\d+)\)", text)
    assert match is not None
    await pilot.answer(f"{int(match[1]) * int(match[2])}")


async def ask_smallest(pilot: Pilot, case: Case) -> None:
    """Divide, and round up."""
    match = re.search(r"(\d+) \* n <\? (\d+)", await pilot.read(_FILE))
    assert match is not None
    await pilot.answer(str(-(-int(match[2]) // int(match[1]))))


_LETTERS = {
    "implicit arguments": "i",
    "coercions": "c",
    "nested matching": "m",
    "notations": "n",
    "parentheses": "p",
    "all basic low-level": "a",
    "existential variable": "e",
    "universe levels": "u",
    "all low-level": "l",
    "unfocused goals": "u",
    "goal names": "g",
}


async def switch(pilot: Pilot, case: Case) -> None:
    """Press the keys that the View menu tells beside its entries."""
    for part in case["meant"].replace(" that ", " ").split(" and "):
        letter = next(letter for words, letter in _LETTERS.items() if words in part)
        if letter == "u":  # belongs to two entries
            await pilot.click('menu[name="View"]')
            await pilot.click(f'check-menu-item[name*="{"universe" if "universe" in part else "unfocused"}"]')
        else:
            await pilot.press(f"shift+alt+{letter}")
