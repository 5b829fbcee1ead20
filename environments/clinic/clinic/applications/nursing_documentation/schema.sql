CREATE TABLE shift (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ends_at TEXT NOT NULL
);

CREATE TABLE patients (
    mrn TEXT PRIMARY KEY,
    family_name TEXT NOT NULL,
    given_name TEXT NOT NULL,
    sex TEXT NOT NULL CHECK (sex IN ('F', 'M')),
    birth_date TEXT NOT NULL,
    bed INTEGER NOT NULL UNIQUE,
    admitted_at TEXT NOT NULL,
    reason TEXT NOT NULL,
    history TEXT NOT NULL,
    allergies TEXT NOT NULL,
    spo2_scale INTEGER NOT NULL CHECK (spo2_scale IN (1, 2)),
    story TEXT NOT NULL,
    signed_off_by TEXT REFERENCES users (user_id),
    signed_off_at TEXT,
    signed_off_incomplete BOOLEAN NOT NULL DEFAULT 0 CHECK (signed_off_incomplete IN (0, 1))
);

CREATE TABLE vitals (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    at TEXT NOT NULL,
    by TEXT NOT NULL REFERENCES users (user_id),
    temp_c REAL,
    heart_rate INTEGER,
    respiratory_rate INTEGER,
    systolic INTEGER,
    diastolic INTEGER,
    spo2 INTEGER,
    oxygen TEXT CHECK (oxygen IN ('air', 'oxygen')),
    oxygen_flow REAL,
    consciousness TEXT CHECK (consciousness IN ('alert', 'confused', 'voice', 'pain', 'unresponsive')),
    pain INTEGER,
    warned BOOLEAN NOT NULL DEFAULT 0 CHECK (warned IN (0, 1)),
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1)),
    error_reason TEXT,
    error_by TEXT
);

CREATE TABLE escalations (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    at TEXT NOT NULL,
    by TEXT NOT NULL REFERENCES users (user_id),
    news2 INTEGER NOT NULL,
    response TEXT NOT NULL CHECK (response IN ('routine', 'nurse', 'urgent', 'emergency')),
    warned BOOLEAN NOT NULL DEFAULT 0 CHECK (warned IN (0, 1))
);

CREATE TABLE fluids (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    at TEXT NOT NULL,
    by TEXT NOT NULL REFERENCES users (user_id),
    kind TEXT NOT NULL CHECK (kind IN ('oral', 'infusion', 'tube', 'blood', 'urine', 'drain', 'stool', 'vomit')),
    volume INTEGER NOT NULL,
    replaces INTEGER REFERENCES fluids (id),
    warned BOOLEAN NOT NULL DEFAULT 0 CHECK (warned IN (0, 1)),
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1)),
    error_reason TEXT,
    error_by TEXT
);

-- What care assistants measured, as it was handed in; nobody edits it here.
CREATE TABLE slips (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    at TEXT NOT NULL,
    text TEXT NOT NULL
);

CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    at TEXT NOT NULL,
    by TEXT NOT NULL REFERENCES users (user_id),
    status TEXT NOT NULL CHECK (status IN ('draft', 'signed')),
    focus TEXT NOT NULL,
    data TEXT NOT NULL,
    action TEXT NOT NULL,
    response TEXT NOT NULL
);

CREATE TABLE handovers (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    at TEXT NOT NULL,
    by TEXT NOT NULL REFERENCES users (user_id),
    status TEXT NOT NULL CHECK (status IN ('draft', 'signed')),
    receiver TEXT NOT NULL,
    situation TEXT NOT NULL,
    background TEXT NOT NULL,
    assessment TEXT NOT NULL,
    recommendation TEXT NOT NULL
);

CREATE TABLE rapid_responses (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    at TEXT NOT NULL,
    by TEXT NOT NULL REFERENCES users (user_id),
    status TEXT NOT NULL CHECK (status IN ('draft', 'signed')),
    trigger TEXT NOT NULL,
    news2 TEXT NOT NULL,
    called_at TEXT NOT NULL,
    arrived_at TEXT NOT NULL,
    actions TEXT NOT NULL,
    outcome TEXT NOT NULL
);

CREATE TABLE wounds (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    at TEXT NOT NULL,
    by TEXT NOT NULL REFERENCES users (user_id),
    region TEXT NOT NULL,
    stage TEXT NOT NULL,
    length_cm REAL,
    width_cm REAL,
    depth_cm REAL,
    exudate TEXT,
    warned BOOLEAN NOT NULL DEFAULT 0 CHECK (warned IN (0, 1)),
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1)),
    error_reason TEXT,
    error_by TEXT
);
