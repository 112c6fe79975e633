"""The public page of an event: pairings of open rounds, standings, results, players.

`pages` makes it, for whoever asks (`visitors.of_event`), also without a token. Lists, notes,
penalties and calls are no business of these pages; the hall is `service.web.hall`.
"""
