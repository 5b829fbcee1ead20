CREATE TABLE patients (
    mrn TEXT PRIMARY KEY,
    family_name TEXT NOT NULL,
    given_name TEXT NOT NULL,
    sex TEXT NOT NULL CHECK (sex IN ('F', 'M')),
    birth_date TEXT NOT NULL,
    room TEXT NOT NULL UNIQUE,
    case_name TEXT NOT NULL,
    diagnosis TEXT NOT NULL,
    code_status TEXT NOT NULL CHECK (code_status IN ('full', 'no_cpr', 'comfort')),
    isolation TEXT NOT NULL CHECK (isolation IN ('none', 'contact', 'droplet', 'airborne')),
    fall_risk BOOLEAN NOT NULL,
    admitted_at TEXT NOT NULL,
    nurse TEXT NOT NULL REFERENCES users (user_id),
    calling_since TEXT
);

CREATE TABLE allergies (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    substance TEXT NOT NULL,
    reaction TEXT NOT NULL,
    in_error BOOLEAN NOT NULL
);

-- Who cares for whom in this shift; nothing can be charted without.
CREATE TABLE relationships (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    user TEXT NOT NULL REFERENCES users (user_id),
    role TEXT NOT NULL CHECK (role IN ('primary', 'covering')),
    at TEXT NOT NULL,
    UNIQUE (mrn, user)
);

CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    text TEXT NOT NULL,
    priority TEXT NOT NULL CHECK (priority IN ('routine', 'stat')),
    ordered_by TEXT NOT NULL,
    ordered_at TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('new', 'acknowledged', 'queried')),
    query_reason TEXT,
    query_note TEXT NOT NULL DEFAULT '',
    by TEXT,
    at TEXT
);

-- What is to be done in the shift. A task of a new order waits until the order is acknowledged.
CREATE TABLE tasks (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    kind TEXT NOT NULL CHECK (kind IN ('medication', 'observation', 'care', 'specimen')),
    title TEXT NOT NULL,
    drug TEXT,
    dose REAL,
    unit TEXT,
    route TEXT,
    high_alert BOOLEAN NOT NULL DEFAULT 0,
    measure TEXT CHECK (measure IN ('pain', 'position')),
    due_at TEXT NOT NULL,
    order_id INTEGER REFERENCES orders (id),
    status TEXT NOT NULL CHECK (status IN ('due', 'done', 'not_done')),
    reason TEXT,
    comment TEXT NOT NULL DEFAULT '',
    by TEXT,
    at TEXT
);

CREATE TABLE administrations (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    task INTEGER NOT NULL REFERENCES tasks (id),
    drug TEXT NOT NULL,
    dose REAL NOT NULL,
    unit TEXT NOT NULL,
    route TEXT NOT NULL,
    identity_checked BOOLEAN NOT NULL,
    second_user TEXT,
    warnings TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0
);

CREATE TABLE observations (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    task INTEGER NOT NULL REFERENCES tasks (id),
    pain INTEGER,
    position TEXT,
    by TEXT NOT NULL,
    at TEXT NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0
);

CREATE TABLE specimens (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    task INTEGER NOT NULL REFERENCES tasks (id),
    test TEXT NOT NULL,
    container TEXT NOT NULL,
    labelled BOOLEAN NOT NULL,
    identity_checked BOOLEAN NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0
);

-- Handover in the order of SBAR.
CREATE TABLE handovers (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    situation TEXT NOT NULL,
    background TEXT NOT NULL,
    assessment TEXT NOT NULL,
    recommendation TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL
);
