"""The scorekeeper's screen: a match at a real table, entered as it is played.

`screen` draws and takes keys; everything else can be had without a terminal. `line` handles the
typed line and its questions; `suggestions` propose meanings, `understanding` turns a line into the
command that Enter sends. `session` follows the match, and `link` sends commands, also over a bad
connection.

What is asked before a match ends is in `confirming`, how one that waits begins in `waiting`.
"""
