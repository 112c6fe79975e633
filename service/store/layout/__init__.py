"""Layout 2 of the file (LAYOUT.md): entries as compressed rows; upgrade of files of layout 1.

`rows` are what SQLite holds, `packing` makes them of entries, `compression` shortens them with the
dictionaries that `training` makes; `repacking` does so once more when a match has ended, and
`compaction` gives free room back. Files of layout 1 are read by `layout1`, converted by `upgrade`.
"""
