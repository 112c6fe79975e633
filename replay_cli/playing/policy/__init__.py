"""A policy that looks ahead: it knows what its seat may know, and deals the rest at random.

`sight` follows a match as one seat sees it and deals worlds that it can't tell from the real one;
`player` tries what is on offer in such worlds, and takes what leaves its seat best by the game's
`Worth`. Players without look-ahead are in `playing.bots`.
"""
