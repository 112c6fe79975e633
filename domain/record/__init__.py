"""What is written, and reading it: events, the fold, positions, views. It knows no rules.

`events` are what happens in games, `interventions` what officials do, `entries` their places in the
record. `fold` makes a `position` of them (chapter by chapter in `folding`), `views` blank what a
viewer may not see. `manifest` is how a game declares its words, `citations` how a rule is named,
`policy` what an event settles beforehand. FORMAT.md says how all of this may change. What writes it
is in `engine`.
"""
