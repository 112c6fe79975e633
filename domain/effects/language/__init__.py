"""The language of card texts: its types, its words, and the faults of a written text.

`vocabulary` has the types, `instruction` what all instructions are made from, `words` what a game
adds to them. `check` finds what is wrong with an effect and its instructions, `asked` with what
they ask for; `spelling` guesses what was meant.
"""
