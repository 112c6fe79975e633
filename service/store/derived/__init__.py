"""Data derived from the entries: listings, lists of rewinds, snapshots.

`checks` compares all of it with the entries, and builds it again.
"""
