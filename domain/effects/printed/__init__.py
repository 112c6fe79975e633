"""Printed card texts: read into effects, and written back to prove that nothing was lost.

A grammar (`patterns`, a table a game and language) says each sentence once: what is printed, and
the data that it means. `reading` goes from text to data, `printing` from data to text, with the
same rows; `shapes` puts data together and takes it apart. `references` says which card "it" is.
`proof` compares: a text counts as read only if it has one reading, and if that reading prints the
same text. `normal` removes what says nothing (reminders, spacing) before any of it.

The printed form serves this proof alone: what people read of a card is in `effects.wording`.
"""
