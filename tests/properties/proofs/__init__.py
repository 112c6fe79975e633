"""Proofs hold: forgeries of all sorts are noticed, and nothing hidden is revealed."""
