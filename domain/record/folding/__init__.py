"""How each event changes a position, by chapter; `fold` applies them."""
