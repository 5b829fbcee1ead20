CREATE TABLE patients (
    mrn TEXT PRIMARY KEY,
    family_name TEXT NOT NULL,
    given_name TEXT NOT NULL,
    sex TEXT NOT NULL CHECK (sex IN ('F', 'M')),
    birth_date TEXT NOT NULL,
    site TEXT NOT NULL CHECK (site IN ('head_neck', 'thorax', 'pelvis', 'brain')),
    diagnosis TEXT NOT NULL,
    physician TEXT NOT NULL REFERENCES users (user_id),
    status TEXT NOT NULL CHECK (status IN ('contouring', 'planning', 'review', 'approved', 'treatment')),
    ct_date TEXT NOT NULL,
    spacing REAL NOT NULL,
    grain INTEGER NOT NULL,
    story TEXT NOT NULL
);

-- The outline is a JSON list of ellipses [x, y, radius x, radius y] in cm; it is shown once it is contoured.
CREATE TABLE structures (
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('external', 'target', 'organ')),
    colour TEXT NOT NULL,
    outline TEXT NOT NULL,
    length_cm REAL NOT NULL,
    contoured BOOLEAN NOT NULL CHECK (contoured IN (0, 1)),
    source TEXT CHECK (source IN ('physician', 'planner', 'auto')),
    changed_by TEXT,
    changed_at TEXT,
    PRIMARY KEY (mrn, name)
);

CREATE TABLE directives (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    version INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('current', 'superseded')),
    text TEXT NOT NULL,
    dose_gy REAL,
    fractions INTEGER NOT NULL,
    norm TEXT NOT NULL,
    fields INTEGER NOT NULL,
    gantry INTEGER NOT NULL,
    collimator INTEGER NOT NULL,
    energy TEXT NOT NULL,
    technique TEXT NOT NULL,
    by TEXT NOT NULL REFERENCES users (user_id),
    at TEXT NOT NULL
);

CREATE TABLE goals (
    id INTEGER PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    structure TEXT NOT NULL,
    metric TEXT NOT NULL,
    sense TEXT NOT NULL CHECK (sense IN ('min', 'max')),
    limit_value REAL NOT NULL
);

CREATE TABLE plans (
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    plan TEXT NOT NULL CHECK (plan IN ('A', 'B')),
    dose_gy REAL,
    fractions INTEGER,
    norm TEXT CHECK (norm IN ('d95', 'mean', 'iso80')),
    technique TEXT CHECK (technique IN ('3DCRT', 'IMRT', 'SRS')),
    dose_state TEXT NOT NULL CHECK (dose_state IN ('none', 'current', 'outdated')),
    computed_by TEXT,
    computed_at TEXT,
    approved_by TEXT,
    second TEXT,
    approved_at TEXT,
    exported_by TEXT,
    exported_at TEXT,
    PRIMARY KEY (mrn, plan)
);

CREATE TABLE beams (
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    plan TEXT NOT NULL,
    number INTEGER NOT NULL,
    gantry REAL NOT NULL,
    collimator REAL NOT NULL,
    couch REAL NOT NULL,
    energy TEXT NOT NULL,
    weight REAL NOT NULL,
    mu REAL,
    PRIMARY KEY (mrn, plan, number)
);

CREATE TABLE priorities (
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    plan TEXT NOT NULL,
    structure TEXT NOT NULL,
    priority TEXT NOT NULL CHECK (priority IN ('off', 'normal', 'high')),
    PRIMARY KEY (mrn, plan, structure)
);

-- What a computed plan reaches, one row for each goal of the protocol.
CREATE TABLE results (
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    plan TEXT NOT NULL,
    goal INTEGER NOT NULL REFERENCES goals (id),
    value REAL NOT NULL,
    PRIMARY KEY (mrn, plan, goal)
);
