CREATE TABLE duties (
    post TEXT PRIMARY KEY CHECK (post IN ('radiologist', 'physicist')),
    user TEXT NOT NULL REFERENCES users (user_id)
);

CREATE TABLE patients (
    mrn TEXT PRIMARY KEY,
    family_name TEXT NOT NULL,
    given_name TEXT NOT NULL,
    sex TEXT NOT NULL CHECK (sex IN ('F', 'M')),
    birth_date TEXT NOT NULL,
    height_cm INTEGER NOT NULL,
    weight_kg INTEGER NOT NULL,
    location TEXT NOT NULL,
    history TEXT NOT NULL,
    medications TEXT NOT NULL,
    last_period TEXT
);

-- Where the landmarks of a body lie on the table, in mm; a reader sees them in the scout only.
CREATE TABLE anatomy (
    mrn TEXT PRIMARY KEY REFERENCES patients (mrn),
    seed INTEGER NOT NULL,
    vertex INTEGER NOT NULL,
    skull_base INTEGER NOT NULL,
    apex INTEGER NOT NULL,
    dome INTEGER NOT NULL,
    adrenals INTEGER NOT NULL,
    symphysis INTEGER NOT NULL
);

CREATE TABLE allergies (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    substance TEXT NOT NULL,
    reaction TEXT NOT NULL,
    severity TEXT NOT NULL,
    year INTEGER NOT NULL
);

CREATE TABLE labs (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    test TEXT NOT NULL CHECK (test IN ('eGFR', 'hCG')),
    value TEXT NOT NULL,
    unit TEXT NOT NULL,
    taken_at TEXT NOT NULL,
    cancelled BOOLEAN NOT NULL DEFAULT 0 CHECK (cancelled IN (0, 1))
);

CREATE TABLE devices (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    name TEXT NOT NULL,
    year INTEGER NOT NULL,
    label TEXT NOT NULL CHECK (label IN ('safe', 'conditional', 'unsafe')),
    conditions TEXT NOT NULL
);

CREATE TABLE orders (
    accession TEXT PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    modality TEXT NOT NULL CHECK (modality IN ('CT', 'MR')),
    procedure TEXT NOT NULL,
    contrast BOOLEAN NOT NULL CHECK (contrast IN (0, 1)),
    part TEXT NOT NULL,
    protocol TEXT NOT NULL,
    indication TEXT NOT NULL,
    plan TEXT NOT NULL,
    referrer TEXT NOT NULL,
    scheduled_at TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('scheduled', 'registered', 'completed', 'on_hold', 'cancelled'))
);

-- An order that was registered on the console.
CREATE TABLE exams (
    accession TEXT PRIMARY KEY REFERENCES orders (accession),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    checked_name BOOLEAN NOT NULL CHECK (checked_name IN (0, 1)),
    checked_birth_date BOOLEAN NOT NULL CHECK (checked_birth_date IN (0, 1)),
    checked_mrn BOOLEAN NOT NULL CHECK (checked_mrn IN (0, 1)),
    checked_room BOOLEAN NOT NULL CHECK (checked_room IN (0, 1)),
    registered_warned BOOLEAN NOT NULL CHECK (registered_warned IN (0, 1)),
    registered_by TEXT NOT NULL,
    registered_at TEXT NOT NULL,
    protocol TEXT,
    protocol_by TEXT,
    protocol_at TEXT,
    completed_warned BOOLEAN NOT NULL DEFAULT 0 CHECK (completed_warned IN (0, 1)),
    completed_by TEXT,
    completed_at TEXT
);

CREATE TABLE screenings (
    id INTEGER PRIMARY KEY,
    accession TEXT NOT NULL REFERENCES orders (accession),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    pregnancy TEXT CHECK (pregnancy IN ('excluded', 'possible', 'pregnant')),
    reaction TEXT CHECK (reaction IN ('none', 'mild', 'moderate', 'severe')),
    egfr INTEGER,
    metformin TEXT CHECK (metformin IN ('yes', 'no')),
    device TEXT CHECK (device IN ('none', 'safe', 'conditional', 'unsafe')),
    swept BOOLEAN NOT NULL CHECK (swept IN (0, 1)),
    by TEXT NOT NULL,
    at TEXT NOT NULL
);

