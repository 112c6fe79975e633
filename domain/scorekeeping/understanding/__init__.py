"""Interprets the typed line: the command that Enter would send.

`reading` parses the notation, `later` finds meanings for a decision to which passes lead (`ahead`),
`meanings` has all possible meanings of a line in order, `filling` writes out what was left out, and
`understood` is the result.
"""
