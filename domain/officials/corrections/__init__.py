"""Corrections: `fixes` that officials make on a position, each by its verb (`verbs`, `checks`)."""
