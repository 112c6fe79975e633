"""Passes that are not made by hand: by an auto-pass, or implied by the next act."""
