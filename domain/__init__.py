"""Kifu's domain: pure Python, no I/O, no network, no clock of its own.

Read it in this order: `events` (what can happen), `position` (what it adds up to), `fold` (how),
`decisions` (what is asked of people), `table` (the verbs a rulebook plays with), `rulebook` (what a
rulebook is, and the driver that runs and resumes one), `views` (who may see what), `match` (the
event-sourced aggregate around all of it). `effects/` is the card-text vocabulary that all games
share; `games/` has one folder a game. Storage and the network live in `service/`.
"""
