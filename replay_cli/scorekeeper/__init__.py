"""The scorekeeper's screen: a match at a real table, entered as it is played.

`screen` draws and takes keys; everything else can be had without a terminal. `line` is the
line in which things are typed and what becomes of it, with the questions asked in between;
`suggestions` say what may be meant, `understanding` turns a line
into the command that Enter sends. `session` follows the match, and `link` sends commands, whatever
becomes of the connection.

What is asked before a match ends is in `confirming`, how one that waits begins in `waiting`.
"""
