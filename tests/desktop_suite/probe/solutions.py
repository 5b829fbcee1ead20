from pytest_cuabench.task import wrong


async def write(hand, case):
    await hand.click("text:nth(0)")
    await hand.type(case["word"])


async def line(hand, case):
    await hand.click("text:nth(1)")
    await hand.type(case["word"])


@wrong("write", "milestone:written")
async def another_word(hand, case):
    await hand.click("text:nth(0)")
    await hand.type("another")
