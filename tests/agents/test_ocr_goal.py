"""Plans that are made of goals: text in, instructions out."""

from __future__ import annotations

import pytest

from pytest_cuabench.agents.builtin.reader.instruction_parser import (
    CheckAll,
    CountEntries,
    Fill,
    Instruction,
    Open,
    Plan,
    Press,
    ReadValues,
    read_goal,
)

PREAMBLE = (
    "You are Ada Byron, a clerk at a desk. To sign in, the user ID is abyron and the password is cedar-12. "
)


def steps(sentences: str) -> tuple[Instruction, ...]:
    """Return the instructions of a goal that begins with the usual preamble."""
    return read_goal(PREAMBLE + sentences).steps


def test_credentials_are_read_from_the_preamble() -> None:
    """User ID and password are taken without the full stop behind them."""
    plan = read_goal(PREAMBLE + "Press “Save”.")

    assert (plan.user, plan.password) == ("abyron", "cedar-12")


def test_signing_in_is_no_instruction_of_its_own() -> None:
    """The sign-in page is filled in from the credentials; a goal that only asks for it has no further step."""
    plan = read_goal(
        PREAMBLE + "Fill in “User ID” and “Password” and press “Sign in”. Stop when “Desk” appears."
    )

    assert plan.steps == ()
    assert plan.understood
    assert steps("Enter the user ID and the password into the two fields and press “Sign in”.") == ()


def test_a_goal_without_any_instruction_is_not_understood() -> None:
    """Nothing to press, to fill in or to answer means that the player does not know what to do."""
    assert not read_goal(PREAMBLE + "The colleague needs the paper as ever.").understood


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Press “Save form” once.", [Press("Save form")]),
        ("Open the tab “Orders” and press “New”.", [Press("Orders"), Press("New")]),
        ("On the tab “Orders” press “New”.", [Press("Orders", place=True), Press("New")]),
        ("Press “Save”. Do not press “Send”.", [Press("Save")]),
        ("Press “Save”. Leave everything else as it is. No note is needed.", [Press("Save")]),
        ("Double-click the row of Ada Byron, MRN 1234567.", [Open(("Ada Byron", "1234567"), "1234567", 2)]),
        ("Click tile 5A-07 (Ada Byron, MRN 1234567).", [Open(("5A-07", "Ada Byron", "1234567"), "1234567")]),
        ("Click the available bed ICU-05.", [Open(("ICU-05",))]),
        ("Type 10 into “Size” and 4 into “Jar”.", [Fill("10", "Size"), Fill("4", "Jar")]),
        ("Set “Reason” to “Pain, or fever”.", [Fill("Pain, or fever", "Reason")]),
        ("Under “Oxygen” choose what fits “on room air”.", [Fill("on room air", "Oxygen")]),
        ("Choose Triage 2 under “Printer”.", [Fill("Triage 2", "Printer")]),
        ("Pick the reason “Moved” from the list.", [Fill("Moved", "reason")]),
        ("Tick “Signed”, “Given” and “Consent”.", [Fill("Signed"), Fill("Given"), Fill("Consent")]),
        ("Switch the layout from “Rows” to “Columns”.", [Fill("Columns", "layout")]),
        ("Mark one option in each row, on “Risk”: “Gait: 1 Weak”, “Aid: 0”.", [Fill("Gait: 1 Weak"), Fill("Aid: 0")]),
        ("Select Rx No. 1234567 of Ada Byron, press F3.", [Open(("Ada Byron", "1234567"), "1234567"), Press("F3")]),
        ("Enter exactly “Slept well, no pain”, press the key HOLD.", [Fill("Slept well, no pain"), Press("HOLD")]),
        ("Change the field “Quantity” to 42.", [Fill("42", "Quantity")]),
        ("Press “Add”, then “Drug”: “Dose” 81 mg.", [Press("Add"), Press("Drug"), Fill("81 mg", "Dose")]),
        ("Press F9 and tick “Checked”.", [Press("F9"), Fill("Checked")]),
        ("Tick all four lines of the checklist.", [CheckAll("all four lines of the checklist")]),
        ("Fill in Diagnosis (Chronic sinusitis) (mind the spelling).", [Fill("Chronic sinusitis", "Diagnosis")]),
    ],
)  # fmt: skip
def test_a_sentence_becomes_instructions(sentence: str, expected: list[Instruction]) -> None:
    """Verbs of plain English become instructions; what not to do becomes none."""
    assert list(steps(sentence)) == expected


