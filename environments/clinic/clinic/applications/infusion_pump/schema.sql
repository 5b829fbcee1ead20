-- One row per patient of the unit; each patient has one pump with four channels.
CREATE TABLE patients (
    mrn TEXT PRIMARY KEY,
    family_name TEXT NOT NULL,
    given_name TEXT NOT NULL,
    sex TEXT NOT NULL CHECK (sex IN ('F', 'M')),
    birth_date TEXT NOT NULL,
    bed INTEGER NOT NULL UNIQUE,
    pump TEXT NOT NULL UNIQUE,
    weight_kg REAL NOT NULL,
    diagnosis TEXT NOT NULL,
    allergies TEXT NOT NULL,
    story TEXT NOT NULL
);

CREATE TABLE library (
    id INTEGER PRIMARY KEY,
    care_area TEXT NOT NULL CHECK (care_area IN ('adult_icu', 'adult_ward', 'picu')),
    drug TEXT NOT NULL,
    amount REAL NOT NULL,
    amount_unit TEXT NOT NULL,
    volume_ml REAL NOT NULL,
    dosing_unit TEXT NOT NULL,
    soft_low REAL NOT NULL,
    soft_high REAL NOT NULL,
    hard_low REAL NOT NULL,
    hard_high REAL NOT NULL,
    high_alert BOOLEAN NOT NULL CHECK (high_alert IN (0, 1)),
    double_check BOOLEAN NOT NULL CHECK (double_check IN (0, 1))
);

-- What each channel holds. A basic infusion has a rate, but neither entry nor dose.
CREATE TABLE channels (
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    letter TEXT NOT NULL CHECK (letter IN ('A', 'B', 'C', 'D')),
    status TEXT NOT NULL CHECK (status IN ('off', 'ready', 'infusing', 'hold', 'alarm', 'kvo')),
    entry INTEGER REFERENCES library (id),
    weight_kg REAL,
    dose REAL,
    rate REAL,
    vtbi_ml REAL,
    infused_ml REAL,
    changed_by TEXT REFERENCES users (user_id),
    changed_at TEXT,
    PRIMARY KEY (mrn, letter)
);

CREATE TABLE alarms (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    letter TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('air_in_line', 'occlusion', 'complete', 'battery')),
    raised_at TEXT NOT NULL,
    silenced_by TEXT,
    silenced_at TEXT,
    cause TEXT,
    cleared_by TEXT,
    cleared_at TEXT
);

CREATE TABLE orders (
    id TEXT PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    kind TEXT NOT NULL CHECK (kind IN ('start', 'change', 'stop', 'bag')),
    drug TEXT NOT NULL,
    concentration TEXT NOT NULL,
    dose REAL,
    dosing_unit TEXT NOT NULL,
    vtbi_ml REAL,
    note TEXT NOT NULL,
    prescriber TEXT NOT NULL REFERENCES users (user_id),
    ordered_at TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('new', 'running', 'replaced', 'discontinued')),
    meant_dose REAL
);

CREATE TABLE queries (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    order_id TEXT NOT NULL REFERENCES orders (id),
    problem TEXT NOT NULL,
    limit_value REAL NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL,
    reply TEXT NOT NULL
);

CREATE TABLE overrides (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    letter TEXT NOT NULL,
    entry INTEGER NOT NULL REFERENCES library (id),
    dose REAL NOT NULL,
    crossed TEXT NOT NULL,
    limit_value REAL NOT NULL,
    reason TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL
);

CREATE TABLE double_checks (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    letter TEXT NOT NULL,
    entry INTEGER NOT NULL REFERENCES library (id),
    dose REAL NOT NULL,
    rate REAL NOT NULL,
    by TEXT NOT NULL,
    second TEXT,
    at TEXT NOT NULL
);

CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    letter TEXT NOT NULL,
    what TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL
);
