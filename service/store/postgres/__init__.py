"""A store in PostgreSQL, which any number of servers write at the same time.

`database` is the driver that the store uses (`service.store.driver`), `recorder` writes rows
through the `eventsourcing` library, `connections` are its pool, `availability` says at once that
the database is away, `texts` makes of the store's SQL what PostgreSQL reads, `schema` brings a
database up to the tables in `migrations`. SHARDING.md says how these tables are spread over several
machines.
"""
