"""Overlays of a match or a table for streams: a transparent page for a browser source of OBS.

`asking` reads the parameters of an address, `scene` and `last` are what is shown of a position,
`announcing` what is shown once, `tables` which match a table has, `remote` which entry is shown of
a replay, `styling` finds themes, and `routes` answers. The pages are in `pages`; THEMES.md says
what themes may count on.
"""
