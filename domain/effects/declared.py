"""Texts declared beside any decision: what a card does of which only the figures are known.

A text of the catalogue that its clauses can't express is declared when it is reached (`interpreter`
asks for it). A card that a match brought with its printed figures, or that a catalogue lists by
them alone, has no texts to be reached: when one of them happens, its controller says what it does,
in the same vocabulary, as an open act. It is carried out then and there, under the same rules, and
the open decision is asked again. At a real table that goes for any card: what lies there may say
more than its data.

What has to be done first (a card rested, another trashed) is declared as clauses too. Whether it
was right is for a judge: he may rule on it, or take it back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import msgspec

from domain.effects.interpreter import carry_out, searched
from domain.effects.language.vocabulary import Clause, Effect, every
from domain.effects.select import Running, Terms
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.record.decisions import Act
from domain.record.position import UNKNOWN, Position
from domain.record.schema.manifest import Zone
from domain.record.values import EVERYONE, Ref
from domain.words.phrases import Phrase, phrase

#: What a declared text counts as, of any kind.
DECLARED = Effect(kind="activated", name="declared")
RULE = "house:declared"


def open_acts(p: Position, seat: int, unread: frozenset[str] = frozenset()) -> list[Act]:
    """The cards whose text a seat may declare: those brought bare; at a real table any.

    `unread` are those that a catalogue lists by their figures alone.
    """
    lacking = _lacking(p.heading.prints, unread)
    if p.decision is not None and p.decision.kind == "declare":
        return []  # a text was reached, and is declared first
    if not lacking and p.heading.mode != "table":
        return []
    bare = {number for number, card in p.cards.items() if card.id in lacking}
    some = p.cards if p.heading.mode == "table" else bare
    mine = [number for number in some if not objection(p, seat, number, unread)]
    acts = [Act("declare", number) for number in mine if number in bare]
    return acts or [Act("declare")] if mine else []


def objection(p: Position, seat: int, number: Ref, unread: frozenset[str] = frozenset()) -> str:
    """Why a seat may not declare what a card does; empty if it may."""
    card = p.cards.get(number) if isinstance(number, int) else None
    if card is None or card.seen != EVERYONE or card.id in ("", UNKNOWN):
        return phrase("only a card that all can see has its text declared")
    if card.controller != seat:
        return phrase("its controller declares what it does")
    if p.heading.mode != "table" and card.id not in _lacking(p.heading.prints, unread):
        return phrase("its text is known; nothing is to be declared")
    return ""


@lru_cache(maxsize=64)
def _lacking(prints: tuple[str, ...], unread: frozenset[str]) -> frozenset[str]:
    """The cards of a match without their texts: of those it brings, what they come with counts."""
    brought = {str(one["id"]): bool(one.get("effect")) for one in map(msgspec.json.decode, prints)}
    bare = {id_ for id_, texts in brought.items() if not texts}
    return (unread - brought.keys()) | bare


def declare(
    t: Table,
    terms: Terms,
    seat: int,
    number: int,
    text: str,
    follow: Callable[[Table], Play],
) -> Play:
    """Carry a declared text out, and what it sets off (`follow`); the open decision comes again."""
    cite = f"card:{t.pos.cards[number].id}"
    act = t.declare("declare", number, seat, RULE, cite)
    run = Running(act, t.pos.cards[number].id, DECLARED, number, seat, 0)
    t.resolve(act, RULE, cite)
    done = yield from carry_out(t, terms, run, t.game.words.clauses(text))
    t.end_act(act, "resolved" if done else "void", RULE, cite)
    yield from follow(t)
    return True


def probing(clauses: Sequence[Clause], zones: Mapping[str, Zone]) -> Phrase | None:
    """The part of a declared text that depends on hidden cards; None if there is none.

    He may choose from a deck of his own: he looks at it first.
    """
    for clause in every(clauses):
        groups = [clause.to, clause.against, *(one.count for one in clause.when)]
        wanted = clause.choose.of if clause.choose is not None else None
        for group in (*groups, wanted):
            zone = zones.get(group.zone) if group is not None and group.match else None
            if group is None or zone is None or zone.faces == "all":
                continue
            if group.whose != "yours":
                return phrase(
                    "{do}: only their player knows which cards of his {name} fit",
                    do=clause.do,
                    name=zone.name,
                )
            if zone.faces == "none" and not (group is wanted and searched(zone)):
                return phrase(
                    "{do}: it is not known which cards of his {name} fit",
                    do=clause.do,
                    name=zone.name,
                )
    return None


def text_of(picks: Sequence[Sequence[Ref]]) -> str:
    """The text among the picks of an act; may be empty."""
    return str(picks[0][0]) if picks and picks[0] else ""
