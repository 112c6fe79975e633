"""Checks a store against itself: nothing is written, and no damage stops it.

`store` goes through all of it. `matches` looks at a match, `archived` at one that was archived,
`log` at the log of heads, `rows` asks SQLite and looks at what is bound to nothing else and can
only be looked at value by value. What none of them can find is in KEEPING.md.
"""
