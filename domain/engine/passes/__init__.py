"""Passes that nobody makes by hand: by an auto-pass set before, or implied by the next act."""
