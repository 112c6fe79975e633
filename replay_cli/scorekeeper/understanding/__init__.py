"""Interprets the typed line: the command that Enter would send.

`reading` parses the notation, `later` finds what is meant for a decision to which passes lead
(`ahead`), `meanings` has all that a line may stand for in order, `filling` writes out what was left
unsaid, and `understood` is what becomes of it all.
"""
