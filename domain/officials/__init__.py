"""What officials do: rule, penalise, keep the time, put right, go back.

All of it is appended to the record, in frames of its own (`frame`), with who did it and why. What
is said beside the game is in `desk`; `irregular` is what happened against the rules, `corrections`
change a position, `rewind` goes back to a decision, undoes and forks; `clocks` keeps the time, and
`overtime` is what follows when it is over. Everything refuses what makes no sense, and leaves no
trace then.
"""
