"""Beneath the table's verbs: `emitter` adds an event and folds it, `cards` has the verbs for cards.

`progress` is where the rules stand in their work; `picking` asks a seat for cards out of a pool.
"""
