"""`cuabench watch`: a page that shows a run while it is played, with pause and abort.

    following.py   reads the run's folder: the ledger and the lines of `ledger/live.py`
    server.py      serves page, changes (server-sent events), steps and pictures on loopback, with a token
    beside.py      starts the server beside a session (`--cua-watch`)
    assets/        the page; styles, words and the player of steps are those of the report

The server is a process of its own and only reads files; the one file that it writes holds the commands of a person.
"""
