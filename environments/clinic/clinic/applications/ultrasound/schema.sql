CREATE TABLE patients (
    mrn TEXT PRIMARY KEY,
    family_name TEXT NOT NULL,
    given_name TEXT NOT NULL,
    sex TEXT NOT NULL CHECK (sex IN ('F', 'M')),
    birth_date TEXT NOT NULL
);

-- One row per exam of the day, with the settings that the machine has in it.
CREATE TABLE exams (
    accession TEXT PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    protocol TEXT NOT NULL,
    story TEXT NOT NULL,
    study INTEGER NOT NULL,
    scheduled_at TEXT NOT NULL,
    priority TEXT NOT NULL CHECK (priority IN ('routine', 'urgent', 'stat')),
    status TEXT NOT NULL CHECK (status IN ('scheduled', 'in_progress', 'scanned', 'reported', 'cancelled')),
    indication TEXT NOT NULL,
    referrer TEXT NOT NULL REFERENCES users (user_id),
    started_by TEXT REFERENCES users (user_id),
    started_at TEXT,
    identity_checked BOOLEAN NOT NULL DEFAULT 0 CHECK (identity_checked IN (0, 1)),
    probe TEXT NOT NULL,
    mode TEXT NOT NULL CHECK (mode IN ('b', 'colour', 'pw', 'm')),
    mode_warned BOOLEAN NOT NULL DEFAULT 0 CHECK (mode_warned IN (0, 1)),
    depth_cm REAL NOT NULL,
    gain INTEGER NOT NULL,
    frequency_mhz REAL NOT NULL,
    focus_cm REAL NOT NULL,
    tgc_near INTEGER NOT NULL DEFAULT 10,
    tgc_mid INTEGER NOT NULL DEFAULT 10,
    tgc_far INTEGER NOT NULL DEFAULT 10,
    frozen BOOLEAN NOT NULL DEFAULT 0 CHECK (frozen IN (0, 1)),
    side TEXT NOT NULL CHECK (side IN ('right', 'left', 'midline')),
    plane TEXT NOT NULL CHECK (plane IN ('transverse', 'longitudinal'))
);

-- What lies under the probe on each side; only the picture shows it.
CREATE TABLE anatomy (
    accession TEXT NOT NULL REFERENCES exams (accession),
    side TEXT NOT NULL,
    mrn TEXT NOT NULL,
    kind TEXT NOT NULL,
    size_mm REAL NOT NULL,
    PRIMARY KEY (accession, side)
);

-- What a careful reader finds; no page shows it.
CREATE TABLE truth (
    accession TEXT NOT NULL REFERENCES exams (accession),
    subject TEXT NOT NULL,
    mrn TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (accession, subject)
);

CREATE TABLE worksheet (
    id INTEGER PRIMARY KEY,
    accession TEXT NOT NULL REFERENCES exams (accession),
    mrn TEXT NOT NULL,
    structure TEXT NOT NULL,
    finding TEXT NOT NULL,
    by TEXT NOT NULL
);

CREATE TABLE captures (
    id INTEGER PRIMARY KEY,
    accession TEXT NOT NULL REFERENCES exams (accession),
    mrn TEXT NOT NULL,
    side TEXT NOT NULL,
    plane TEXT NOT NULL,
    probe TEXT NOT NULL,
    mode TEXT NOT NULL,
    depth_cm REAL NOT NULL,
    gain INTEGER NOT NULL,
    frequency_mhz REAL NOT NULL,
    focus_cm REAL NOT NULL,
    tgc_near INTEGER NOT NULL,
    tgc_mid INTEGER NOT NULL,
    tgc_far INTEGER NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1))
);

CREATE TABLE measurements (
    id INTEGER PRIMARY KEY,
    accession TEXT NOT NULL REFERENCES exams (accession),
    mrn TEXT NOT NULL,
    label TEXT NOT NULL,
    value_mm REAL NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1))
);

CREATE TABLE nodules (
    id INTEGER PRIMARY KEY,
    accession TEXT NOT NULL REFERENCES exams (accession),
    mrn TEXT NOT NULL,
    number INTEGER NOT NULL,
    side TEXT NOT NULL,
    description TEXT NOT NULL,
    composition TEXT,
    echogenicity TEXT,
    shape TEXT,
    margin TEXT,
    foci TEXT,
    level INTEGER CHECK (level BETWEEN 1 AND 5),
    advice TEXT,
    by TEXT REFERENCES users (user_id),
    at TEXT
);

CREATE TABLE reports (
    accession TEXT PRIMARY KEY REFERENCES exams (accession),
    mrn TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('empty', 'draft', 'signed')),
    impression TEXT NOT NULL DEFAULT '',
    saved_by TEXT REFERENCES users (user_id),
    saved_at TEXT,
    signed_by TEXT REFERENCES users (user_id),
    signed_at TEXT,
    warned BOOLEAN NOT NULL DEFAULT 0 CHECK (warned IN (0, 1))
);

CREATE TABLE report_values (
    accession TEXT NOT NULL REFERENCES exams (accession),
    field TEXT NOT NULL,
    mrn TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (accession, field)
);

CREATE TABLE calls (
    id INTEGER PRIMARY KEY,
    accession TEXT NOT NULL REFERENCES exams (accession),
    mrn TEXT NOT NULL,
    category TEXT NOT NULL CHECK (category IN ('red', 'orange', 'yellow')),
    person TEXT NOT NULL REFERENCES users (user_id),
    method TEXT NOT NULL CHECK (method IN ('phone', 'in_person', 'message')),
    told_at TEXT NOT NULL,
    read_back BOOLEAN NOT NULL CHECK (read_back IN (0, 1)),
    by TEXT NOT NULL,
    at TEXT NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1))
);
