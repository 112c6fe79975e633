"""The store: records in a database, and data derived from them.

`records` reads and writes entries; `commit` writes those of many matches in one transaction.
`layout` is how they lie in the database, `chains` what they are proven with. What the database has
to do is in `driver`; `opening` finds by an address which one it is, `sqlite` or `postgres`.

`derived` from the entries are listings, rewinds and snapshots, from where `history` reads any point
of a match; `delay` says which entries a viewer may have yet. `tables` has what can't be derived.
`schema` makes the tables, and describes them as data; `statements` are the writes of all modules,
and `facts` are what an operator should know of a store.
"""
