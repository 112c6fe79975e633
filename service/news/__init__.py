"""News: how servers that share a store notify each other.

News say that a match, an event or the credentials have something new, and up to which entry; what
it is is read from the store, which alone says what there is. So news that are lost, late, doubled,
out of order or forged change nothing but when somebody looks, and whoever may have missed some
looks everywhere once.

What is told and to whom is in `news`, how it is written in `spelling`. A `relay` keeps up a
connection by which news go: to NATS (`nats`), or to PostgreSQL (`listening`). Where neither is,
and for what both may lose, servers look by themselves (`polling`). `choosing` reads what was
configured; NEWS.md beside `service.deploy` says how it is operated.
"""
