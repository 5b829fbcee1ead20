CREATE TABLE patients (
    mrn TEXT PRIMARY KEY,
    family_name TEXT NOT NULL,
    given_name TEXT NOT NULL,
    sex TEXT NOT NULL CHECK (sex IN ('F', 'M')),
    birth_date TEXT NOT NULL,
    location TEXT NOT NULL
);

-- One row per recording; speed, gain, layout and lead are the view that is stored with it.
CREATE TABLE studies (
    study_id TEXT PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    acquired_at TEXT NOT NULL,
    location TEXT NOT NULL,
    cart TEXT NOT NULL,
    technician TEXT NOT NULL,
    indication TEXT NOT NULL,
    priority TEXT NOT NULL CHECK (priority IN ('stat', 'urgent', 'routine')),
    profile TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('unread', 'draft', 'signed')),
    speed INTEGER NOT NULL DEFAULT 25 CHECK (speed IN (25, 50)),
    gain INTEGER NOT NULL DEFAULT 10 CHECK (gain IN (5, 10, 20)),
    layout TEXT NOT NULL DEFAULT 'standard',
    lead TEXT NOT NULL DEFAULT 'II',
    analysed_by TEXT REFERENCES users (user_id),
    analysed_at TEXT
);

-- What each recording is drawn from; never in any page but as a tracing.
CREATE TABLE signals (
    study_id TEXT PRIMARY KEY REFERENCES studies (study_id),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    seed INTEGER NOT NULL,
    rhythm TEXT NOT NULL,
    rate REAL NOT NULL,
    pr_ms INTEGER,
    qrs_ms INTEGER NOT NULL,
    qt_ms INTEGER NOT NULL,
    axis INTEGER NOT NULL,
    shape TEXT NOT NULL,
    injury TEXT NOT NULL,
    scar TEXT NOT NULL,
    voltage REAL NOT NULL,
    t_wave REAL NOT NULL,
    arms_swapped BOOLEAN NOT NULL CHECK (arms_swapped IN (0, 1))
);

-- What the algorithm makes of a recording; shown once the analysis was run.
CREATE TABLE automatic (
    study_id TEXT PRIMARY KEY REFERENCES studies (study_id),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    heart_rate INTEGER NOT NULL,
    pr_ms INTEGER,
    qrs_ms INTEGER NOT NULL,
    qt_ms INTEGER NOT NULL,
    axis INTEGER NOT NULL,
    statements TEXT NOT NULL
);

CREATE TABLE reports (
    study_id TEXT PRIMARY KEY REFERENCES studies (study_id),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    heart_rate INTEGER,
    pr_ms INTEGER,
    qrs_ms INTEGER,
    qt_ms INTEGER,
    qtc_ms INTEGER,
    qtc_formula TEXT NOT NULL,
    axis INTEGER,
    statements TEXT NOT NULL,
    comparison TEXT NOT NULL,
    comment TEXT NOT NULL,
    warned BOOLEAN NOT NULL DEFAULT 0 CHECK (warned IN (0, 1)),
    saved_by TEXT NOT NULL REFERENCES users (user_id),
    saved_at TEXT NOT NULL,
    signed_by TEXT REFERENCES users (user_id),
    signed_at TEXT
);

CREATE TABLE contacts (
    contact_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    service TEXT NOT NULL,
    hours TEXT NOT NULL,
    on_duty BOOLEAN NOT NULL CHECK (on_duty IN (0, 1))
);

CREATE TABLE alerts (
    id INTEGER PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (study_id),
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    finding TEXT NOT NULL,
    contact_id INTEGER NOT NULL REFERENCES contacts (contact_id),
    read_back BOOLEAN NOT NULL CHECK (read_back IN (0, 1)),
    note TEXT NOT NULL,
    by TEXT NOT NULL REFERENCES users (user_id),
    at TEXT NOT NULL
);
