"""The acts at a tournament, by subject: a function for each command.

Each takes the tournament, who sends it (`Sender`) and what he says, and raises `Refused` with an id
of `house:event…` if it can't be; nothing has changed then. Shared parts are in `checks`; `played`
adds the results of matches to the record. Each command is a row of `rows`, with its fields and who
may send it; which function carries it out is in `carrying`.
"""
