"""What may be done: the table of acts, the rows a game declares in it, and checks of legality.

`acts` offers, refuses and carries out what `rows` say; `legality` has the checks that rows share.
When somebody is asked is in `flow`, what comes of card texts in `effects`.
"""
