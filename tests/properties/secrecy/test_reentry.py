"""The public's stream of a dealt match, entered at a real table, gives the same public stream.

The scorekeeper here has nothing but the public's entries. An act whose cards he couldn't see is
entered with any unknown card of the place they came from; which card it is, he says once it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Any, TypeGuard

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match
from domain.engine.naming import Misstated
from domain.engine.signals import Need
from domain.games import names as games
from domain.record.decisions import SECRET, Act, Offer, act_of
from domain.record.entries import Entry
from domain.record.events import (
    ActDeclared,
    CardsKnown,
    CardsMoved,
    CardsOrdered,
    ChanceDrawn,
    DecisionMade,
    EffectTriggered,
    FrameOpened,
    Interjected,
    OptionsOffered,
)
from domain.record.folding.fold import fold
from domain.record.position import Position
from domain.record.values import EVERYONE, Ref, Sealed
from replay_cli.playing.fuzz.tables import Scorekeeper, at_table, no_dice, public
from tests import playouts
from tests.properties.strategies import examples, some


class KnownAlready(Exception):
    """A card was entered for one that lies beside it and is known to be what was seen."""

    def __init__(self, entered: int, known: int) -> None:
        super().__init__()
        self.cards = {entered: known}


class Spectator:
    """Turns public entries into what a scorekeeper enters."""

    def __init__(self, p: Position, entries: Sequence[Entry], later: Sequence[Entry] = ()) -> None:
        """`entries` are one command's: the answer, and all that followed from it; then `later`."""
        self.p, self.entries, self.later = p, entries, later
        self.ids = {number: card.id for number, card in p.cards.items()}  # before it is entered
        offers = p.decision.offers.values() if p.decision is not None else ()
        self.offered = {
            ref
            for offer in offers
            if offer is not None
            for refs in (*offer.pools, tuple(option.card for option in offer.options))
            for ref in refs
        }
        self.instead: dict[int, int] = {}  # cards to enter in the place of others
        self.others: dict[int, int] = {}  # those that were not entered, and may be meant
        self.followed: dict[int, str] = {}  # cards whose numbers all can follow
        self.declared, self.texts = _declared(entries)
        #: cards that came from hidden places, in order: by number if they were shown there, else 0
        self.shown: dict[str, list[tuple[int, str]]] = {}
        for move, known in pairwise(entry.event for entry in entries):
            if isinstance(known, CardsKnown) and known.cards.value:
                self._see(move, known)

    def _see(self, before: object, known: CardsKnown) -> None:
        pairs = known.cards.value or ()
        ids = [identity for _, identity in pairs]
        self.followed |= dict(pairs)
        if isinstance(before, CardsMoved) and before.dst == known.place:
            if before.was.value:
                self.followed |= dict(zip(before.was.value, ids, strict=True))
            else:
                self.shown.setdefault(before.src, []).extend((0, identity) for identity in ids)
        else:
            self.shown.setdefault(known.place, []).extend(pairs)

    def act(self, public: Act) -> Act:
        """The act, with a card for every place that it names."""
        taken: list[int] = []
        picked = [ref for picks in public.picks for ref in picks]
        card = public.card
        if _is_place(card):
            card = self._acting(card, picked.count(card), taken)
        picks = tuple(tuple(self._card(ref, taken) for ref in picked) for picked in public.picks)
        picks = self._with_secrets(public.kind, picks)
        of = self.followed.get(card, "") if card != public.card else ""  # type: ignore[arg-type]
        text = next((text for text in self.texts if text.startswith(f"{of}/")), "") if of else ""
        return Act(public.kind, card, picks, public.effect or text)

    def _with_secrets(self, kind: str, picks: tuple[tuple[Ref, ...], ...]) -> tuple[Any, ...]:
        """Hidden facts are not entered."""
        offers = self.p.decision.offers.values() if self.p.decision is not None else ()
        options = [one for offer in offers if offer for one in offer.options if one.kind == kind]
        secret = [part.pool == SECRET for part in options[0].parts] if options else []
        return tuple(
            ("",) if hidden else picked
            for picked, hidden in zip_longest(picks, secret[: len(picks)], fillvalue=False)
        )

    def _acting(self, place: str, besides: int, taken: list[int]) -> int:
        """The card that acts, which is declared or shown first; `besides` others are picked."""
        shown = self.shown.get(place, [])
        if not self.declared:
            return self._take(place, shown.pop(0) if shown else (0, ""), taken)
        same = [one for one in shown if one[1] == self.declared]
        if same and len(shown) > besides:
            shown.remove(same[0])
            return self._take(place, same[0], taken)
        return self._take(place, (0, self.declared), taken)

    def _card(self, ref: Ref, taken: list[int]) -> Ref:
        if not _is_place(ref):
            return ref
        if not self.p.zone(ref):
            return ref  # what is picked there is no card
        shown = self.shown.get(ref, [])
        repeated = [n for n in taken if self.p.card(n).place == ref]
        if ref in self.shown and not shown and repeated:
            return repeated[0]  # more was picked than was seen: something twice
        declared = self.declared if not taken else ""
        return self._take(ref, shown.pop(0) if shown else (0, declared), taken)

    def _take(self, place: str, shown: tuple[int, str], taken: list[int]) -> int:
        """The card of a place that was shown, or one that may be it."""
        number, wanted = shown
        if not number:
            lying = [n for n in self.p.zone(place) if self.p.cards[n].follow != EVERYONE]
            free = [n for n in lying if n not in taken] or lying
            same = [n for n in free if wanted and self.p.cards[n].id == wanted]
            free = [n for n in free if n in self.offered] or free
            known = [n for n in same if n in free]
            unknown = [n for n in free if not self.p.cards[n].id]
            number = (known or unknown or free)[0]
            if same and number not in same:  # none of these was offered, as far as visible
                self.others[number] = same[0]
            number = self.instead.get(number, number)
        if wanted:
            self.followed[number] = wanted
        taken.append(number)
        return number

    def name(self, need: Need) -> str:
        """Which card it was, as everybody saw."""
        if need.number not in self.followed:
            shown = self.shown.get(need.place) or Spectator(self.p, self.later).shown[need.place]
            seen = shown.pop(0)[1]  # maybe it was shown by a later command
            for aside in self.p.zone(need.place) if need.number in self.ids else ():
                if self.ids[aside] == seen and self.p.cards[aside].follow != EVERYONE:
                    raise KnownAlready(need.number, aside)
            self.followed[need.number] = seen
        return self.followed[need.number]

    def fallen(self) -> list[Entry]:
        """The command's entries, with an order in which cards may have been drawn unseen.

        What was shown of them comes first.
        """
        found = list(self.entries)
        for at, entry in enumerate(found):
            drawn, after = entry.event, [one.event for one in found[at:]]
            if isinstance(drawn, ChanceDrawn) and drawn.kind == "order" and not drawn.result.value:
                move, known = next(
                    (move, known)
                    for move, known in pairwise(after)
                    if isinstance(move, CardsMoved) and isinstance(known, CardsKnown)
                )
                lying = self.p.zone(move.src)
                taken: list[int] = []
                for _, identity in known.cards.value or ():
                    self._take(move.src, (0, identity), taken)
                order = (*taken, *(n for n in lying if n not in taken))
                result = Sealed(drawn.result.to, tuple(map(lying.index, order)))
                found[at] = replace(entry, event=replace(drawn, result=result))
        return found


