-- Everybody the hospital's patient index knows who matters today: in a bed, waiting for one, or registered only.
CREATE TABLE patients (
    mrn TEXT PRIMARY KEY,
    family_name TEXT NOT NULL,
    given_name TEXT NOT NULL,
    sex TEXT NOT NULL CHECK (sex IN ('F', 'M')),
    birth_date TEXT NOT NULL,
    town TEXT NOT NULL,
    case_name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('registered', 'waiting', 'inpatient', 'discharged')),
    diagnosis TEXT NOT NULL DEFAULT '',
    consultant TEXT REFERENCES users (user_id),
    source TEXT,
    level TEXT CHECK (level IN ('ward', 'monitored', 'icu')),
    precautions TEXT CHECK (precautions IN ('none', 'contact', 'droplet', 'airborne')),
    news2 INTEGER,
    note TEXT NOT NULL DEFAULT '',
    stay_days INTEGER,
    admitted_at TEXT,
    plan_destination TEXT,
    plan_date TEXT,
    orders_at TEXT,
    medication_at TEXT,
    transport_at TEXT,
    settlement_at TEXT
);

CREATE TABLE wards (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    specialty TEXT NOT NULL,
    place INTEGER NOT NULL
);

CREATE TABLE bays (
    id TEXT PRIMARY KEY,
    ward TEXT NOT NULL REFERENCES wards (code),
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('bay', 'single', 'negative')),
    sex TEXT CHECK (sex IN ('F', 'M'))
);

CREATE TABLE beds (
    label TEXT PRIMARY KEY,
    bay TEXT NOT NULL REFERENCES bays (id),
    care TEXT NOT NULL CHECK (care IN ('ward', 'monitored', 'icu')),
    condition TEXT NOT NULL CHECK (condition IN ('ready', 'cleaning', 'blocked')),
    reason TEXT NOT NULL DEFAULT '',
    mrn TEXT UNIQUE REFERENCES patients (mrn),
    reserved_for TEXT REFERENCES patients (mrn),
    since TEXT NOT NULL
);

-- Requests for a bed, as the worklist shows them.
CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    origin TEXT NOT NULL,
    specialty TEXT NOT NULL,
    promised_bed TEXT REFERENCES beds (label),
    requested_at TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'placed')),
    placed_by TEXT,
    placed_at TEXT
);

CREATE TABLE admissions (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    bed TEXT NOT NULL,
    route TEXT NOT NULL CHECK (route IN ('request', 'direct')),
    warnings TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL
);

CREATE TABLE transfers (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    kind TEXT NOT NULL CHECK (kind IN ('transfer', 'swap')),
    from_bed TEXT NOT NULL,
    to_bed TEXT NOT NULL,
    reason TEXT NOT NULL,
    transfer_order BOOLEAN NOT NULL,
    handover BOOLEAN NOT NULL,
    reconciliation BOOLEAN NOT NULL,
    warnings TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL
);

CREATE TABLE discharges (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    bed TEXT NOT NULL,
    destination TEXT NOT NULL,
    orders BOOLEAN NOT NULL,
    medication BOOLEAN NOT NULL,
    transport BOOLEAN NOT NULL,
    settlement BOOLEAN NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL
);

-- The midnight census of the last days.
CREATE TABLE census (
    id INTEGER PRIMARY KEY,
    ward TEXT NOT NULL REFERENCES wards (code),
    day TEXT NOT NULL,
    occupied INTEGER NOT NULL,
    open_beds INTEGER NOT NULL
);
