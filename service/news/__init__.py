"""News: how servers that share a store notify each other.

News say that a match, an event or the credentials have something new, and up to which entry; what
it is is read from the store, which alone says what there is. So lost, late, doubled, reordered or
forged news change only when somebody looks, and a server that may have missed some looks everywhere
once.

The pieces and their receivers are in `news`, their spelling in `spelling`. A `relay` keeps up a
connection by which news go: to NATS (`nats`), or to PostgreSQL (`listening`). Where neither is, and
for what both may lose, servers look by themselves (`polling`). `choosing` reads what was
configured; NEWS.md beside `service.deploy` says how it is operated.
"""
