"""A store in PostgreSQL, which any number of servers write at the same time.

`database` is the driver that the store uses (`service.store.driver`), `recorder` writes rows,
`connections` are its pool, `availability` says at once that the database is away, `texts` makes of
the store's SQL what PostgreSQL reads, `migrating` brings a database up to date. SHARDING.md says
how the tables are spread over several machines.
"""
