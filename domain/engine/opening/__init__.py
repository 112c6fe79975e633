"""Opening a match: its terms (`terms`), and the beginning of a match that waits.

A match may be opened and not begun (`beginning`): its lists are handed in, nothing is asked, no
clock runs, no chance falls. Meanwhile seats may give their part to chance (`seeding`). What runs
it from there is the `match`.
"""
