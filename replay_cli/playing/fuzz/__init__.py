"""Cards that nobody printed, and matches with them: what no test had thought of.

`texts` makes up card texts from the words of a game, `cards` whole cards and decks of them. `match`
plays with them, at dealt and at real tables, with an `officials`' hand in it, and looks after each
moment whether all is sound (`engine.invariants`). What fails, `shrink` makes small and `report`
turns into a scenario file. Everything comes from a seed, in any process the same. `run` is one such
match from its seed to what came of it; `kifu simulate --fuzz` runs many.
"""
