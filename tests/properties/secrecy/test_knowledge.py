"""Nobody can tell apart two matches that differ only in what he may not know.

The twins are made in `twins`. A test that never fails proves little, so leaks are planted here one
by one, each of them once made by somebody, and the comparison has to find them.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.effects import interpreter
from domain.engine.table import Table
from domain.record import events as ev
from domain.record.decisions import Answer, Offer, act_of
from domain.record.entries import Entry
from domain.record.folding.fold import fold, fold_all
from domain.record.position import Position, seat_of, zone_of
from domain.record.values import EVERYONE, RULES, Sealed
from domain.record.views import OFFICIAL, PUBLIC, position, redact
from tests.playouts import Setup, cuts, play
from tests.properties.secrecy.twins import addressed, difference, noticed, permuted, swapped_in_hand
from tests.properties.strategies import examples, seeds, setups
from tests.support.marks import each

viewers = st.sampled_from([0, 1, PUBLIC])
#: Where a list is laid down that only its owner knows.
LISTED = {"deck", "main", "guard", "additional", "extra"}


@examples(9)
@given(setups(best_of=(1, 1, 1, 3)), viewers, seeds)
def test_what_he_never_saw_leaves_no_trace(setup: Setup, viewer: int, seed: int) -> None:
    """Neither which cards those were, nor where in the hand a card lay."""
    log = play(setup)
    assert difference(log, permuted(setup, log, viewer, Random(seed)), viewer) is None
    twin = swapped_in_hand(setup, log, viewer, Random(seed))
    if twin is not None:
        assert twin.whole
        assert len(twin.log) == len(log)
        assert difference(log, twin, viewer) is None


# -- what a viewer's table shows -------------------------------------------------------------------


@examples(6)
@given(setups(), st.sampled_from([0, 1, PUBLIC]))
def test_a_viewers_table_shows_what_he_learned_and_nothing_else(setup: Setup, viewer: int) -> None:
    """Every face on his table was revealed to him for that card; every revealed one is there."""
    found: dict[int, str] = {}
    seen, whole = Position(), Position()
    for entry in play(setup):
        if isinstance(entry.event, ev.CardsKnown) and addressed(entry.event.cards, viewer):
            found.update(entry.event.cards.value or ())
        fold(whole, entry)
        fold(seen, redact(entry, viewer))
        if isinstance(entry.event, ev.CardsMoved):
            _carry_on(found, entry.event, seen)
        for number, card in seen.cards.items():
            assert card.id in ("", whole.cards[number].id)
            assert card.id == found.get(number, "")
            assert (card.place, card.owner) == (
                whole.cards[number].place,
                whole.cards[number].owner,
            )


def _carry_on(found: dict[int, str], moved: ev.CardsMoved, seen: Position) -> None:
    """Knowledge of a card that could be followed moves with it."""
    for was, now in zip(moved.was.value or (), moved.now.value or (), strict=True):
        if now in seen.cards and was in found and seen.cards[now].id:
            found.setdefault(now, found[was])


@examples(6)
@example(Setup(2660, ("FUSION", "SYNCHRO"), 1, "aimless", True))
@given(setups())
def test_faces_are_known_to_those_who_see_them_there_or_by_a_reveal(setup: Setup) -> None:
    """What twins can't show: whether he was entitled to learn it."""
    p, manifest = Position(), setup.rules.manifest
    for entry in play(setup):
        fold(p, entry)
        if isinstance(entry.event, ev.CardsKnown):
            known, place = entry.event, entry.event.place
            own = 1 << max(seat_of(place), 0)
            ups = {p.cards[number].up for number, _ in known.cards.value or ()}
            allowed = {
                "look": {own},
                "reveal": {EVERYONE},
                "outside": {EVERYONE},
                "setup": {own if zone_of(place) in LISTED else EVERYONE},
            }
            by_zone = {manifest.faces(place, up) for up in ups}
            assert {known.cards.to} == allowed.get(known.why, by_zone), entry
        if isinstance(entry.event, ev.DeckRegistered):
            assert entry.event.cards.to == 1 << entry.event.seat


