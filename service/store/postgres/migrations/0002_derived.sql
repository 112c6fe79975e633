-- What is derived from entries, listings, and what the service keeps beside them (LAYOUT.md).

CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    opened BIGINT,
    game TEXT,
    ended BIGINT,
    heading BYTEA,
    outcome BYTEA,
    seed BIGINT
) PARTITIONED BY (id);

-- Everything that is listed, newest first, under the one key by which it is found.
CREATE TABLE lists (
    list TEXT NOT NULL,
    at BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (list, at, id)
) PARTITIONED BY (list);

CREATE TABLE superseded (
    id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    outcome BYTEA,
    PRIMARY KEY (id, seq)
) PARTITIONED BY (id);

CREATE TABLE rewinds (
    id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    back BIGINT NOT NULL,
    PRIMARY KEY (id, seq)
) PARTITIONED BY (id);

CREATE TABLE snapshots (
    id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    decisions BIGINT NOT NULL,
    head BIGINT NOT NULL,
    views BYTEA,
    PRIMARY KEY (id, seq)
) PARTITIONED BY (id);
CREATE INDEX snapshots_by_decision ON snapshots (id, decisions);

CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    match TEXT,
    event TEXT,
    role TEXT,
    seat BIGINT,
    subject TEXT,
    delay TEXT,
    issued BIGINT,
    expires BIGINT,
    issuer TEXT,
    code TEXT,
    revoked BIGINT DEFAULT 0,
    revoker TEXT DEFAULT ''
) PARTITIONED BY (id);

CREATE TABLE codes (
    id TEXT PRIMARY KEY,
    hash BYTEA NOT NULL,
    role TEXT,
    match TEXT,
    event TEXT,
    seat BIGINT,
    player BIGINT,
    at BIGINT,
    name TEXT,
    delay TEXT,
    issued BIGINT,
    expires BIGINT,
    issuer TEXT,
    exchanges BIGINT DEFAULT 0,
    last BIGINT DEFAULT 0,
    revoked BIGINT DEFAULT 0,
    revoker TEXT DEFAULT ''
) PARTITIONED BY (id);

CREATE TABLE codes_once (
    id TEXT PRIMARY KEY
) PARTITIONED BY (id);

-- A log of its own for each match, so that no server waits for another.
CREATE TABLE access (
    log TEXT NOT NULL,
    n BIGINT NOT NULL,
    line BYTEA,
    hash BYTEA,
    PRIMARY KEY (log, n)
) PARTITIONED BY (log);

-- The log of heads is one by its nature, and one server at a time adds to it.
CREATE TABLE leaves (
    number BIGINT PRIMARY KEY,
    id TEXT,
    count BIGINT,
    since BIGINT,
    head BYTEA
);
CREATE INDEX leaves_by_match ON leaves (id, count);

CREATE TABLE tiles (
    level BIGINT NOT NULL,
    number BIGINT NOT NULL,
    hashes BYTEA,
    PRIMARY KEY (level, number)
);

CREATE TABLE checkpoints (
    number BIGINT PRIMARY KEY,
    size BIGINT,
    time BIGINT,
    root BYTEA,
    key BIGINT,
    signature BYTEA
);

CREATE TABLE cosignatures (
    checkpoint BIGINT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (checkpoint, line)
);

CREATE TABLE log_keys (
    number BIGINT PRIMARY KEY,
    key TEXT UNIQUE,
    size BIGINT,
    time BIGINT,
    endorsed BIGINT
);
