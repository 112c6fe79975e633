"""Suggestions for typed text: found (`suggest`, `guess`) and ranked (`fuzzy`, `habits`)."""
