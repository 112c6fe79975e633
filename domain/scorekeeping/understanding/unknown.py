"""Explains why a line is no act: its unknown words, and the known ones."""

from __future__ import annotations

from domain.record.position import NOBODY
from domain.scorekeeping.suggestions import fuzzy, suggest, unseen
from domain.scorekeeping.suggestions.suggest import Table
from domain.scorekeeping.understanding.meanings import Line
from domain.telling.names import letter
from domain.text.notation import BadText
from domain.words.phrases import message_of, phrase

#: Words of the notation that name nothing.
LEADS = frozenset({"with", "none", "player", "text", "on", "to"})
#: How many acts of the moment are named.
MOST = 12


def explained(line: Line, bad: BadText | None) -> str:
    """A sentence for a line that is no act: what is not known here; else what `bad` says."""
    t, words = line.t, fuzzy.words(line.text)
    if t.seat == NOBODY or not words:
        return message_of(bad) if bad is not None else ""
    known = ", ".join(_acts(line.asked)[:MOST])
    if not suggest.verbs(t, line.text) and not _names(t, words[0]):
        return phrase("no {word!r} here; there is: {known}", word=words[0], known=known)
    first = 0 if not suggest.verbs(t, line.text) else 1
    missing = [word for word in words[first:] if not _names(t, word)]
    if missing and (bad is None or "may be" not in str(bad)):
        player = t.pos.heading.seats[t.seat] or letter(t.seat)
        sentence = "no {word!r} in {player}'s list, nor on the table"
        return phrase(sentence, word=missing[0], player=player)
    if not suggest.verbs(t, line.text):
        return phrase("type what is done: {known}", known=known)
    return message_of(bad) if bad is not None else phrase("that can't be done here, or later")


def _acts(t: Table) -> list[str]:
    """The possible acts at the open decision."""
    offered = [option.kind for option in t.offer.options] if t.offer is not None else []
    decision = t.pos.decision
    able = t.manifest.answers.get(decision.kind, ()) if decision is not None else ()
    every = dict.fromkeys([*offered, *(able if suggest.UNKNOWN in offered else ())])
    return [kind for kind in every if kind != suggest.UNKNOWN]


def _names(t: Table, word: str) -> bool:
    """Whether a word is part of the name of something that can be meant here."""
    if word in LEADS or word.isdecimal() or "?" in word:
        return True
    words = {zone.name for zone in t.manifest.zones} | {one.name for one in t.manifest.counters}
    words |= {part.name for part in t.manifest.parts}
    names = [*words, *unseen.cards(t.book, t.pos, t.seat).values()]
    names += [t.book.name(card.id) for card in t.pos.cards.values() if card.id]
    return any(fuzzy.score((word,), name) > 0 for name in dict.fromkeys(names))
