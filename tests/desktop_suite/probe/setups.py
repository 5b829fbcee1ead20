def write(chance):
    return [{"do": "write", "path": "note.txt", "text": f"{chance.random()}\n"}]


line = write
