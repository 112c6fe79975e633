"""Keeping records over years: stores checked, copied, backed up, and events archived.

`check` reads all of it and says what is not as it was written; it changes nothing. `backup` copies
a file while it is written. `archives` puts finished events and matches into a file of their own,
`retention` takes them out of the store and brings them back. `copying` copies a whole store to
another; `rows` moves rows for all of these. `adding` adds whole matches that were played elsewhere.
"""