@examples(6)
@given(setups())
def test_an_official_sees_everything_and_a_seat_its_own_hand(setup: Setup) -> None:
    log = play(setup)
    assert position(log, OFFICIAL) == fold_all(log)
    half = log[: cuts(log)[len(cuts(log)) // 2]]
    p, whole = [position(half, viewer) for viewer in (0, 1)], fold_all(half)
    for seat in (0, 1):
        mine, theirs = p[seat].zone("hand", seat), p[1 - seat].zone("hand", seat)
        assert mine == whole.zone("hand", seat)
        assert all(p[seat].cards[number].id == whole.cards[number].id for number in mine)
        assert theirs == [0] * len(mine)


@pytest.mark.parametrize("viewer", [-3, -99, 2, 17, 10**9])
def test_an_unknown_viewer_sees_nothing(viewer: int) -> None:
    with pytest.raises(ValueError, match="no such viewer"):
        position(play(Setup(1)), viewer)


# -- planted leaks ---------------------------------------------------------------------------------

Plant = Callable[[pytest.MonkeyPatch], None]


def opened(cls: type[ev.Event], field: str) -> Plant:
    """One field of one event is not sealed."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        emit = Table.emit

        def leaky(self: Table, event: Any, *cites: str, by: int = RULES) -> Entry:
            if isinstance(event, cls):
                event = replace(event, **{field: Sealed(EVERYONE, getattr(event, field).value)})
            return emit(self, event, *cites, by=by)

        patch.setattr(Table, "emit", leaky)

    return plant


def auto_pass(patch: pytest.MonkeyPatch) -> None:
    """A seat that can only pass is not asked."""
    ask = Table.ask

    def leaky(self: Table, seat: int, kind: str, asked: Any, *cites: str, **named: Any) -> Any:
        offer = asked if isinstance(asked, Offer) else asked(self)
        if len(offer.options) == 1 and not offer.options[0].parts:
            return act_of(offer, Answer(0))
        return (yield from ask(self, seat, kind, offer, *cites, **named))

    patch.setattr(Table, "ask", leaky)


def skipped_choice(patch: pytest.MonkeyPatch) -> None:
    """A seat that finds nothing among the cards it looked at is not asked."""
    choose = interpreter.choose

    def leaky(t: Table, terms: Any, run: Any, clause: Any, wanted: Any) -> Any:
        if not interpreter.candidates(t, terms, run, clause):
            return []
        return (yield from choose(t, terms, run, clause, wanted))

    patch.setattr(interpreter, "choose", leaky)


def private_note(patch: pytest.MonkeyPatch) -> None:
    """A seat's own note takes an entry, and whether there is one depends on the hand."""
    ask = Table.ask

    def leaky(self: Table, seat: int, kind: str, offer: Offer, *cites: str, **named: Any) -> Any:
        hand = self.pos.zone("hand", seat)
        if len({self.pos.cards[number].id for number in hand}) < len(hand):
            self.show(hand[:1], 1 << seat, "look", *cites)
        return (yield from ask(self, seat, kind, offer, *cites, **named))

    patch.setattr(Table, "ask", leaky)


def kept_number(patch: pytest.MonkeyPatch) -> None:
    """A play is announced with the number that the card has in the hand."""
    open_frame = Table.open_frame

    def leaky(self: Table, kind: str, *cites: str, cause: int = 0, **facts: Any) -> int:
        hand = self.pos.zone("hand", facts.get("seat", 0))
        named = [n for n in hand if self.pos.cards[n].id == facts.get("card")]
        return open_frame(self, kind, *cites, cause=cause, **facts, number=(named or [0])[0])

    patch.setattr(Table, "open_frame", leaky)


LEAKS: dict[str, Plant] = {
    "digests": opened(ev.DecisionOpened, "digest"),
    "options": opened(ev.OptionsOffered, "offer"),
    "answers": opened(ev.DecisionMade, "answer"),
    "old hand numbers": opened(ev.CardsMoved, "was"),
    "the order of a shuffle": opened(ev.ChanceDrawn, "result"),
    "an automatic pass": auto_pass,
    "a skipped choice": skipped_choice,
    "private notes": private_note,
    "a number in a public fact": kept_number,
}


@pytest.mark.parametrize("leak", each(4, LEAKS))
def test_a_planted_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[leak](monkeypatch)
    assert noticed(lambda case: difference(case.log, case.twin, case.viewer), (0, 1, PUBLIC))
