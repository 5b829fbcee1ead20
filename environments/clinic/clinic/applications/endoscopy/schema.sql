CREATE TABLE patients (
    mrn TEXT PRIMARY KEY,
    family_name TEXT NOT NULL,
    given_name TEXT NOT NULL,
    sex TEXT NOT NULL CHECK (sex IN ('F', 'M')),
    birth_date TEXT NOT NULL,
    history TEXT NOT NULL,
    medication TEXT NOT NULL,
    allergies TEXT NOT NULL
);

-- One row per procedure of the day, from the booking to the signature.
CREATE TABLE procedures (
    case_no TEXT PRIMARY KEY,
    mrn TEXT NOT NULL REFERENCES patients (mrn),
    kind TEXT NOT NULL CHECK (kind IN ('colonoscopy', 'gastroscopy', 'sigmoidoscopy')),
    story TEXT NOT NULL,
    scene TEXT NOT NULL,
    study INTEGER NOT NULL,
    room INTEGER NOT NULL,
    scheduled_at TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('scheduled', 'in_progress', 'completed', 'reported', 'cancelled')),
    indication TEXT NOT NULL,
    endoscopist TEXT NOT NULL REFERENCES users (user_id),
    nurse TEXT NOT NULL REFERENCES users (user_id),
    asa INTEGER CHECK (asa BETWEEN 1 AND 5),
    last_fluids TEXT,
    antithrombotic TEXT CHECK (antithrombotic IN ('none', 'stopped', 'taken')),
    consent BOOLEAN NOT NULL DEFAULT 0 CHECK (consent IN (0, 1)),
    allergies_confirmed BOOLEAN NOT NULL DEFAULT 0 CHECK (allergies_confirmed IN (0, 1)),
    assessed_by TEXT REFERENCES users (user_id),
    assessed_at TEXT,
    assessment_warned BOOLEAN NOT NULL DEFAULT 0 CHECK (assessment_warned IN (0, 1)),
    timeout_with TEXT REFERENCES users (user_id),
    timeout_at TEXT,
    started_by TEXT REFERENCES users (user_id),
    started_at TEXT,
    start_warned BOOLEAN NOT NULL DEFAULT 0 CHECK (start_warned IN (0, 1)),
    caecum TEXT CHECK (caecum IN ('reached', 'not_reached')),
    withdrawal_min INTEGER,
    bbps_right INTEGER CHECK (bbps_right BETWEEN 0 AND 3),
    bbps_transverse INTEGER CHECK (bbps_transverse BETWEEN 0 AND 3),
    bbps_left INTEGER CHECK (bbps_left BETWEEN 0 AND 3),
    ended_by TEXT REFERENCES users (user_id),
    ended_at TEXT,
    end_warned BOOLEAN NOT NULL DEFAULT 0 CHECK (end_warned IN (0, 1)),
    recommendation TEXT,
    comment TEXT NOT NULL DEFAULT '',
    signed_by TEXT REFERENCES users (user_id),
    signed_at TEXT
);

-- What nurses wrote: the call before the visit, and the running log of the procedure.
CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    case_no TEXT NOT NULL REFERENCES procedures (case_no),
    mrn TEXT NOT NULL,
    part TEXT NOT NULL CHECK (part IN ('call', 'log', 'earlier')),
    at TEXT NOT NULL,
    text TEXT NOT NULL,
    by TEXT NOT NULL
);

CREATE TABLE images (
    id INTEGER PRIMARY KEY,
    case_no TEXT NOT NULL REFERENCES procedures (case_no),
    mrn TEXT NOT NULL,
    number INTEGER NOT NULL,
    scene TEXT NOT NULL,
    study INTEGER NOT NULL,
    taken_at TEXT NOT NULL,
    label TEXT,
    labelled_by TEXT REFERENCES users (user_id)
);

CREATE TABLE findings (
    id INTEGER PRIMARY KEY,
    case_no TEXT NOT NULL REFERENCES procedures (case_no),
    mrn TEXT NOT NULL,
    segment TEXT NOT NULL,
    size_mm INTEGER NOT NULL,
    paris TEXT NOT NULL,
    method TEXT NOT NULL,
    jar INTEGER,
    by TEXT NOT NULL REFERENCES users (user_id),
    at TEXT NOT NULL,
    in_error BOOLEAN NOT NULL DEFAULT 0 CHECK (in_error IN (0, 1))
);

-- What a careful reader finds; no page shows it.
CREATE TABLE truth (
    case_no TEXT NOT NULL REFERENCES procedures (case_no),
    subject TEXT NOT NULL,
    mrn TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (case_no, subject)
);
