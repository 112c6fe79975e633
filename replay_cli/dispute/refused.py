"""Acts that were not legal at a decision, and why: as asked for, and card by card.

Refusals are not recorded, but what forbade an act can be asked of the rules (`Source.why_not`). For
the page each kind of act that the decision can be answered with is asked about with each card of
the player; answers that are the same for all cards, and for no card, tell nothing and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.record.decisions import Act
from domain.record.position import Position
from domain.record.values import Ref
from domain.telling.names import Names, counted, player
from domain.telling.record import Taken
from replay_cli.dispute.model import Asked, NotOffered
from replay_cli.dispute.tables import plain
from replay_cli.reaching.source import Answer, Source, ask

#: How many questions are asked for a page at the most, and what is no answer to one.
MOST = 200
UNSETTLED = "UNSETTLED"


def asked(at: Source, n: int, text: str) -> Asked:
    """An act that somebody asks about, as typed; raises `Failed`."""
    seat, found = ask(at, n, text)
    return Asked(
        n,
        plain(player(seat)),
        text,
        found.allowed,
        found.reason,
        plain(found.text),
        found.rules,
        plain(found.unverified),
    )


def not_offered(at: Source, one: Taken, pos: Position) -> Iterator[NotOffered]:
    """The acts that were not offered at a decision, and why; equal answers are joined."""
    groups: dict[tuple[str, Answer], list[Ref]] = {}
    for kind, card, answer in _questions(at, one, pos):
        groups.setdefault((kind, answer), []).append(card)
    names = Names(at.book, pos)
    for (kind, answer), some in groups.items():
        cards = plain(counted(names.ref(card, apart=True) for card in some))
        yield NotOffered(kind, cards, answer.reason, plain(answer.text), answer.rules)


def _questions(at: Source, one: Taken, pos: Position) -> Iterator[tuple[str, Ref, Answer]]:
    """Each kind of act with each card for which something of its own forbids it."""
    manifest = at.book.manifest
    offered = {(option.kind, option.card) for option in one.offer.options} if one.offer else set()
    kinds = [k for k in manifest.answers.get(one.kind, ()) if k not in manifest.passes]
    cards = [*_cards(at, one.seat, pos)]
    if len(kinds) * (len(cards) + 2) > MOST:
        return
    for kind in kinds:
        alike = [at.why_not(one.n, one.seat, Act(kind, ref)) for ref in (0, f"seat/{one.seat}")]
        if alike[0].allowed:  # it is done without a card
            continue
        for card in cards:
            answer = at.why_not(one.n, one.seat, Act(kind, card))
            settled = not answer.allowed and answer.reason != UNSETTLED
            if settled and (kind, card) not in offered and answer not in alike:
                yield kind, card, answer


def _cards(at: Source, seat: int, pos: Position) -> Iterator[int]:
    """The cards that a player may act with, as far as the reader sees them: hand and table."""
    for zone in at.book.manifest.zones:
        if not zone.shared and zone.style in ("cards", "passing"):
            yield from (n for n in pos.zone(zone.name, seat) if n and pos.cards[n].id)
