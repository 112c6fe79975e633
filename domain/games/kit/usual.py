"""Words of the record that the kit, the engine and card texts use in every game.

A manifest declares them beside its own words, under labels of its own where it has better ones.
"""

from __future__ import annotations

from domain.record.schema.manifest import REASONS as OFFICIAL
from domain.record.schema.manifest import Word, words

#: What a seat may be asked by setup, the hand limit and card texts.
DECISIONS = words(
    ("turn-order", "first or second"), ("redraw", "redraw or keep"), "discard", "may",
    ("target", "choose"), ("order", "which effect next"), ("arrange", "in which order"),
    ("mode", "which way"), ("declare", "what the text does"),
)  # fmt: skip
#: The parts of their answers.
PARTS = words("target", "discard", "order", ("mode", "way"), ("text", "declaration"))
#: Why cards come, go or are looked at, and why something asked for was not done.
REASONS: tuple[Word, ...] = (
    *words(
        "setup", ("shuffle", "shuffled"), ("draw", "drawn"), "redraw", ("discard", "discarded"),
        ("effect", "by an effect"), ("reveal", "revealed"), ("look", "looked at"), "declined",
        "no target", ("gone", "target gone"), "impossible", ("already", "already so"),
        ("endless", "does not end"), "forbidden", "replaced", ("concede", "conceded"),
        ("both", "both lost"),
    ),
    *OFFICIAL,
)  # fmt: skip
#: What is noted of seats and cards: setup, windows, texts that work once a turn.
MARKS = words(
    ("first", "goes first"), ("redrawn", "has redrawn"), ("passes", "passes in a row"),
    ("priority", "may act"), ("used", "used this turn"),
)  # fmt: skip
#: What is declared, and waits.
DECLARATIONS = words(("declare", "declares a text"), ("replacement", "does something else instead"))
