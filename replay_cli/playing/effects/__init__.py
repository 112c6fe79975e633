"""Carries out every effect of every card in positions made up for it: `kifu simulate --cards`.

`situations` is what a game says of positions, `shelf` which cards may lie there, `laying` lays
them out, `attempt` plays on, `coverage` tries each effect until it was seen, `covered` all cards.
"""
