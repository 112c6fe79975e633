"""`kifu cards`: the cards of a game, looked up, and made of what is printed on them."""
