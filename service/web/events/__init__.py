"""What everybody sees of an event: pairings once a round is open, standings, results, who plays.

`pages` makes it, `guests` says who asks, also without a token. Lists, notes,
penalties and calls are no business of these pages; the hall is `service.web.hall`.
"""
