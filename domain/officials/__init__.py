"""The acts of officials: rule, penalise, keep the time, correct, rewind.

All of it is appended to the record, in frames of its own (`frame`), with who did it and why.
`beginning` begins a match that waited, `rulings` are said beside the game and after it, `results`
corrects what came of it, `clocks` keeps the time, `bringing` adds cards that no catalogue has,
`irregular` records what was done against the rules, `corrections` change a position by fixes,
`rewind` goes back to a decision, undoes and forks (how revealed cards are put back is in `ways`),
`adoption` hands a match to a newer engine. What makes no sense is refused and leaves no trace
(`checks`). Each act is a row of `acts`, with its fields and who may do it; which function carries
it out is in `carrying`.
"""
