"""The store: records in an SQLite file, and what is derived from them.

`records` reads and writes entries (`rows`, `shorthand`) in a `file` that one process has the `hold`
of; `commit` writes those of many matches in one transaction. Derived from the entries are
`listing`, `rewinds` and the snapshots of `history`; `derived` checks and rebuilds them, `delay`
says which entries a viewer may have yet.
"""
