"""How entries lie in the database (LAYOUT.md): as compressed rows.

`rows` are what SQLite holds, `chaining` hashes the entries, `packing` makes rows of them,
`compression` shortens those with the dictionaries that `training` makes; `repacking` does so once
more when a match has ended, and gives free room back.
"""
