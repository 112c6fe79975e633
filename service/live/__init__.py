"""Live matches in memory, and their followers.

`matches` carries out commands, `memory` caches the matches, `heads` says how far they are chained,
`upkeep` keeps what is derived of them up to date, `background` runs tasks, `repeating` tries again
what another server forestalled, `streams` serves followers, `lanes` shares the threads fairly,
`access` writes down who sees what is hidden. `tournaments` does the same for events of organisers;
what happens at one is carried over to its matches (`carrying`), what they come to goes onto its
record (`following`).
"""
