CREATE TABLE patients (
    mrn TEXT PRIMARY KEY,
    family_name TEXT NOT NULL,
    given_name TEXT NOT NULL,
    sex TEXT NOT NULL CHECK (sex IN ('F', 'M')),
    birth_date TEXT NOT NULL,
    phone TEXT NOT NULL,
    plot TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    reason TEXT NOT NULL,
    no_known_allergies BOOLEAN NOT NULL CHECK (no_known_allergies IN (0, 1))
);

CREATE TABLE problems (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    name TEXT NOT NULL,
    since TEXT NOT NULL
);

CREATE TABLE labs (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    name TEXT NOT NULL,
    result TEXT NOT NULL,
    taken_on TEXT NOT NULL
);

CREATE TABLE allergies (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    substance TEXT NOT NULL,
    reaction TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('mild', 'moderate', 'severe')),
    source TEXT NOT NULL CHECK (source IN ('historical', 'observed')),
    by TEXT NOT NULL REFERENCES users (user_id),
    at TEXT NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1))
);

CREATE TABLE pharmacies (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    address TEXT NOT NULL,
    phone TEXT NOT NULL
);

CREATE TABLE preferred_pharmacies (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    pharmacy TEXT NOT NULL REFERENCES pharmacies (name),
    is_default BOOLEAN NOT NULL CHECK (is_default IN (0, 1)),
    UNIQUE (mrn, pharmacy)
);

-- What the patient takes on prescriptions from here.
CREATE TABLE medications (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    drug TEXT NOT NULL,
    dose REAL NOT NULL,
    schedule TEXT NOT NULL,
    quantity REAL NOT NULL,
    days_supply INTEGER NOT NULL,
    refills INTEGER NOT NULL,
    indication TEXT NOT NULL,
    pharmacy TEXT NOT NULL REFERENCES pharmacies (name),
    prescriber TEXT NOT NULL,
    started_on TEXT NOT NULL,
    last_filled TEXT,
    status TEXT NOT NULL CHECK (status IN ('active', 'hold', 'expired', 'discontinued')),
    stop_reason TEXT,
    stopped_on TEXT
);

CREATE TABLE outside_medications (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    drug TEXT NOT NULL,
    dose TEXT NOT NULL,
    schedule TEXT NOT NULL,
    prescriber TEXT NOT NULL,
    reported_by TEXT NOT NULL CHECK (reported_by IN ('patient', 'family', 'record')),
    explained BOOLEAN NOT NULL CHECK (explained IN (0, 1)),
    by TEXT NOT NULL REFERENCES users (user_id),
    at TEXT NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1))
);

-- An order does nothing until it is signed.
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    action TEXT NOT NULL CHECK (action IN ('new', 'change', 'discontinue', 'renew')),
    medication INTEGER REFERENCES medications (id),
    drug TEXT NOT NULL,
    dose REAL,
    schedule TEXT,
    quantity REAL,
    days_supply INTEGER,
    refills INTEGER,
    indication TEXT,
    pharmacy TEXT NOT NULL REFERENCES pharmacies (name),
    reason TEXT,
    cancel_message BOOLEAN NOT NULL DEFAULT 0 CHECK (cancel_message IN (0, 1)),
    order_checks TEXT NOT NULL DEFAULT '',
    override TEXT,
    status TEXT NOT NULL CHECK (status IN ('unsigned', 'signed', 'withdrawn')),
    entered_by TEXT NOT NULL REFERENCES users (user_id),
    entered_at TEXT NOT NULL,
    signed_by TEXT REFERENCES users (user_id),
    signed_at TEXT
);

CREATE TABLE transmissions (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    kind TEXT NOT NULL CHECK (kind IN ('NewRx', 'RxChange', 'CancelRx', 'RenewalResponse')),
    drug TEXT NOT NULL,
    pharmacy TEXT NOT NULL REFERENCES pharmacies (name),
    text TEXT NOT NULL,
    at TEXT NOT NULL
);

CREATE TABLE renewals (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    medication INTEGER NOT NULL REFERENCES medications (id),
    pharmacy TEXT NOT NULL REFERENCES pharmacies (name),
    requested_at TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'denied')),
    reason TEXT,
    refills INTEGER,
    warned BOOLEAN NOT NULL DEFAULT 0 CHECK (warned IN (0, 1)),
    by TEXT REFERENCES users (user_id),
    at TEXT
);

CREATE TABLE consents (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    kind TEXT NOT NULL CHECK (kind IN ('eprescribing', 'history', 'opioid')),
    signer TEXT NOT NULL CHECK (signer IN ('patient', 'parent', 'guardian', 'proxy')),
    signer_name TEXT NOT NULL,
    witness TEXT REFERENCES users (user_id),
    by TEXT NOT NULL REFERENCES users (user_id),
    at TEXT NOT NULL,
    withdrawn BOOLEAN NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1))
);

CREATE TABLE signature_codes (
    user_id TEXT PRIMARY KEY REFERENCES users (user_id),
    code TEXT NOT NULL
);
