-- What was archived, and taken out or not (service/store/archived.py).

CREATE TABLE archived (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    at BIGINT NOT NULL,
    viewer BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    since BIGINT NOT NULL,
    head BYTEA NOT NULL,
    anchor TEXT NOT NULL
) PARTITIONED BY (id);
