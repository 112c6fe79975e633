"""Constant texts: which are in force, what they add up to, and what silences them."""