def test_values_of_a_list_keep_their_labels_for_the_screen_to_part() -> None:
    """Where the label ends and the value begins is only known on the screen."""
    found = steps("Fill in Heart rate 97, Respiratory rate 20 and Pain score 6; press “Save”.")

    assert found == (Fill("Heart rate 97"), Fill("Respiratory rate 20"), Fill("Pain score 6"), Press("Save"))


def test_a_chart_is_opened_before_what_is_done_in_it() -> None:
    """“In the chart of …” means that the chart has to be opened first."""
    found = steps("In the chart of Ada Byron (MRN 1234567) open “Vitals”, then press “Add”.")

    assert found == (Open(("Ada Byron", "1234567"), "1234567"), Press("Vitals"), Press("Add"))


def test_the_name_is_who_was_found() -> None:
    """“Click the name” opens who was named before."""
    found = steps("Find the row of Ada Byron, MRN 1234567, on the board, and click the name. Stop there.")

    assert found == (Open(("Ada Byron", "1234567"), "1234567"),)


def test_what_was_searched_helps_to_open() -> None:
    """A number that is searched is one more way to find who is opened next."""
    found = steps("In the “Index” search 1234567 and open Ada Byron.")

    assert found == (Press("Index", place=True), Open(("Ada Byron", "1234567"), "1234567"))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Count the rows whose status is “Waiting”. Answer with the number only.", CountEntries("Waiting")),
        (
            "Look at the column “Status” and count those marked “Waiting”. Answer in digits.",
            CountEntries("Waiting"),
        ),
        (
            "Look at the panel of ward 5A. Count its tiles that read “Free” and answer in digits.",
            CountEntries("Free", "5A"),
        ),
        (
            "Find the row of ward 3B and read the column “Now”. Answer in the form: … %",
            ReadValues("… %", ("Now",), "3B"),
        ),
        (
            "Read the set that is not marked “Void”. Answer as: HR …, BP …/…",
            ReadValues("HR …, BP …/…", (), None, "Void"),
        ),
    ],
)
def test_questions_say_what_to_read(sentence: str, expected: Instruction) -> None:
    """A question ends the plan with counting, or with reading values into the form that is asked for."""
    assert steps(sentence)[-1] == expected


def test_a_question_that_is_not_understood_stays_a_question() -> None:
    """A goal that wants an answer never ends without one, even where what to read is not understood."""
    assert steps("Press “List”. Answer after your best judgement.") == (Press("List"), ReadValues("…"))


def test_own_secrets_stand_for_themselves() -> None:
    """“Your password” and “your code” are what the goal says they are."""
    goal = (
        PREAMBLE
        + "Your electronic signature code for orders is anchor800. Type the signature code into “Code”."
    )
    plan = read_goal(goal)

    assert plan.facts == (("electronic signature code", "anchor800"),)
    assert plan.resolved("the signature code") == "anchor800"
    assert plan.resolved("your password") == "cedar-12"
    assert plan.resolved("Monday") == "Monday"


def test_a_plan_is_the_same_every_time() -> None:
    """Reading a goal twice gives equal plans."""
    goal = PREAMBLE + "Open Ada Byron (MRN 1234567) and enter Dose 2, Schedule “twice daily”. Press “Sign”."

    assert read_goal(goal) == read_goal(goal)
    assert isinstance(read_goal(goal), Plan)
