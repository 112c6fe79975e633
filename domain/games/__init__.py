"""The games, one folder each, and the line that registers each of them."""
