"""How revealed cards are put back when a line is taken back; `rewind` does it.

Apart from that, since a client that only names a way needs no engine.
"""

AS_THEY_WERE, RANDOM, SHUFFLE = WAYS = ("as they were", "random", "shuffle")
