-- Tables that every application has.
CREATE TABLE department (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    hospital TEXT NOT NULL,
    name TEXT NOT NULL,
    product TEXT NOT NULL,
    workstation TEXT NOT NULL
);

CREATE TABLE users (
    user_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    credentials TEXT NOT NULL,
    role TEXT NOT NULL,
    password TEXT NOT NULL,
    code TEXT NOT NULL DEFAULT ''
);

CREATE TABLE logins (
    id INTEGER PRIMARY KEY,
    user TEXT NOT NULL,
    ok BOOLEAN NOT NULL CHECK (ok IN (0, 1)),
    at TEXT NOT NULL
);

CREATE TABLE workstation (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    user TEXT,
    screen TEXT NOT NULL,
    open_mrn TEXT
);
INSERT INTO workstation (id, screen) VALUES (1, 'login');

CREATE TABLE chart_access (
    id INTEGER PRIMARY KEY,
    user TEXT NOT NULL,
    mrn TEXT NOT NULL,
    at TEXT NOT NULL
);
