"""The scorekeeper's screen: a match at a real table, entered as it is played.

`screen` draws and takes keys; everything else can be had without a terminal. `input_line` is the
line in which things are typed and what becomes of it, with the questions asked in between;
`suggestions` say what may be meant, `keys` what a single key does, `reading` turns a finished line
into a command, `later` into one for a decision to which passes lead (`ahead`). `session` follows
the match and sends commands, whatever becomes of the connection.
"""
