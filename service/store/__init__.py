"""The store: records in an SQLite file, and what is derived from them.

`records` reads and writes entries in a `file` that one process has the `hold` of: as `rows`, which
are laid out as LAYOUT.md says (`packing`, `compression`, `training`); `commit` writes those of many
matches in one transaction, `repacking` shortens what has ended. Files of earlier versions are read
by `layout1`, converted by `upgrade`.

Derived from the entries are `listing`, `rewinds` and `snapshots`, from where `history` reads any
point of a match; `derived` checks and rebuilds them, `delay` says which entries a viewer may have
yet.
"""
