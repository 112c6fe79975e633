"""The store: records in an SQLite file, and what is derived from them.

`records` reads and writes entries in a `file` that one process has the `lock` of; `commit` writes
those of many matches in one transaction. `layout` is how they lie in the file, `chains`
what they are proven with.

`derived` from the entries are listings, rewinds and snapshots, from where `history` reads any point
of a match; `delay` says which entries a viewer may have yet. What seats have left to be answered
for them is in no entry, and in `standing`. Events of organisers are in `tournaments`.
"""
