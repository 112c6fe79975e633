"""Records as tables for analysis: Arrow in memory, Parquet in files (TABLES.md).

`schemas` says which tables and columns there are, `rows` makes the rows of a match, `decided` those
of its decisions, `arrow` makes tables of them and writes files. Programs import kifu.tables, which
needs `kifu[tables]`.
"""
