"""The acts: their table, the rows a game declares in it, and checks of legality.

`acts` offers, refuses and carries out what `rows` say; `legality` has the checks that rows share.
When somebody is asked is in `flow`, the results of card texts in `effects`.
"""
