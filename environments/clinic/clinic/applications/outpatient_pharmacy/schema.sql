-- Who the pharmacy knows; only what is on file here.
CREATE TABLE patients (
    mrn TEXT PRIMARY KEY,
    family_name TEXT NOT NULL,
    given_name TEXT NOT NULL,
    sex TEXT NOT NULL CHECK (sex IN ('F', 'M')),
    birth_date TEXT NOT NULL,
    address TEXT NOT NULL,
    phone TEXT NOT NULL,
    no_known_allergies BOOLEAN NOT NULL CHECK (no_known_allergies IN (0, 1))
);

CREATE TABLE weights (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    kg REAL NOT NULL,
    taken_on TEXT NOT NULL
);

CREATE TABLE allergies (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    substance TEXT NOT NULL,
    reaction TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('mild', 'moderate', 'severe'))
);

-- Medicines that were dispensed before.
CREATE TABLE profile (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    drug TEXT NOT NULL,
    dose REAL NOT NULL,
    frequency TEXT NOT NULL,
    first_filled TEXT NOT NULL,
    last_filled TEXT NOT NULL,
    fills INTEGER NOT NULL,
    days_supply INTEGER NOT NULL,
    stopped_on TEXT
);

-- A prescription as it was entered here; what the prescriber sent is in `originals`.
CREATE TABLE prescriptions (
    rx_no TEXT PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    plot TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'held', 'verified', 'ready', 'sold')),
    priority TEXT NOT NULL CHECK (priority IN ('waiting', 'today', 'later')),
    received_at TEXT NOT NULL,
    promised_at TEXT NOT NULL,
    drug TEXT NOT NULL,
    dose REAL NOT NULL,
    frequency TEXT NOT NULL,
    quantity REAL NOT NULL,
    days_supply INTEGER NOT NULL,
    refills INTEGER NOT NULL,
    entered_by TEXT NOT NULL REFERENCES users (user_id),
    edited_by TEXT REFERENCES users (user_id),
    edited_at TEXT,
    edit_reason TEXT,
    verified_by TEXT REFERENCES users (user_id),
    verified_at TEXT
);

CREATE TABLE originals (
    rx_no TEXT PRIMARY KEY REFERENCES prescriptions (rx_no),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    channel TEXT NOT NULL,
    prescriber TEXT NOT NULL,
    clinic TEXT NOT NULL,
    phone TEXT NOT NULL,
    written_on TEXT NOT NULL,
    drug TEXT NOT NULL,
    dose REAL NOT NULL,
    frequency TEXT NOT NULL,
    quantity REAL NOT NULL,
    days_supply INTEGER NOT NULL,
    refills INTEGER NOT NULL,
    note TEXT NOT NULL
);

CREATE TABLE alerts (
    id INTEGER PRIMARY KEY,
    rx_no TEXT NOT NULL REFERENCES prescriptions (rx_no),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    kind TEXT NOT NULL CHECK (kind IN ('interaction', 'allergy', 'duplicate', 'dose')),
    severity TEXT NOT NULL CHECK (severity IN ('contraindicated', 'major', 'moderate', 'minor')),
    drug TEXT NOT NULL,
    against TEXT NOT NULL,
    effect TEXT NOT NULL,
    advice TEXT NOT NULL,
    action TEXT CHECK (action IN ('override', 'modify', 'reject')),
    reason TEXT,
    by TEXT REFERENCES users (user_id),
    at TEXT
);

CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    rx_no TEXT NOT NULL REFERENCES prescriptions (rx_no),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    direction TEXT NOT NULL CHECK (direction IN ('in', 'out')),
    person TEXT NOT NULL,
    at TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE stock (
    id INTEGER PRIMARY KEY,
    ndc TEXT NOT NULL,
    drug TEXT NOT NULL,
    labeler TEXT NOT NULL,
    lot TEXT NOT NULL UNIQUE,
    expires_on TEXT NOT NULL,
    on_hand REAL NOT NULL CHECK (on_hand >= 0)
);

CREATE TABLE fills (
    id INTEGER PRIMARY KEY,
    rx_no TEXT NOT NULL REFERENCES prescriptions (rx_no),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    drug TEXT NOT NULL,
    ndc TEXT NOT NULL,
    lot TEXT NOT NULL,
    expires_on TEXT NOT NULL,
    quantity REAL NOT NULL,
    days_supply INTEGER NOT NULL,
    warned BOOLEAN NOT NULL CHECK (warned IN (0, 1)),
    by TEXT NOT NULL REFERENCES users (user_id),
    at TEXT NOT NULL
);

-- Handing out: how the person was identified, and what was talked about (elements of OBRA-90).
CREATE TABLE pickups (
    id INTEGER PRIMARY KEY,
    rx_no TEXT NOT NULL REFERENCES prescriptions (rx_no),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    checked_name BOOLEAN NOT NULL,
    checked_birth BOOLEAN NOT NULL,
    checked_address BOOLEAN NOT NULL,
    checked_phone BOOLEAN NOT NULL,
    counselling TEXT NOT NULL CHECK (counselling IN ('given', 'declined')),
    talked_purpose BOOLEAN NOT NULL,
    talked_dose BOOLEAN NOT NULL,
    talked_precautions BOOLEAN NOT NULL,
    talked_effects BOOLEAN NOT NULL,
    talked_monitoring BOOLEAN NOT NULL,
    talked_storage BOOLEAN NOT NULL,
    talked_refills BOOLEAN NOT NULL,
    talked_missed BOOLEAN NOT NULL,
    teach_back TEXT NOT NULL CHECK (teach_back IN ('', 'able', 'unable')),
    warned BOOLEAN NOT NULL CHECK (warned IN (0, 1)),
    by TEXT NOT NULL REFERENCES users (user_id),
    at TEXT NOT NULL
);