CREATE TABLE techniques (
    accession TEXT PRIMARY KEY REFERENCES orders (accession),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    kv INTEGER,
    ma INTEGER,
    rotation_s REAL,
    slice_mm REAL,
    pitch REAL,
    fov_mm INTEGER,
    kernel TEXT,
    mode TEXT CHECK (mode IN ('normal', 'first_level')),
    ctdi_mgy REAL,
    notified BOOLEAN NOT NULL DEFAULT 0 CHECK (notified IN (0, 1)),
    by TEXT,
    at TEXT
);

CREATE TABLE scouts (
    id INTEGER PRIMARY KEY,
    accession TEXT NOT NULL REFERENCES orders (accession),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    position TEXT,
    direction TEXT NOT NULL CHECK (direction IN ('ap', 'lateral', 'three_plane')),
    from_mm INTEGER,
    to_mm INTEGER,
    warned BOOLEAN NOT NULL CHECK (warned IN (0, 1)),
    by TEXT NOT NULL,
    at TEXT NOT NULL
);

CREATE TABLE injections (
    id INTEGER PRIMARY KEY,
    accession TEXT NOT NULL REFERENCES orders (accession),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    volume_ml INTEGER NOT NULL,
    rate_ml_s REAL NOT NULL,
    delay_s INTEGER NOT NULL,
    warned BOOLEAN NOT NULL CHECK (warned IN (0, 1)),
    by TEXT NOT NULL,
    at TEXT NOT NULL
);

CREATE TABLE scans (
    id INTEGER PRIMARY KEY,
    accession TEXT NOT NULL REFERENCES orders (accession),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    from_mm INTEGER,
    to_mm INTEGER,
    kv INTEGER,
    ma INTEGER,
    slice_mm REAL,
    kernel TEXT,
    mode TEXT,
    ctdi_mgy REAL,
    dlp_mgy_cm REAL,
    with_contrast BOOLEAN NOT NULL CHECK (with_contrast IN (0, 1)),
    warned BOOLEAN NOT NULL CHECK (warned IN (0, 1)),
    by TEXT NOT NULL,
    at TEXT NOT NULL
);

CREATE TABLE reconstructions (
    id INTEGER PRIMARY KEY,
    accession TEXT NOT NULL REFERENCES orders (accession),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    kernel TEXT NOT NULL,
    slice_mm REAL NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL
);

CREATE TABLE transfers (
    id INTEGER PRIMARY KEY,
    accession TEXT NOT NULL REFERENCES orders (accession),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    destination TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL
);

CREATE TABLE holds (
    id INTEGER PRIMARY KEY,
    accession TEXT NOT NULL REFERENCES orders (accession),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    reason TEXT NOT NULL,
    notified TEXT NOT NULL REFERENCES users (user_id),
    note TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL
);

-- What the phantom reads on a scanner today; shown once it was scanned.
CREATE TABLE scanners (
    name TEXT PRIMARY KEY,
    in_service BOOLEAN NOT NULL CHECK (in_service IN (0, 1)),
    informed TEXT REFERENCES users (user_id),
    changed_by TEXT,
    changed_at TEXT,
    centre REAL NOT NULL,
    north REAL NOT NULL,
    east REAL NOT NULL,
    south REAL NOT NULL,
    west REAL NOT NULL,
    noise REAL NOT NULL,
    ring BOOLEAN NOT NULL CHECK (ring IN (0, 1)),
    seed INTEGER NOT NULL
);

CREATE TABLE phantom_scans (
    id INTEGER PRIMARY KEY,
    scanner TEXT NOT NULL REFERENCES scanners (name),
    by TEXT NOT NULL,
    at TEXT NOT NULL
);

CREATE TABLE qc_results (
    id INTEGER PRIMARY KEY,
    scanner TEXT NOT NULL REFERENCES scanners (name),
    phantom_scan INTEGER REFERENCES phantom_scans (id),
    water_hu REAL NOT NULL,
    noise_hu REAL NOT NULL,
    uniformity_hu REAL NOT NULL,
    artefact TEXT NOT NULL CHECK (artefact IN ('none', 'ring')),
    result TEXT NOT NULL CHECK (result IN ('pass', 'fail')),
    by TEXT NOT NULL,
    at TEXT NOT NULL
);
