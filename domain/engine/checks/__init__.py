"""Checks of what was written: of records (`verify`) and of positions (`invariants`).

`versions` says which engine wrote a record, and whether this one may go on with it.
"""
