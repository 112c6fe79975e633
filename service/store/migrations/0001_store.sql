-- What a store keeps and can't make again (LAYOUT.md).

CREATE TABLE stored_events (
    originator_id TEXT NOT NULL,
    originator_version BIGINT NOT NULL,
    topic TEXT NOT NULL,
    state BYTEA NOT NULL,
    PRIMARY KEY (originator_id, originator_version)
) PARTITIONED BY (originator_id);

-- How far each match is: whoever appends holds its row. `lefts` counts changes of `auto_passes`.
CREATE TABLE chains (
    id TEXT PRIMARY KEY,
    secret BYTEA NOT NULL,
    since BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    hash BYTEA NOT NULL,
    lefts BIGINT NOT NULL DEFAULT 0
) PARTITIONED BY (id) WITHOUT ROWID;

CREATE TABLE dictionaries (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    data BYTEA NOT NULL
);

CREATE TABLE auto_passes (
    id TEXT NOT NULL,
    seat BIGINT NOT NULL,
    state BYTEA NOT NULL,
    PRIMARY KEY (id, seat)
) PARTITIONED BY (id) WITHOUT ROWID;

CREATE TABLE seeds (
    id TEXT PRIMARY KEY,
    seed BYTEA NOT NULL
) PARTITIONED BY (id) WITHOUT ROWID;

CREATE TABLE tournament_entries (
    originator_id TEXT NOT NULL,
    originator_version BIGINT NOT NULL,
    topic TEXT NOT NULL,
    state BYTEA NOT NULL,
    PRIMARY KEY (originator_id, originator_version)
) PARTITIONED BY (originator_id) WITHOUT ROWID;

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
    revoker TEXT DEFAULT '',
    once BIGINT NOT NULL
) PARTITIONED BY (id);

-- A log of its own for each match, so that no server waits for another; of a file one for all.
CREATE TABLE access (
    log TEXT NOT NULL,
    n BIGINT NOT NULL,
    line BYTEA,
    hash BYTEA,
    PRIMARY KEY (log, n)
) PARTITIONED BY (log) WITHOUT ROWID;

-- What was archived, and taken out or not.
CREATE TABLE archived (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    at BIGINT NOT NULL,
    viewer BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    since BIGINT NOT NULL,
    head BYTEA NOT NULL,
    anchor TEXT NOT NULL
) PARTITIONED BY (id) WITHOUT ROWID;

-- The log of heads is one by its nature, and one server at a time adds to it.
CREATE TABLE leaves (
    number BIGINT PRIMARY KEY,
    id TEXT,
    count BIGINT,
    since BIGINT,
    head BYTEA
);
CREATE INDEX leaves_by_match ON leaves (id, count);

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
) WITHOUT ROWID;

CREATE TABLE log_keys (
    number BIGINT PRIMARY KEY,
    key TEXT UNIQUE,
    size BIGINT,
    time BIGINT,
    endorsed BIGINT
);

-- What is derived from entries, and can be made again.

CREATE TABLE tiles (
    level BIGINT NOT NULL,
    number BIGINT NOT NULL,
    hashes BYTEA,
    PRIMARY KEY (level, number)
) WITHOUT ROWID;

CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    opened BIGINT,
    game TEXT,
    ended BIGINT,
    heading BYTEA,
    outcome BYTEA,
    seed BIGINT
) PARTITIONED BY (id) WITHOUT ROWID;

-- Everything that is listed, newest first, under the one key by which it is found.
CREATE TABLE lists (
    list TEXT NOT NULL,
    at BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (list, at, id)
) PARTITIONED BY (list) WITHOUT ROWID;

-- Results that stand no more, by the entries that superseded them.
CREATE TABLE superseded (
    id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    outcome BYTEA,
    PRIMARY KEY (id, seq)
) PARTITIONED BY (id) WITHOUT ROWID;

CREATE TABLE rewinds (
    id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    back BIGINT NOT NULL,
    PRIMARY KEY (id, seq)
) PARTITIONED BY (id) WITHOUT ROWID;

-- `head`: the first of its chain.
CREATE TABLE snapshots (
    id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    decisions BIGINT NOT NULL,
    head BIGINT NOT NULL,
    views BYTEA,
    PRIMARY KEY (id, seq)
) PARTITIONED BY (id);
CREATE INDEX snapshots_by_decision ON snapshots (id, decisions);

-- What an archive of the public has: what proves its copies, and its copies of events' records.

CREATE TABLE openings (
    id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    opens BYTEA,
    PRIMARY KEY (id, seq)
) WITHOUT ROWID;

CREATE TABLE public_entries (
    id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    entry BYTEA,
    PRIMARY KEY (id, seq)
) WITHOUT ROWID;

-- What servers that share a store have to agree on, beside what is in it.

-- Attempts at codes that are left to an address, or to all, and since when (seconds since 1970).
CREATE TABLE attempts (
    key TEXT PRIMARY KEY,
    remaining DOUBLE PRECISION NOT NULL,
    since DOUBLE PRECISION NOT NULL
) PARTITIONED BY (key) WITHOUT ROWID;

-- Keys that let a browser in once, as hashes, and until when (seconds since 1970).
CREATE TABLE entrances (
    hash TEXT PRIMARY KEY,
    who BYTEA NOT NULL,
    until DOUBLE PRECISION NOT NULL
) WITHOUT ROWID;

-- What all servers must have the same, by its name.
CREATE TABLE marks (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
