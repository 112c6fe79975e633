"""Card texts in a match: what they mean, what sets them off, and in which order they are done.

`texts` are the terms and prints of a match, `occurrences` says which events set texts off,
`triggers` is the queue of those that wait, `negation` ends acts and effects. `instructions` makes
those that a game has its own way for, `processes` does what the rules do by themselves. The
language of texts and its interpreter are in `domain.effects`.
"""
