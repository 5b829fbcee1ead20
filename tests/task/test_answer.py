"""Final answers: what is read in any form, and what is refused because it says something else."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date
from decimal import Decimal

import pytest
from breadth import some
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.answer import (
    BloodPressure,
    Choice,
    DateAnswer,
    Entity,
    EntitySet,
    Fields,
    Number,
    Spec,
    Text,
    YesNo,
)

steady = settings(
    max_examples=150,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

WAITING = Number(7, words=("patients", "waiting"))
EIGHT = Number(8, words=("beds", "free"))
BALANCE = Number(
    -900,
    unit="mL",
    words=("fluid", "balance", "net"),
    negative_words=("deficit", "negative"),
    positive_words=("surplus", "positive", "excess"),
)
FEVER = Number(38.6, "°C", 0.05, units={"°F": (5 / 9, -160 / 9)}, words=("temperature",), approximate=True)
HEART = Number(102, unit="/min")
SATURATION = Number(97, unit="%", words=("SpO2",))
DOSE = Number(1500, unit="mL", units={"L": 1000}, words=("volume", "bed 2"))
ZERO = Number(0, words=("patients", "waiting"))
THREE = Number(3, words=("ward",))
MARIA = Entity("María López", aliases=("MRN 0042",), words=("patient",))
BED = Entity("Bed 2", words=("patient",))
WARD = Entity("Ward 3, Bed 2")
TRIAGE = Choice("urgent", ("urgent", "non-urgent", "immediate"), words=("patient", "category"))
BLOOD = Choice("A+", {"A+": ("A positive",), "A-": ("A negative",), "B+": ()})
TEAM = EntitySet(
    ("Maria Lopez", "John Smith", "Ann O'Brien"), {"John Smith": ("J. Smith",)}, words=("patients",)
)
NOBODY = EntitySet((), words=("patients",))
YES, NO = (YesNo(value, words=("patient", "allergic")) for value in (True, False))
BIRTH = DateAnswer(date(1958, 7, 15), words=("born",))
AUGUST = DateAnswer(date(1958, 8, 7), order="dmy")
PLAN = Text("Take 2 tablets, twice daily", aliases=("2 tablets BID",), words=("plan",))
PRESSURE = BloodPressure(118, 78)
VITALS = Fields(
    {
        "heart rate": (HEART, ("hr", "pulse")),
        "blood pressure": (PRESSURE, ("bp",)),
        "SpO2": Number(97, unit="%"),
        "temperature": (Number(38.6, unit="°C"), ("temp", "t")),
    },
    words=("vitals",),
)
EVERY: tuple[Spec, ...] = (
    *(WAITING, EIGHT, BALANCE, FEVER, HEART, SATURATION, DOSE, ZERO, THREE, MARIA, BED, WARD, TRIAGE, BLOOD),
    *(TEAM, NOBODY, YES, NO, BIRTH, AUGUST, PLAN, PRESSURE, VITALS),
)


def cases(*groups: tuple[Spec, tuple[str, ...]]) -> list[tuple[Spec, str]]:
    """Return each specification with each of its answers."""
    return [(spec, answer) for spec, answers in groups for answer in answers]


NUMBERS_ACCEPTED = cases(
    (
        WAITING,
        ("7", "seven", " 7. ", "Seven!", "**7**", "seven (7)", "7 patients", "There are 7 patients waiting."),
    ),
    (
        WAITING,
        ("7.0", "07", "The answer is 7.", "a total of 7 patients", "7 patients. So the answer is 7.", "+7"),
    ),
    (
        WAITING,
        (
            "there's 7",
            "Patients waiting: 7",
            "Total – 7",
            "\uff17",
            "٧",
        ),
    ),
    (WAITING, ("- 7", "Patients waiting:\n7\n", "= 7", "'7'", "I counted 7 patients")),
    (EIGHT, ("8", "eight beds", "Currently 8 beds are free")),
    (
        BALANCE,
        ("-900", "−900", "–900 mL", "-900 ml", "−900 ML", "-900.0 mL", "minus 900 mL", "minus nine hundred"),
    ),
    (
        BALANCE,
        (
            "fluid deficit of 900 mL",
            "900 mL deficit",
            "-900 mL deficit",
            "negative 900",
            "900 milliliters negative",
        ),
    ),
    (BALANCE, ("Net fluid balance: −900 mL", "The fluid balance is -900 (a deficit of 900 mL)", "(-900 mL)")),
    (
        FEVER,
        ("38.6", "38,6 °C", "38.6°C", "38.6 ºC", "38.6 degrees Celsius", "38.6 C", "101.5 °F", "101.5 F"),
    ),
    (
        FEVER,
        ("The temperature is 38.6 °C (101.5 °F)", "about 38.6", "~38.6 °C", "38.65", "temperature 38.55 ℃"),
    ),
    (
        HEART,
        (
            "102",
            "102/min",
            "102 bpm",
            "102 beats per minute",
            "102 min⁻¹",
            "102 min-1",
            "one hundred and two",
        ),
    ),
    (SATURATION, ("97", "97 %", "97%", "SpO2 97%", "SpO₂: 97 percent", "97\u00a0%", "ninety-seven percent")),
    (
        DOSE,
        (
            "1500",
            "1,500",
            "1 500",
            "1'500",
            "1’500 mL",
            "1\u202f500 mL",
            "1\u2009500",
            "1,500.00 mL",
            "1.5 L",
        ),
    ),
    (DOSE, ("1500 ml (1.5 L)", "Bed 2: 1500 mL", "Volume in mL: 1500", "fifteen hundred", "1,5 litres")),
    (DOSE, ("one thousand five hundred mL",)),
    (
        ZERO,
        (
            "0",
            "zero",
            "none",
            "None.",
            "no patients",
            "There are no patients waiting",
            "nobody is waiting",
            "-0",
        ),
    ),
    (THREE, ("3", "Ward 3", "ward: three")),
    (Number(10**40), (f"{10**40}", f"{10**40:,}")),
    (FEVER, ("38.6 degrees", "38.6°", "101.5 degrees Fahrenheit")),
    (Number(42, unit="mg/dL"), ("42 mg/dl", "42 mg per dL", "42 MG/DL", "42mg / dL")),
    (WAITING, ("7 patients have been waiting", "**Answer:** 7", "It's 7")),
    (Number(1234567.5), ("1,234,567.5", "1.234.567,5", "1 234 567,5", "1'234'567.5", "1234567.50")),
    (Number(0.5), ("0.5", ".5", "0,5", "0,500")),
    (Number(5, unit="$"), ("$5", "5 $", "5 dollars", "USD 5")),
    (Number(7, unit="/10", words=("pain",)), ("7/10", "pain 7", "7 / 10")),
    (Number(21), ("twenty-one", "Twenty one", "twenty‑one (21)")),
    (Number(Decimal("0.1"), unit="mg"), ("0.1 mg", "0.1 MG")),
    (Number(42, unit="years"), ("42", "42 years old", "42 y")),
)

NUMBERS_REFUSED = cases(
    (
        EIGHT,
        ("18", "7", "80", "8.1", "-8", "8 or 9", "8th", "8x", "x8", "8a", "A8", "8²", "8½", "1̶8", "<8", "8?"),
    ),
    (
        THREE,
        ("Ward 3A", "Ward 3 A", "A3", "3-A", "ward 3b", "3–5", "3-5", "3 - 5", "3-3", "3 to 5", "3rd", "3/5"),
    ),
    (
        THREE,
        ("ward 3.5.1", "3,00,000", "v.3", "3:30", "1 3", "3 3000", "not three", "three four", "3 I", "=/= 3"),
    ),
    (
        Number(6),
        ("not 6 but 7", "6 and 7", "no 6", "No. 6", "isn't 6", "6, never 7", "without 6", "six seven", "5 6"),
    ),
    (
        WAITING,
        ("7 patients have been seen", "7 patients seen", "about 7", "approximately 7", "~7", "at least 7"),
    ),
    (
        WAITING,
        (
            "no patients",
            "none",
            "7 doctors",
            "7 patients in 2 wards",
            "7%",
            "7 mL",
            "seventy",
            "",
            "   ",
            "n/a",
        ),
    ),
    (
        WAITING,
        ("±7", "--7", "+-7", "7-", "7 7 8", "seventeen", "the", "patients waiting", "I don't know"),
    ),
    (WAITING, ("there are 7 patients, but 2 left", "7e0", "0x7", "７７", "7!6", "7_000", "...7")),
    (
        BALANCE,
        (
            "900",
            "900 mL",
            "-900 mL surplus",
            "900 mL surplus",
            "+900 mL deficit",
            "- 900",
            "balance - 900 mL",
        ),
    ),
    (
        BALANCE,
        ("-90", "−900 L", "-900 mL per day", "deficit", "900 deficit and surplus", "—900", "9-900", "-9000"),
    ),
    (
        Number(900, unit="mL", negative_words=("deficit",)),
        ("900 mL deficit", "-900 mL", "- 900", "balance - 900"),
    ),
    (
        FEVER,
        ("38.66", "39", "386", "101.5", "101.5 K", "38.6 °F", "101.5 °C", "38.6 °C (102 °F)", "38.6 or 38.7"),
    ),
    (HEART, ("102 %", "102 mmHg", "102 bpm 98", "1,02", "102/78", "102 over 78")),
    (SATURATION, ("0.97", "97 mmHg", "SpO2 97% on 2 L", "SpO3 97", "SpO2", "97%-")),
    (
        DOSE,
        ("1.5", "1.500", "1500 L", "1.5 mL", "15,00", "1,500 g", "1500 mL or L", "Bed 3: 1500", "1500 Mg"),
    ),
    (Number(10**40), (f"{10**40 + 1}", f"-{10**40}", f"{10**40:,}1")),
    (Number(42, unit="mg/dL"), ("42 mg", "42 Mg/dL", "42 g/dL", "42 mg dL")),
    (Number(5, unit="mg"), ("5 Mg", "5 g", "5 mgs per mL", "5 µg")),
    (ZERO, ("no", "not zero", "no, 7", "none of the 7 patients", "none but 1", "no beds")),
    (Number(0), ("no patients",)),
)

NAMES_ACCEPTED = cases(
    (
        MARIA,
        (
            "María López",
            "maria lopez",
            "MARIA  LOPEZ",
            "Lopez, Maria",
            "LÓPEZ, MARÍA.",
            "Patient: Maria Lopez",
        ),
    ),
    (
        MARIA,
        (
            "The patient is Maria Lopez.",
            "MRN 0042",
            "**Maria Lopez**",
            "Mari\u0301a Lo\u0301pez",
            "Maria-Lopez",
        ),
    ),
    (MARIA, ("Maria Lopez (MRN 0042)", "“Maria Lopez”", "Maria\u00a0Lopez")),
    (BED, ("Bed 2", "bed 2.", "BED-2", "Bed2", "bed #2", "The patient is in bed 2", "Bed\u20112")),
    (WARD, ("Ward 3, Bed 2", "ward 3 bed 2", "Bed 2, Ward 3", "Bed 2 Ward 3")),
    (Entity("Lopez, Maria"), ("Lopez, Maria", "Maria Lopez", "maria lopez")),
    (Entity("O'Brien"), ("O'Brien", "O’BRIEN", "OBrien")),
    (Entity("Jürgen Groß"), ("jurgen gross", "JÜRGEN GROSS", "Groß, Jürgen")),
    (Entity("Søren Łuk"), ("Soren Luk",)),
    (TRIAGE, ("urgent", "Urgent.", "The category is urgent", "URGENT, so urgent")),
    (Choice("non-urgent", ("urgent", "non-urgent")), ("non-urgent", "Non urgent", "NON‑URGENT")),
    (Choice("A", ("A", "B")), ("A", "The answer is A.", "(a)")),
    (BLOOD, ("A+", "a+", "A positive", "(A+)")),
    (
        PLAN,
        (
            "take 2 tablets twice daily",
            "Take 2 tablets - twice daily.",
            "Plan: 2 tablets BID",
            "“2 tablets, BID”",
        ),
    ),
    (TEAM, ("Maria Lopez, John Smith, Ann O'Brien", "Lopez, Maria; Smith, John; O'Brien, Ann")),
    (
        TEAM,
        (
            "Ann O’Brien and J. Smith and Maria Lopez",
            "- John Smith\n- Maria Lopez\n- Ann OBrien",
            "1. John Smith\n2. Ann OBrien\n3. Maria Lopez",
        ),
    ),
    (TEAM, ("The patients are: maria lopez, john smith, & ann o'brien.",)),
    (NOBODY, ("none", "None.", "nobody", "no patients", "There are no patients.")),
)

NAMES_REFUSED = cases(
    (
        MARIA,
        (
            "Lopez Maria",
            "Maria, Lopez",
            "Maria",
            "Lopez",
            "Maria Lopez Garcia",
            "Maria Lopez or Ann Lee",
            "none",
        ),
    ),
    (
        MARIA,
        ("not Maria Lopez", "Maria Lopez Jr.", "MRN 42", "MRN 00421", "Maria Lopezz", "Maria Lopez?", ""),
    ),
    (
        MARIA,
        ("Maria Lopez isn't", "Maria Lopez and Ann Lee", "everyone except Maria Lopez", "about Maria Lopez"),
    ),
    (
        BED,
        (
            "Bed 21",
            "Bed 12",
            "beds 2 and 3",
            "bed 2 or 3",
            "Bed 2A",
            "Bed 2 A",
            "2",
            "Bed 2.5",
            "Bed 2/3",
            "Bed 2²",
        ),
    ),
    (BED, ("bed 2-3", "Bed 3", "Bed -2", "Bed 2 is empty", "Bed 20", "bed two hundred")),
    (WARD, ("Ward 2, Bed 3", "Ward 3", "Bed 2", "Ward 3, Bed 21")),
    (Entity("Martin James"), ("James Martin", "Martin, James")),
    (
        TRIAGE,
        (
            "non-urgent",
            "not urgent",
            "urgent or immediate",
            "immediate",
            "urgently",
            "unurgent",
            "very urgent",
        ),
    ),
    (BLOOD, ("A-", "A", "B+", "A negative", "A+ or A-", "A+-", "AB+")),
    (Choice("A", ("A", "B")), ("a B", "A B", "AB", "C", "A-", "not A")),
    (
        PLAN,
        (
            "take 3 tablets, twice daily",
            "take 2 tablets",
            "do not take 2 tablets, twice daily",
            "2.5 tablets BID",
        ),
    ),
    (
        TEAM,
        ("Maria Lopez, John Smith", "Maria Lopez, John Smith, Ann O'Brien, Bob Lee", "none", "all patients"),
    ),
    (
        TEAM,
        (
            "Maria Lopez, John Smith, not Ann O'Brien",
            "Maria Lopez, John Smith or Ann O'Brien",
            "Lopez, Smith, OBrien",
        ),
    ),
    (NOBODY, ("Maria Lopez", "not none", "no", "patients", "none, except Maria Lopez")),
)

OTHERS_ACCEPTED = cases(
    (
        YES,
        (
            "yes",
            "Yes.",
            "TRUE",
            "Correct!",
            "The answer is yes",
            "Yes, the patient is allergic.",
            "Yes — it is",
            "y",
        ),
    ),
    (
        NO,
        (
            "no",
            "No, the patient is not allergic.",
            "false",
            "It is incorrect.",
            "No. There are none.",
            "nope",
        ),
    ),
    (
        BIRTH,
        (
            "1958-07-15",
            "15 July 1958",
            "July 15, 1958",
            "15.07.1958",
            "07/15/1958",
            "15/07/1958",
            "15 Jul 1958",
        ),
    ),
    (
        BIRTH,
        (
            "15th of July, 1958",
            "Jul. 15th, 1958",
            "15-Jul-1958",
            "1958/7/15",
            "Tuesday, 15 July 1958",
            "15. 7. 1958",
        ),
    ),
    (BIRTH, ("Born on 15 July 1958 (1958-07-15).", "The date is JULY 15 1958", "1958 July 15", "15–07–1958")),
    (AUGUST, ("07/08/1958", "7/8/1958", "7 August 1958", "07.08.1958", "1958-08-07")),
    (DateAnswer(date(1958, 7, 7)), ("7/7/1958",)),
    (DateAnswer(date(1958, 7, 8), order="mdy"), ("07/08/1958", "8.7.1958")),
    (
        PRESSURE,
        ("118/78", "118/78 mmHg", "118 over 78", "BP: 118 / 78 mm Hg", "The blood pressure is 118/78."),
    ),
    (
        VITALS,
        (
            "HR 102, BP 118/78, SpO2 97 %, Temp 38.6 °C",
            "Temp: 38,6; SpO₂=97%; BP is 118 over 78 mmHg; pulse 102",
        ),
    ),
    (VITALS, ("- Heart rate (HR): 102 bpm\n- BP: 118/78\n- SpO2: 97%\n- T: 38.6 °C\n",)),
    (
        VITALS,
        ("1. HR: 102\n2. BP: 118/78\n3. SpO2: 97\n4. Temp: 38.6", "Vitals: hr 102 bp 118/78 spo2 97 t 38.6"),
    ),
    (
        VITALS,
        (
            "**HR**: 102 | **BP**: 118/78 | **SpO2**: 97 | **Temp**: 38.6",
            "HR - 102, BP 118/78, SpO2 97, T 38.6",
        ),
    ),
    (VITALS, ("The HR is 102, the BP is 118/78, the SpO2 is 97%, and the temperature is 38.6 °C.",)),
    (VITALS, ("| HR | 102 |\n|----|----|\n| BP | 118/78 |\n| SpO2 | 97% |\n| Temp | 38.6 °C |",)),
    (BIRTH, ("July the 15th, 1958", "15JUL1958")),
    (Fields({"group": BLOOD, "hr": HEART}), ("group A+, hr 102", "HR 102; group: A+")),
)

OTHERS_REFUSED = cases(
    (
        YES,
        (
            "no",
            "No, yes",
            "Yes, but no",
            "Yes? No.",
            "not correct",
            "yes or no",
            "maybe",
            "No problem, it is",
            "",
        ),
    ),
    (
        YES,
        (
            "Right arm",
            "Yes, unless allergic",
            "Yes, I doubt it",
            "yes, the patient isn't allergic",
            "7",
            "true north",
        ),
    ),
    (NO, ("yes", "No, wait, yes", "no problem", "No, however it is true", "N/A", "not", "No idea", "no?")),
    (
        BIRTH,
        (
            "15 July 1959",
            "14 July 1958",
            "July 1958",
            "15/07/58",
            "1985-07-15",
            "Monday, 15 July 1958",
            "15 July",
        ),
    ),
    (
        BIRTH,
        (
            "not 15 July 1958",
            "15 July 1958 or 16 July 1958",
            "31 June 1958",
            "15 July 1958, age 66",
            "1958-07-155",
        ),
    ),
    (
        BIRTH,
        (
            "1958-07-15T00:00",
            "about 15 July 1958",
            "115 July 1958",
            "15 Julys 1958",
            "before 15 July 1958",
            "0/0/1958",
        ),
    ),
    (BIRTH, ("15-16 July 1958", "15.07.1958.1", "15/07-1958")),
    (AUGUST, ("08/07/1958", "8 July 1958", "08.07.1958")),
    (DateAnswer(date(1958, 8, 7)), ("07/08/1958", "08/07/1958")),
    (DateAnswer(date(1958, 7, 8), order="mdy"), ("08/07/1958",)),
    (
        PRESSURE,
        ("118/87", "78/118", "118", "118-78", "118/78/60", "1118/78", "118/78 kPa", "118/788", "not 118/78"),
    ),
    (
        PRESSURE,
        ("118/78 or 120/80", "-118/78", "118/78 at 10", "118/78 lying, 120/80 standing", "about 118/78"),
    ),
    (
        VITALS,
        (
            "HR 102, BP 118/78, SpO2 97 %",
            "HR 102, BP 118/78, SpO2 97, T 38.6, RR 18",
            "102, 118/78, 97, 38.6",
        ),
    ),
    (
        VITALS,
        ("HR 97, BP 118/78, SpO2 102, T 38.6", "HR 102, HR 102, BP 118/78, SpO2 97, T 38.6", "HR BP SpO2 T"),
    ),
    (VITALS, ("max HR 102, BP 118/78, SpO2 97, T 38.6", "HR 102 seen, BP 118/78, SpO2 97, T 38.6")),
    (VITALS, ("HR 102, BP 118/78, SpO2 97, T 38.6, 40", "HR102, BP 118/78, SpO2 97, T 38.6", "not HR 102")),
    (Fields({"balance": BALANCE}), ("balance - 900", "balance 900", "balance: 900 mL surplus")),
    (Fields({"group": BLOOD, "hr": HEART}), ("group A-, hr 102", "group A, hr 102", "hr -102, group A+")),
)


@pytest.mark.parametrize(
    "accepted", [NUMBERS_ACCEPTED, NAMES_ACCEPTED, OTHERS_ACCEPTED], ids=["numbers", "names", "others"]
)
def test_right_answers_are_read_in_any_form(accepted: list[tuple[Spec, str]]) -> None:
    """A right number, name, list, yes or no, date or set of fields is accepted however it is written."""
    found = [(spec.expected, answer, spec.match(answer)) for spec, answer in accepted]
    assert [told for told in found if not told[-1].ok] == []


@pytest.mark.parametrize(
    "refused", [NUMBERS_REFUSED, NAMES_REFUSED, OTHERS_REFUSED], ids=["numbers", "names", "others"]
)
def test_answers_of_another_sense_are_refused(refused: list[tuple[Spec, str]]) -> None:
    """What says something else is refused: another value, a part of it, a negation, a doubt, a range, leftovers."""
    found = [(spec.expected, answer, spec.match(answer)) for spec, answer in refused]
    assert [told for told in found if told[-1].ok] == []


@pytest.mark.parametrize(
    "accepted", [NUMBERS_ACCEPTED, NAMES_ACCEPTED, OTHERS_ACCEPTED], ids=["numbers", "names", "others"]
)
def test_no_right_answer_survives_a_twist(accepted: list[tuple[Spec, str]]) -> None:
    """A right answer with a negation, a doubt or an alternative around it is no right answer any more."""
    for spec, answer in accepted:
        for twist in ("not {}", "{}?", "{} or 9", "perhaps {}", "{}, but no"):
            assert not spec.match(twist.format(answer)).ok, (spec.expected, twist.format(answer))


@pytest.mark.parametrize(
    ("spec", "answer", "seen"),
    [
        (WAITING, None, "no answer"),
        (WAITING, " \n", "no answer"),
        (WAITING, "\u200b", "no answer"),
        (WAITING, "patients seen", "refused: there is no number in 'patients seen'"),
        (WAITING, "8", "8"),
        (
            WAITING,
            "7 patients have been seen",
            "refused: the answer also says 'seen', which the question does not ask",
        ),
        (WAITING, "7 seen", "refused: the answer also says 'seen', which the question does not ask"),
        (Number(7), "6 and 7", "refused: two numbers (6 and 7)"),
        (Number(7), "6, 7", "refused: two numbers (6 and 7)"),
        (Number(7), "not 6 but 7", "refused: the answer says 'not'"),
        (WAITING, "about 7", "refused: the answer is hedged with 'about'"),
        (WAITING, "x" * 2001, "refused: the answer is longer than 2000 characters"),
        (BALANCE, "900 mL", "900 mL, without a minus or a word for one"),
        (BALANCE, "-900 surplus", "refused: the sign of the number and the words around it disagree"),
        (Number(38.6, unit="°C"), "101.5 F", "refused: stated in °F"),
        (FEVER, "38.6 °C (101.5 °F)", "38.6 °C = 101.5 °F"),
        (THREE, "ward 3A", "refused: '3A' is not a number"),
        (BED, "Bed 21", "'Bed 21'"),
        (BED, "beds 2 and 3", "'beds 2 and 3'"),
        (TRIAGE, "urgent, immediate", "refused: 2 options (urgent and immediate)"),
        (TRIAGE, "immediate", "immediate"),
        (TEAM, "Maria Lopez, Bob Lee, John Smith", "extra: 'Bob Lee'; missing: Ann O'Brien"),
        (YES, "Yes, but no", "refused: after 'Yes' the answer says 'but'"),
        (
            DateAnswer(date(1958, 7, 8)),
            "7/8/1958",
            "refused: '7/8/1958' can be read as 1958-08-07 and 1958-07-08",
        ),
        (PRESSURE, "118/80", "118/80"),
        (VITALS, "HR 102", "refused: the answer does not name blood pressure, SpO2, temperature"),
    ],
)
def test_a_report_says_what_was_understood(spec: Spec, answer: str | None, seen: str) -> None:
    """`seen` tells a person in one sentence what was read or why it was refused."""
    assert spec.match(answer).seen == seen


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (BALANCE, "-900 mL"),
        (FEVER, "38.6 ± 0.05 °C"),
        (Number(1e-7), "0.0000001"),
        (MARIA, "María López"),
        (TRIAGE, "urgent"),
        (NOBODY, "none"),
        (NO, "no"),
        (BIRTH, "1958-07-15"),
        (PLAN, "'Take 2 tablets, twice daily'"),
        (VITALS, "heart rate 102 /min; blood pressure 118/78 mmHg; SpO2 97 %; temperature 38.6 °C"),
    ],
)
def test_a_report_says_what_was_expected(spec: Spec, expected: str) -> None:
    """`expected` shows the right answer as a person would write it."""
    assert spec.expected == expected


@pytest.mark.parametrize(
    "spec", [spec for spec in EVERY if spec is not VITALS], ids=lambda spec: spec.expected
)
def test_every_specification_accepts_what_it_expects(spec: Spec) -> None:
    """The text of `expected` is itself a right answer, apart from a stated tolerance."""
    assert spec.match(spec.expected.replace(" ± 0.05", "")).ok


def test_fields_accept_what_they_expect() -> None:
    """The text of `expected` is itself a right answer when every part has a label."""
    assert VITALS.match(VITALS.expected).ok


@pytest.mark.parametrize(
    "build",
    [
        lambda: Number(float("nan")),
        lambda: Number(1, tolerance=-1),
        lambda: Number(1, unit="L", units={"mL": float("nan")}),
        lambda: Number(1, words="patients"),  # type: ignore[arg-type]
        lambda: Choice("a", ("b", "c")),
        lambda: Choice("A b", ("A b", "a  B")),
        lambda: Entity("..."),
        lambda: EntitySet(("Ann",), {"Bob": ("B",)}),
        lambda: DateAnswer(date(2000, 1, 1), order="ymd"),  # type: ignore[arg-type]
        lambda: Fields({}),
        lambda: Fields({"hr": HEART, "pulse": (HEART, ("HR",))}),
        lambda: BloodPressure(float("inf"), 80),
    ],
    ids=range(12),
)
def test_a_wrong_specification_is_told_to_its_author(build: object) -> None:
    """A specification that can never work is refused when the task is built, not when an agent is judged."""
    assert callable(build)
    with pytest.raises(CheckerFailure):
        build()


HOSTILE = st.text(
    st.sampled_from(
        [*"0123456789 ,.'-–—−+/%°()*:;\n?", "²", "½", "\u0336", "\u200b", "\ud800", "é", "ß", "İ", "Ⅳ", "٣"]
    )
)
VOCABULARY = """
    no not none 7 -900 mL °F six hundred thousand and bed 2 HR BP 118 / over 78 July 15 1958 yes maria lopez , ;
    urgent A + - isn't about deficit surplus the a I per minute 1,500 15/07/1958 Temp
