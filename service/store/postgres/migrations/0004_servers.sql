-- What servers that share a store have to agree on, beside what is in it.

-- Attempts at codes that are left to an address, or to all, and since when (seconds since 1970).
CREATE TABLE attempts (
    key TEXT PRIMARY KEY,
    remaining DOUBLE PRECISION NOT NULL,
    since DOUBLE PRECISION NOT NULL
) PARTITIONED BY (key);

-- Keys that let a browser in once, as hashes, and until when (seconds since 1970).
CREATE TABLE entrances (
    hash TEXT PRIMARY KEY,
    who BYTEA NOT NULL,
    until DOUBLE PRECISION NOT NULL
);

-- What all servers must have the same, by its name.
CREATE TABLE marks (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