def _is_place(ref: Ref) -> TypeGuard[str]:
    return isinstance(ref, str) and "/" in ref and not ref.startswith("seat/")


def _declared(entries: Sequence[Entry]) -> tuple[str, list[str]]:
    """The card that was declared, which may be laid down later, and the texts that were."""
    card, texts = "", list[str]()
    for entry in entries:
        event = entry.event
        if isinstance(event, FrameOpened) and isinstance(found := event.facts.get("card"), str):
            card = card or found
            texts += [cite[5:] for cite in entry.cites if cite.startswith("card:")]
        elif isinstance(event, ActDeclared):
            texts.append(event.effect)
    triggered = {e.event.effect for e in entries if isinstance(e.event, EffectTriggered)}
    return card, [text for text in texts if text not in triggered]


def commands(seen: Sequence[Entry]) -> Iterator[list[Entry]]:
    """The entries of each command: one that a seat gave, and what followed from it."""
    command: list[Entry] = []
    for entry in seen:
        if entry.by >= 0:
            if command:
                yield command
            command = [entry]
        elif command:
            command.append(entry)
    if command:
        yield command


def entered(
    match: Match, inputs: object, entry: Entry, act: Act, order: CardsOrdered | None
) -> None:
    """Enter what a seat did."""
    event = entry.event
    if isinstance(event, DecisionMade):
        match.choose(event.seat, event.n, act, entry.time, origin=event.origin, inputs=inputs)  # type: ignore[arg-type]
        return
    assert isinstance(event, Interjected)
    picks: tuple[Ref, ...] = ()
    if order is not None:
        picks = order.order.value or tuple(match.pos.zone(order.place))
    match.interject(event.seat, event.kind, entry.time, event.about, picks, inputs=inputs)  # type: ignore[arg-type]


