"""What all games have, once: a game declares it, the kit carries it out.

A game is put together in `game`. What may be done: `acts` (the table), `rows` (what a game says of
a kind of act), `legality` (checks). When: `steps` (the turn), `window` (acting by turns), `attack`.
What texts do: `texts`, `triggers` (the queue), `occurrences` (what sets them off), `instructions`,
`processes` (what the rules do by themselves). Cards: `cards`, `decks`, `setup`, `side`, `hand`,
`moves`, `room` (limits, tokens).
"""
