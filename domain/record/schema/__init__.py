"""The schema of a record: words, ids of rules, an event's policy, and limits of size.

`manifest` is how a game declares its words, `citations` how a rule is named, `policy` what an event
settles in advance. `wording` says what stands in which field of an event and finds undeclared
words, `bounds` limits the size of what people state.
"""
