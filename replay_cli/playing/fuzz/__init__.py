"""Fuzzing: random matches with made-up cards, whose invariants are checked after each moment.

`texts` makes up card texts from the words of a game, `cards` whole cards and decks of them. `match`
plays with them, at dealt and at real tables, with acts of random `officials`, and checks after each
moment what must hold (`domain.engine.checks.invariants`). What fails, `shrink` makes small and
`report` turns into a scenario file. Everything comes from a seed, in any process the same. `run`
plays one such match from its seed; `kifu simulate --fuzz` runs many.
"""
