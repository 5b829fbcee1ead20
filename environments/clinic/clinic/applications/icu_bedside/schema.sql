-- One row per patient of the unit.
CREATE TABLE patients (
    mrn TEXT PRIMARY KEY,
    family_name TEXT NOT NULL,
    given_name TEXT NOT NULL,
    sex TEXT NOT NULL CHECK (sex IN ('F', 'M')),
    birth_date TEXT NOT NULL,
    bed INTEGER NOT NULL UNIQUE,
    weight_kg REAL NOT NULL,
    height_cm INTEGER NOT NULL,
    diagnosis TEXT NOT NULL,
    physician TEXT NOT NULL,
    allergies TEXT NOT NULL,
    admitted_at TEXT NOT NULL,
    story TEXT NOT NULL
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
    cvp INTEGER NOT NULL,
    temp_c REAL NOT NULL,
    rhythm TEXT NOT NULL
);

-- Values that were charted, every hour.
CREATE TABLE observations (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    at TEXT NOT NULL,
    heart_rate INTEGER NOT NULL,
    spo2 INTEGER NOT NULL,
    respiratory_rate INTEGER NOT NULL,
    abp_mean INTEGER NOT NULL,
    temp_c REAL NOT NULL,
    charted_by TEXT NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1))
);

CREATE TABLE fluids (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    at TEXT NOT NULL,
    direction TEXT NOT NULL CHECK (direction IN ('intake', 'output')),
    kind TEXT NOT NULL,
    ml INTEGER NOT NULL,
    comment TEXT NOT NULL DEFAULT '',
    charted_by TEXT NOT NULL,
    unusual_confirmed BOOLEAN NOT NULL DEFAULT 0 CHECK (unusual_confirmed IN (0, 1)),
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1))
);

CREATE TABLE infusions (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    drug TEXT NOT NULL,
    amount REAL NOT NULL,
    amount_unit TEXT NOT NULL,
    volume_ml INTEGER NOT NULL,
    dose_unit TEXT NOT NULL,
    dose REAL NOT NULL,
    rate_ml_h REAL NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'paused', 'stopped')),
    started_at TEXT NOT NULL,
    changed_by TEXT NOT NULL,
    changed_at TEXT NOT NULL
);

-- Every change of an infusion, with what was checked before.
CREATE TABLE infusion_changes (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    infusion_id INTEGER NOT NULL REFERENCES infusions (id),
    action TEXT NOT NULL CHECK (action IN ('dose', 'pause', 'resume')),
    old_dose REAL NOT NULL,
    new_dose REAL NOT NULL,
    reason TEXT NOT NULL,
    identity_checked BOOLEAN NOT NULL CHECK (identity_checked IN (0, 1)),
    beyond_soft BOOLEAN NOT NULL CHECK (beyond_soft IN (0, 1)),
    changed_by TEXT NOT NULL,
    changed_at TEXT NOT NULL
);

CREATE TABLE ventilators (
    mrn TEXT PRIMARY KEY REFERENCES patients (mrn),
    mode TEXT NOT NULL,
    fio2 INTEGER NOT NULL,
    peep INTEGER NOT NULL,
    tidal_volume INTEGER NOT NULL,
    rate INTEGER NOT NULL,
    exhaled_volume INTEGER NOT NULL,
    total_rate INTEGER NOT NULL,
    peak_pressure INTEGER NOT NULL,
    plateau_pressure INTEGER NOT NULL,
    minute_volume REAL NOT NULL,
    pao2 INTEGER NOT NULL,
    ph REAL NOT NULL,
    paco2 INTEGER NOT NULL,
    gas_at TEXT NOT NULL
);

CREATE TABLE alarms (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    label TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('monitor', 'ventilator', 'pump')),
    priority TEXT NOT NULL CHECK (priority IN ('high', 'medium', 'low')),
    detail TEXT NOT NULL,
    raised_at TEXT NOT NULL,
    active BOOLEAN NOT NULL CHECK (active IN (0, 1)),
    acknowledged_by TEXT,
    acknowledged_at TEXT,
    response TEXT NOT NULL DEFAULT ''
);

CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    category TEXT NOT NULL CHECK (category IN ('assessment', 'event', 'family', 'handover')),
    text TEXT NOT NULL,
    written_by TEXT NOT NULL,
    written_at TEXT NOT NULL,
    signed_at TEXT,
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1))
);

-- Written orders; those that titrate a drug also say it in numbers.
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    drug TEXT,
    target_map INTEGER,
    step_dose REAL,
    most_dose REAL,
    ordered_by TEXT NOT NULL,
    ordered_at TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'discontinued'))
);
