-- Tables of the world itself. The leading underscore keeps them out of every report.
CREATE TABLE _moment (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    clock TEXT NOT NULL,
    request INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE _signin (
    token TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    notice TEXT
);

CREATE TABLE _journal (
    n INTEGER PRIMARY KEY,
    request INTEGER NOT NULL,
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    op TEXT NOT NULL,
    before TEXT,
    after TEXT
);

CREATE TRIGGER _journal_is_final_update BEFORE UPDATE ON _journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TRIGGER _journal_is_final_delete BEFORE DELETE ON _journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
