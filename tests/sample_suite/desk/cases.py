def note(state, chance):
    return {"name": state.row("patients", name="Ada")["name"]}


def count(state, chance):
    return {"count": len(state.rows("patients"))}


def both(state, chance):
    return note(state, chance) | count(state, chance)
