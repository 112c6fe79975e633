-- Entries of matches and of tournaments, and what can't be made again (LAYOUT.md).

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
) PARTITIONED BY (id);

CREATE TABLE dictionaries (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    data BYTEA NOT NULL
);

CREATE TABLE auto_passes (
    id TEXT NOT NULL,
    seat BIGINT NOT NULL,
    "left" BYTEA NOT NULL,
    PRIMARY KEY (id, seat)
) PARTITIONED BY (id);

CREATE TABLE seeds (
    id TEXT PRIMARY KEY,
    seed BYTEA NOT NULL
) PARTITIONED BY (id);

CREATE TABLE tournament_entries (
    originator_id TEXT NOT NULL,
    originator_version BIGINT NOT NULL,
    topic TEXT NOT NULL,
    state BYTEA NOT NULL,
    PRIMARY KEY (originator_id, originator_version)
) PARTITIONED BY (originator_id);
