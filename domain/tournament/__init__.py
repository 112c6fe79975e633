"""Events as organisers mean the word: their players, lists, rounds, results, officials, calls.

In the code such an event is a tournament, since an event is what a record consists of. It is a
record of its own, beside those of its matches: `record` has what can happen at one, `state` what
that adds up to (`folding`), `acts` what can be done at one (on a `tournament`), `views` what is
seen of it by whom, and `places` what not before its table's match is; `progress` tells how far it
has come, from `standings` to who plays whom next; `proof` chains the record, a `copy` is proven.
It knows its matches by their ids; what is played in them is in theirs.
"""
