-- Patients on a monitor, patients who are expected, and patients who left during the shift.
CREATE TABLE patients (
    mrn TEXT PRIMARY KEY,
    family_name TEXT NOT NULL,
    given_name TEXT NOT NULL,
    sex TEXT NOT NULL CHECK (sex IN ('F', 'M')),
    birth_date TEXT NOT NULL,
    diagnosis TEXT NOT NULL,
    physician TEXT NOT NULL,
    pacemaker BOOLEAN NOT NULL CHECK (pacemaker IN (0, 1)),
    story TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('expected', 'monitored', 'discharged')),
    age_class TEXT CHECK (age_class IN ('adult', 'pediatric', 'neonatal')),
    profile TEXT,
    paced BOOLEAN CHECK (paced IN (0, 1)),
    identity_checked BOOLEAN CHECK (identity_checked IN (0, 1)),
    admitted_by TEXT,
    admitted_at TEXT,
    discharged_to TEXT,
    discharged_by TEXT,
    discharged_at TEXT
);

CREATE TABLE beds (
    number INTEGER PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('occupied', 'ready', 'cleaning')),
    mrn TEXT UNIQUE REFERENCES patients (mrn)
);

-- What the monitor shows now; the clock stands still, so it stays.
CREATE TABLE numerics (
    mrn TEXT PRIMARY KEY REFERENCES patients (mrn),
    heart_rate INTEGER NOT NULL,
    spo2 INTEGER NOT NULL,
    respiratory_rate INTEGER NOT NULL,
    abp_systolic INTEGER NOT NULL,
    abp_diastolic INTEGER NOT NULL,
    abp_mean INTEGER NOT NULL,
    temp_c REAL NOT NULL,
    rhythm TEXT NOT NULL
);

CREATE TABLE limits (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    parameter TEXT NOT NULL,
    low REAL NOT NULL,
    high REAL NOT NULL,
    alarm_on BOOLEAN NOT NULL DEFAULT 1 CHECK (alarm_on IN (0, 1)),
    beyond_policy BOOLEAN NOT NULL DEFAULT 0 CHECK (beyond_policy IN (0, 1)),
    changed_by TEXT,
    changed_at TEXT,
    UNIQUE (mrn, parameter)
);

CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    ordered_by TEXT NOT NULL,
    ordered_at TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'discontinued'))
);

CREATE TABLE ordered_limits (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    order_id INTEGER NOT NULL REFERENCES orders (id),
    parameter TEXT NOT NULL,
    low REAL NOT NULL,
    high REAL NOT NULL
);

CREATE TABLE alarms (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    bed INTEGER NOT NULL REFERENCES beds (number),
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    parameter TEXT,
    value REAL,
    priority TEXT NOT NULL CHECK (priority IN ('high', 'medium', 'low')),
    raised_at TEXT NOT NULL,
    active BOOLEAN NOT NULL CHECK (active IN (0, 1)),
    acknowledged_by TEXT,
    acknowledged_at TEXT,
    note TEXT NOT NULL DEFAULT ''
);

CREATE TABLE silences (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    alarm_id INTEGER NOT NULL REFERENCES alarms (id),
    minutes INTEGER,
    reason TEXT NOT NULL,
    silenced_by TEXT NOT NULL,
    silenced_at TEXT NOT NULL,
    until TEXT,
    resumed_at TEXT
);

CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    recipient TEXT NOT NULL,
    message TEXT NOT NULL,
    sent_by TEXT NOT NULL,
    sent_at TEXT NOT NULL
);

-- One row per patient and parameter: samples from the oldest to the newest, joined by commas.
CREATE TABLE trends (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    parameter TEXT NOT NULL,
    last_at TEXT NOT NULL,
    step_minutes INTEGER NOT NULL,
    samples TEXT NOT NULL
);

CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    label TEXT NOT NULL,
    at TEXT NOT NULL,
    heart_rate INTEGER NOT NULL,
    rhythm TEXT NOT NULL
);
