"""The scorekeeper's screen: a match at a real table, entered as it is played.

`screen` draws and takes keys, and what is typed goes through `widget`; `link` sends commands, also
over a bad connection. What lines mean, and what is suggested, is `domain.scorekeeping`.

What is asked before a match ends is in `confirming`, how one that waits begins in `waiting`.
"""
