"""The cards of a game as they are looked up.

`reading` finds them in an index that lies in the game's folder, without loading the game: the first
line has what all cards share, each other line is a card. `writing` makes the index, and finds cards
where there is none: in another language, and in lists that bring cards of their own.
"""
