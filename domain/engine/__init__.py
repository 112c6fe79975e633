"""Writing the record: the table and its verbs, the driver that runs a rulebook, the match.

`opening` opens matches. `match` is the aggregate: it takes commands (`naming`: cards of a real
table, `timekeeping`: clocks). `table` has the verbs (beneath it, `verbs`), `driver` runs the steps
of a `rulebook`, and they speak by `signals`. What is answered for a seat is in `passes` (an
auto-pass, or a pass that is inferred). `checks` runs the rules again beside a record. It knows no
game and no card text.
"""
