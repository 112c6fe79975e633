"""What each instruction does: those of all games (`shared`), those a game takes up (`further`).

`replacement` is what is done in the place of something.
"""
