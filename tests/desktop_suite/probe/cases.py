WORDS = ("été", "∑ sum", "plain", "日本")


def write(state, chance):
    return {"word": chance.choice(WORDS), "files": sorted(state.collections.get("files", {}))}


line = write
