"""Passes that nobody makes by hand: left standing beforehand, or implied by the next act."""
