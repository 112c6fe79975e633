"""The common parts of all games: a game declares, the kit carries out.

A game is put together in `game`. `choices`: what may be done, and why something may not. `flow`:
setup, the steps of a turn, windows, attacks. `effects`: card texts, what sets them off and in which
order they are carried out. `zones`: drawing, moving, room for cards. `lists`: card data and decks.
`usual` has words of manifests that most games use. domain/games/ADDING.md goes through it in order.
"""
