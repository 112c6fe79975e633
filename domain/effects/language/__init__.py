"""What a card text may say: its types, its words, and the faults of a text as it is written.

`vocabulary` has the types, `words` the instructions that all games share and what a game adds to
them. `check` finds what is wrong with an effect (`clauses` with a clause of it, `asked` with what
they ask for), `written` what in the data nothing reads; `spelling` guesses what was meant.
"""
