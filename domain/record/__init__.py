"""The record and reading it: events, the fold, positions, views. It knows no rules.

`events` are what happens in games, `interventions` what officials do, `entries` their places in the
record, `values`, `groups` and `decisions` what they are made of. `folding` makes a `position` of
them and digests it, `views` blank what a viewer may not see, `proof` chains what was written.
`fitting` compares an act with what is on offer. `schema` is what a game and an event declare in
advance. FORMAT.md says how all of this may change. What writes it is in `engine`.
"""
