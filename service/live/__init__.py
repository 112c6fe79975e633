"""Live matches in memory, and their followers.

`matches` carries out commands, `memory` caches the matches, `heads` says how far they are chained,
`upkeep` keeps what is derived of them up to date, `background` runs tasks, and tries again what
another server forestalled, `streams` serves followers, `lanes` shares the threads fairly, `access`
writes down who sees what is hidden. `tournaments` does the same for events of organisers; acts at
an event are carried over to its matches (`carrying`), the results of matches are added to its
record (`following`).
"""
