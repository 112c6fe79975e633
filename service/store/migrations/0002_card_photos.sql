-- Photos of cards that a match brought, where its organiser keeps them: a JPEG without metadata.

CREATE TABLE card_photos (
    id TEXT NOT NULL,
    card TEXT NOT NULL,
    photo BYTEA NOT NULL,
    PRIMARY KEY (id, card)
) PARTITIONED BY (id);
