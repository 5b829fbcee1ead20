from pytest_cuabench import wrong


async def note(hand, case):
    await hand.press("n")


async def count(hand, case):
    await hand.answer(str(case["count"]))


async def both(hand, case):
    await note(hand, case)
    await count(hand, case)


@wrong("note", "patient_identity/critical")
async def note_for_bo(hand, case):
    await hand.press("n")
    await hand.press("x")


@wrong("count", "milestone:counted")
@wrong("both", "milestone:noted")
async def one_too_many(hand, case):
    await hand.answer(str(case["count"] + 1))
