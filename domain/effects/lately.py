"""What has occurred in this turn, as far as texts ask (`Condition.happened`).

It is noted on the match by the word of the occurrence, if some text of the match asks for such a
one (`note`), until the turn is over (`forget`): whom it befell, and the other card in it. What sets
off texts is in the games' kit; which cards a text means is asked of them as they were last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from domain.effects.language.vocabulary import Effect, Group, Happened
from domain.effects.select import Running, Terms, fits, resolved, zones_of
from domain.engine.table import Table
from domain.record.position import Position, seat_of
from domain.record.values import Ref

MATCH, HAPPENED = "match", "happened"
#: What the texts of a match ask for, by the word of the occurrence: the card, and what it asks.
Asked = Mapping[str, Sequence[tuple[str, Happened]]]
_NOTED = Effect(kind="constant", name="noted")


def has_happened(terms: Terms, p: Position, wanted: Happened, run: Running) -> bool:
    """Whether it has, to such a card or player, as a text sees it."""
    own = (run.this, f"seat/{run.seat}")
    return any(
        (befallen in own if wanted.about is None else _of(terms, p, wanted.about, befallen, run))
        and (wanted.against is None or _of(terms, p, wanted.against, against, run))
        for befallen, against in _noted(p, wanted.on)
    )


def _noted(p: Position, on: str) -> Iterator[tuple[Ref, Ref]]:
    for one in str(p.mark(MATCH, f"{HAPPENED}:{on}") or "").split():
        befallen, _, against = one.partition(":")
        yield _ref(befallen), _ref(against)


def _ref(text: str) -> Ref:
    return text if text.startswith("seat/") else int(text)


def _of(terms: Terms, p: Position, group: Group, ref: Ref, run: Running) -> bool:
    """Whether a card, as it is or last was, or a player is of a group."""
    if not isinstance(ref, int):
        return group.whose == "any" or (seat_of(ref) == run.seat) == (group.whose == "yours")
    if group.besides is not None and _of(terms, p, group.besides, ref, run):
        return True
    card = p.cards.get(ref) or p.departed.get(ref)
    if card is None or (group.other and ref == run.this):
        return False
    if group.whose != "any" and (card.controller == run.seat) != (group.whose == "yours"):
        return False
    if group.zone == "this":
        return ref == run.this
    there = [terms.place(zone, card.controller) for zone in zones_of(terms, group)]
    if group.zone and card.place not in there:
        return False
    return fits(terms, p, ref, resolved(terms, p, group.match, run))


def note(
    t: Table, terms: Terms, asked: Asked, on: str, befallen: Ref, against: Ref, *cites: str
) -> None:
    """It has occurred: note that, if some text of the match asks for such a one."""
    p, key = t.pos, f"{HAPPENED}:{on}"
    if not any(_wanted(t, terms, *one, befallen, against) for one in asked.get(on, ())):
        return
    so_far, one = str(p.mark(MATCH, key) or ""), f"{befallen}:{against}"
    if one not in so_far.split():
        t.mark(MATCH, key, f"{so_far} {one}".strip(), *cites)


def _wanted(
    t: Table, terms: Terms, asks: str, wanted: Happened, befallen: Ref, against: Ref
) -> bool:
    """Whether a text asks for it, whoever has that; what lies hidden nobody can ask for."""
    p = t.pos
    for ref in (befallen, against):
        if isinstance(ref, int) and ref and t.manifest.zone(p.card(ref).place).faces != "all":
            return False
    this = befallen if isinstance(befallen, int) else 0
    own = this != 0 and any(ref.startswith(f"{asks}/") for ref, _ in terms.effects(p, this))
    sources = (0, this) if own else (0,)  # a text of another card, or its own
    runs = [Running(0, "", _NOTED, source, seat, 0) for source in sources for seat in p.seats()]
    if wanted.about is None and this and not own:
        return False
    return any(
        (wanted.about is None or _of(terms, p, wanted.about, befallen, run))
        and (wanted.against is None or _of(terms, p, wanted.against, against, run))
        for run in runs
    )


def forget(t: Table, *cites: str) -> None:
    """The turn is over."""
    for key in list(t.pos.marks.get(MATCH, {})):
        if key.startswith(f"{HAPPENED}:"):
            t.mark(MATCH, key, None, *cites)
