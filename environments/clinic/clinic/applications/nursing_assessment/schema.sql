CREATE TABLE patients (
    mrn TEXT PRIMARY KEY,
    family_name TEXT NOT NULL,
    given_name TEXT NOT NULL,
    sex TEXT NOT NULL CHECK (sex IN ('F', 'M')),
    birth_date TEXT NOT NULL,
    bed INTEGER NOT NULL UNIQUE,
    admitted_at TEXT NOT NULL,
    diagnosis TEXT NOT NULL,
    other_diagnoses TEXT NOT NULL,
    access TEXT NOT NULL,
    falls TEXT NOT NULL,
    mobility_order TEXT NOT NULL CHECK (mobility_order IN ('free', 'with_help', 'bed_rest')),
    height_cm INTEGER NOT NULL,
    story TEXT NOT NULL
);

CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    at TEXT NOT NULL,
    by TEXT NOT NULL REFERENCES users (user_id),
    title TEXT NOT NULL,
    text TEXT NOT NULL
);

CREATE TABLE weights (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    at TEXT NOT NULL,
    kg REAL NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1))
);

-- How often each form is due for a patient.
CREATE TABLE schedules (
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    tool TEXT NOT NULL CHECK (tool IN ('braden', 'morse', 'gcs', 'pain', 'must')),
    every_hours INTEGER NOT NULL,
    PRIMARY KEY (mrn, tool)
);

-- One table for each form: first its own columns, then those that all have.
CREATE TABLE braden (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    sensory INTEGER CHECK (sensory BETWEEN 1 AND 4),
    moisture INTEGER CHECK (moisture BETWEEN 1 AND 4),
    activity INTEGER CHECK (activity BETWEEN 1 AND 4),
    mobility INTEGER CHECK (mobility BETWEEN 1 AND 4),
    nutrition INTEGER CHECK (nutrition BETWEEN 1 AND 4),
    friction INTEGER CHECK (friction BETWEEN 1 AND 3),
    total INTEGER,
    band TEXT,
    reason TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('draft', 'signed')),
    carried BOOLEAN NOT NULL DEFAULT 0 CHECK (carried IN (0, 1)),
    by TEXT NOT NULL REFERENCES users (user_id),
    at TEXT NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1)),
    error_reason TEXT,
    error_by TEXT
);

CREATE TABLE morse (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    history INTEGER CHECK (history IN (0, 25)),
    secondary INTEGER CHECK (secondary IN (0, 15)),
    aid INTEGER CHECK (aid IN (0, 15, 30)),
    iv INTEGER CHECK (iv IN (0, 20)),
    gait INTEGER CHECK (gait IN (0, 10, 20)),
    mental INTEGER CHECK (mental IN (0, 15)),
    total INTEGER,
    band TEXT,
    reason TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('draft', 'signed')),
    carried BOOLEAN NOT NULL DEFAULT 0 CHECK (carried IN (0, 1)),
    by TEXT NOT NULL REFERENCES users (user_id),
    at TEXT NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1)),
    error_reason TEXT,
    error_by TEXT
);

CREATE TABLE gcs (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    eye INTEGER CHECK (eye BETWEEN 0 AND 4),
    verbal INTEGER CHECK (verbal BETWEEN 0 AND 5),
    motor INTEGER CHECK (motor BETWEEN 0 AND 6),
    right_size TEXT,
    right_reaction TEXT,
    left_size TEXT,
    left_reaction TEXT,
    total INTEGER,
    band TEXT,
    reason TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('draft', 'signed')),
    carried BOOLEAN NOT NULL DEFAULT 0 CHECK (carried IN (0, 1)),
    by TEXT NOT NULL REFERENCES users (user_id),
    at TEXT NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1)),
    error_reason TEXT,
    error_by TEXT
);

CREATE TABLE pain (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    rest INTEGER CHECK (rest BETWEEN 0 AND 10),
    movement INTEGER CHECK (movement BETWEEN 0 AND 10),
    location TEXT,
    quality TEXT,
    total INTEGER,
    band TEXT,
    reason TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('draft', 'signed')),
    carried BOOLEAN NOT NULL DEFAULT 0 CHECK (carried IN (0, 1)),
    by TEXT NOT NULL REFERENCES users (user_id),
    at TEXT NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1)),
    error_reason TEXT,
    error_by TEXT
);

CREATE TABLE must (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    bmi INTEGER CHECK (bmi BETWEEN 0 AND 2),
    loss INTEGER CHECK (loss BETWEEN 0 AND 2),
    acute INTEGER CHECK (acute IN (0, 2)),
    total INTEGER,
    band TEXT,
    reason TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('draft', 'signed')),
    carried BOOLEAN NOT NULL DEFAULT 0 CHECK (carried IN (0, 1)),
    by TEXT NOT NULL REFERENCES users (user_id),
    at TEXT NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1)),
    error_reason TEXT,
    error_by TEXT
);

CREATE TABLE interventions (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    domain TEXT NOT NULL CHECK (domain IN ('skin', 'falls', 'nutrition')),
    measure TEXT NOT NULL,
    warned BOOLEAN NOT NULL DEFAULT 0 CHECK (warned IN (0, 1)),
    started_at TEXT NOT NULL,
    started_by TEXT NOT NULL REFERENCES users (user_id),
    stopped_at TEXT,
    stopped_by TEXT
);
