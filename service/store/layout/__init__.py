"""Layout 3 of the file (LAYOUT.md): entries as compressed rows; upgrade of files of layout 1.

`rows` are what SQLite holds, `chaining` hashes the entries, `packing` makes rows of them,
`compression` shortens those with the dictionaries that `training` makes; `repacking` does so once
more when a match has ended, and `compaction` gives free room back. Files of layout 1 are read by
`layout1`, converted by `upgrade`.
"""