def enter(keeper: Scorekeeper, spectator: Spectator, offer: Sealed[Offer] | None) -> list[Entry]:
    """Enter a command as the spectator understands it; what it added."""
    command, act = spectator.entries, Act("")
    made = command[0].event
    if isinstance(made, DecisionMade):
        if made.answer.value is not None:
            assert offer is not None
            assert offer.value is not None
            act = act_of(offer.value, made.answer.value)
        else:
            assert made.act is not None
            act = spectator.act(made.act)
    order = next((e.event for e in command if isinstance(e.event, CardsOrdered)), None)
    return keeper.enter(
        lambda match, inputs: entered(match, inputs, command[0], act, order),
        spectator.fallen(),
        spectator.name,
    )


@pytest.mark.parametrize("game", some(2, games()))
@examples(6)
@given(seed=st.integers(0, 10_000))
def test_the_public_stream_is_the_same(game: str, seed: int) -> None:
    setup = playouts.setup_of(seed, restless=seed % 3 == 0, game=game)
    log = playouts.play(setup)
    seen = public(log)
    opened = next(at for at, entry in enumerate(seen) if entry.by >= 0)
    keeper = Scorekeeper(at_table(setup.rules, playouts.opening(setup), seen[:opened]))
    offer = None
    assert public(keeper.log) == seen[:opened]
    for command in commands(seen):
        for entry in keeper.log[-2:]:
            if isinstance(entry.event, OptionsOffered):
                offer = entry.event.offer
        later = seen[seen.index(command[-1]) + 1 :]
        instead: dict[int, int] = {}
        while True:
            spectator = Spectator(keeper.match.pos, command, later)
            spectator.instead = instead
            try:
                added = enter(keeper, spectator, offer)
            except (KnownAlready, Misstated) as wrong:
                others = getattr(wrong, "cards", spectator.others)
                if not others or instead.keys() & others.keys():
                    raise  # that was tried already
                instead |= others
                keeper.match = Match.resume(setup.rules, keeper.log, no_dice)
            else:
                break
        assert public(added) == command
    assert public(keeper.log) == seen
    assert verify(keeper.log, setup.rules).kind == EXACT
    shown = Position()
    for entry in seen:
        fold(shown, entry)
    known = {n for n, card in keeper.match.pos.cards.items() if card.id}
    assert known < {*keeper.match.pos.cards} or known == {*shown.cards}, "as much as was shown"
