"""Streams of matches: `streams` answers with entries and positions, as they come.

`following` makes positions of entries, once for all who see the same.
"""