"""
WORDS = st.lists(st.sampled_from(VOCABULARY.split()), max_size=40).map(" ".join)


@steady
@given(st.one_of(st.text(), HOSTILE, WORDS, st.text(st.characters(), max_size=30)))
def test_matching_never_raises(text: str) -> None:
    """Any string at all gets a judgement and a sentence of bounded length."""
    for spec in EVERY:
        assert len(spec.match(text).seen) < 2500


def spellings(number: int) -> list[str]:
    """Return ways to write a whole number."""
    forms = [
        f"{number}",
        f"{number:,}",
        f"{number:,}".replace(",", " "),
        f"{number:,}".replace(",", "\u202f"),
    ]
    forms += [f"{number:,}".replace(",", "'"), f"{number}.0", f"The answer is {number:,}.", f"({number})"]
    return [form.replace("-", sign) for form in forms for sign in ("-", "−", "–")]


@steady
@given(st.integers(-(10**9), 10**9))
def test_every_spelling_of_a_number_is_that_number(number: int) -> None:
    """All renderings of a whole number are accepted for it."""
    for form in spellings(number):
        assert Number(number).match(form).ok, form


@steady
@given(st.integers(-3000, 3000), st.integers(-3000, 3000))
def test_no_spelling_of_a_number_is_another_number(number: int, other: int) -> None:
    """No rendering of a whole number is accepted for a different one."""
    assume(number != other)
    for form in spellings(number):
        assert not Number(other).match(form).ok, form


@steady
@given(st.decimals(-10000, 10000, allow_nan=False, places=3), st.sampled_from(["°C", "mL", "%", "mmHg"]))
def test_decimals_keep_their_value(number: Decimal, unit: str) -> None:
    """A decimal with its unit is accepted for itself and refused for its neighbour, sign flipped or digit cut."""
    assert Number(number, unit=unit).match(f"{number} {unit}").ok
    assert not Number(number + Decimal("0.001"), unit=unit).match(f"{number}{unit}").ok
    assert number == 0 or not Number(-number, unit=unit).match(f"{number}").ok


ONES_SAID = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
"""
ONES = ONES_SAID.split()
TENS_SAID = """
    twenty thirty forty fifty sixty seventy eighty ninety
"""
TENS = TENS_SAID.split()


