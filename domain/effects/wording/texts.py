"""A card's texts as sentences: when each works, what it costs, what it does."""

from __future__ import annotations

from collections.abc import Iterable

from domain.effects.language.vocabulary import Effect
from domain.effects.wording import clauses, groups
from domain.effects.wording.phrasebook import Words
from domain.words.phrases import Phrase, capital, filled, joined, phrase

_LEADS = {
    "triggered": phrase("when {what}"),
    "replacement": phrase("instead, when {what}"),
    "constant": phrase("each time that {what}"),
    "activated": phrase("as an answer when {what}"),
    "command": phrase("as an answer when {what}"),
}


def sentence(w: Words, effect: Effect) -> Phrase:
    """An effect, as one sentence."""
    lead = [part for part in _lead(w, effect) if part]
    what = clauses.sentence(w, effect.do) if effect.do else phrase("its player says what it does")
    if effect.may:
        what = phrase("you may: {what}", what=what)
    if effect.cost:
        paid = groups.every(clauses.cost(w, one) for one in effect.cost)
        what = phrase("{cost} → {what}", cost=paid, what=what)
    if lead:
        what = phrase("{when}: {what}", when=joined(phrase(", "), lead), what=what)
    return phrase("{sentence}.", sentence=capital(what))


def _lead(w: Words, effect: Effect) -> Iterable[str]:
    """When an effect works."""
    if effect.kind == "play":
        yield phrase("as it is played")
    if effect.at:
        yield groups.either(w.of("timings", one) for one in effect.at)
    if effect.on:
        what = groups.occurrence(w, effect.on, effect.about, effect.against)
        yield filled(_LEADS[effect.kind], what=what)
    if effect.zone == "anywhere":
        yield phrase("wherever it lies")
    elif effect.zone == "lent":
        yield phrase("given to a card")
    elif effect.zone:
        yield phrase("from the {zone}", zone=w.zone(effect.zone))
    yield from _asked(w, effect)
    if effect.limit:
        yield w.of("limits", effect.limit)
    yield from (text for field, text in _FLAGS.items() if getattr(effect, field))


def _asked(w: Words, effect: Effect) -> Iterable[str]:
    """What must hold for it to work: its pairing, its conditions."""
    if effect.linked:
        yield phrase("while it is linked")
    if effect.paired:
        what = groups.is_so(w, phrase("the card paired with it"), effect.paired)
        yield phrase("if {what}", what=what)
    elif effect.paired is not None:
        yield phrase("while it is paired")
    if effect.when:
        while_ = phrase("while {what}") if effect.kind == "constant" else phrase("if {what}")
        yield filled(while_, what=groups.conditions(w, effect.when))
    if effect.provided:
        what = groups.conditions(w, effect.provided)
        yield phrase("which does nothing unless {what}", what=what)


#: What else an effect says of how it is used, by field.
_FLAGS = {
    "counts": phrase("not counting negated activations"),
    "misses": phrase("unless anything else has happened since"),
    "by": phrase("by either player"),
    "own": phrase("by its own player, with any host"),
}
