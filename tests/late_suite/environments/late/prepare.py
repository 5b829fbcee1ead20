"""Make the database of the notes."""

import sqlite3
import sys

with sqlite3.connect(sys.argv[1]) as database:
    database.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT)")