def in_words(number: int, joint: str, hyphen: str) -> str:
    """Return a number below ten thousand in words."""
    for size, name in ((1000, "thousand"), (100, "hundred")):
        if number >= size:
            rest = number % size
            head = f"{in_words(number // size, joint, hyphen)} {name}"
            return f"{head}{joint if rest < 100 else ' '}{in_words(rest, joint, hyphen)}" if rest else head
    if number < 20:
        return ONES[number]
    return TENS[number // 10 - 2] + (hyphen + ONES[number % 10] if number % 10 else "")


@steady
@given(st.integers(0, 9999), st.sampled_from([" ", " and "]), st.sampled_from(["-", " ", "\u2011"]))
def test_numbers_in_words(number: int, joint: str, hyphen: str) -> None:
    """A number in words is that number and no neighbour of it."""
    said = in_words(number, joint, hyphen)
    assert Number(number).match(said).ok, said
    assert Number(number).match(f"{said.title()} ({number})").ok
    assert not Number(number + 1).match(said).ok


@steady
@given(
    st.integers(0, 999),
    st.integers(0, 999),
    st.sampled_from([" ", ", ", "-", "–", "/", " to ", " or ", "; ", " vs "]),
)
def test_two_numbers_are_never_one(first: int, second: int, between: str) -> None:
    """An answer that names two different numbers is right for neither."""
    assume(first != second)
    text = f"{first}{between}{second}"
    assert not Number(first).match(text).ok
    assert not Number(second).match(text).ok


@steady
@given(st.dates(date(1000, 1, 1)), st.dates(date(1000, 1, 1)), st.sampled_from(["dmy", "mdy"]))
def test_dates_are_read_in_every_form(day: date, other: date, order: str) -> None:
    """Every rendering of a date is that date and no other."""
    digits = f"{day.month}/{day.day}/{day.year}" if order == "mdy" else f"{day.day}/{day.month}/{day.year}"
    forms = [day.isoformat(), f"{day.day} {day:%B} {day.year}", f"{day:%b} {day.day}, {day.year}"]
    forms += [f"{day.day}.{day.month}.{day.year}", digits, f"{day:%A}, {day.day} {day:%b} {day.year}"]
    for form in forms:
        assert DateAnswer(day, order=order).match(form).ok, form  # type: ignore[arg-type]
        assert other == day or not DateAnswer(other, order=order).match(form).ok, form  # type: ignore[arg-type]


NAME = st.lists(
    st.sampled_from(["Ann", "Bob", "Cruz", "Dee", "Eve", "Fox", "Gil", "Hall"]),
    min_size=2,
    max_size=3,
    unique=True,
).map(" ".join)


@steady
@given(
    st.lists(NAME, min_size=1, max_size=4, unique=True),
    NAME,
    st.sampled_from([", ", "; ", "\n", " and ", "\n- "]),
)
def test_a_list_is_the_set_of_its_names(names: list[str], other: str, between: str) -> None:
    """A list in any order is right for exactly its own names."""
    spec = EntitySet(tuple(names))
    assert spec.match(between.join(reversed(names))).ok
    assert not EntitySet((*names, "Zoe Young")).match(between.join(names)).ok
    assert not spec.match(between.join([*names, "Zoe Young"])).ok
    assert (other in names) is spec.match(between.join([*names, other])).ok


@steady
@given(
    st.permutations(["hr 102", "BP 118/78", "SpO2: 97 %", "Temp = 38.6"]),
    st.sampled_from([", ", "; ", "\n", " ", " and "]),
)
def test_fields_come_in_any_order(parts: list[str], between: str) -> None:
    """Labelled values are right in every order, and wrong when one is left out or repeated."""
    assert VITALS.match(between.join(parts)).ok
    assert not VITALS.match(between.join(parts[1:])).ok
    assert not VITALS.match(between.join([*parts, parts[0]])).ok


@pytest.mark.parametrize(
    "unit",
    some(
        [
            "7 ",
            "1 000",
            "1,",
            "-",
            "a ",
            "bed 2 ",
            "and ",
            "hundred ",
            "15/07/",
            "HR ",
            "1958-",
            "º",
            "\n",
            "A, ",
        ]
    ),
)
def test_long_answers_are_judged_at_all(
    unit: str, at_work_for_seconds: Callable[[float], AbstractContextManager[None]]
) -> None:
    """No repetition up to the longest allowed answer keeps any specification at work for ever."""
    text = (unit * 2000)[:2000]
    with at_work_for_seconds(60):
        for spec in EVERY:
            spec.match(text)
