"""Card texts in a match: what they mean, what sets them off, and in which order they are done.

`texts` are the terms and prints of a match, `occurrences` say which events set texts off, `triggers`
is the queue of those that wait, `negation` ends acts and effects, `instructions` are makers of a
game's own, `processes` what the rules do by themselves. The language of texts and its interpreter
are in `domain.effects`.
"""
