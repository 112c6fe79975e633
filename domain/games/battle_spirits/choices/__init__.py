"""Acts of players: the table of acts, what allows and forbids each, and what carries it out."""
