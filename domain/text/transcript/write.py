"""Writes a transcript: a viewer's record as tags and rows.

It folds the viewer's entries and needs no rules, only a game's words and the names of its cards. An
official's transcript has what the people at the table knew between them, not the order of decks: so
a real table is written like a dealt one, and `read` can record it again.

Acts are in the notation. Where the viewer sees of an act only that a card came from a hand, and it
was turned up in consequence, the act is written with the card's name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, groupby, starmap
from typing import Any

from msgspec.structs import replace

from domain.engine.rulebook import Rulebook
from domain.record import events as ev
from domain.record.decisions import Act, Offer, Option, act_of, spread
from domain.record.entries import AnyEvent, Entry, active
from domain.record.folding.fold import fold, fold_all
from domain.record.interventions import Rewound, SeedCommitted, SeedGiven
from domain.record.position import UNKNOWN, Position, seat_letter
from domain.record.values import BY_OFFICIAL, EVERYONE, OFFICIALS, Ref, Sealed
from domain.record.views import OFFICIAL, PUBLIC
from domain.text import notation
from domain.text.notation import TEXT_LEAD, Names
from domain.text.picks import NONE
from domain.text.transcript import acts, officials, tags
from domain.text.transcript.commands import (
    commands,
    declared,
    ends_at,
    followed,
    is_official,
    rolls,
    shown,
    sources,
)
from domain.text.transcript.lines import ANSWER, ASIDE, OPEN, Note, Row, Shown, Statement, Tag, text

#: The origin of an act against the rules, which an official has recorded.
IRREGULAR = "official"


def write(entries: Iterable[Entry], rules: Rulebook) -> str:
    """The transcript of a record, whole or as one viewer sees it (`viewer_of`)."""
    return text(statements(list(entries), rules))


def statements(entries: Sequence[Entry], rules: Rulebook) -> list[Statement]:
    """The tags, rows and comments of a record."""
    writer = _Writer(entries, rules)
    every = list(commands(entries))
    rests = (every[at:] for at in range(len(every)))
    body = [row for command, *later in rests for row in writer.statements(command, later)]
    opened = entries[0].event
    origin = None
    if isinstance(opened, ev.MatchOpened):
        origin, writer.p.heading.prints = opened.origin, opened.prints
    for entry in reversed(entries):  # the lists as they were handed in first
        if isinstance(deck := entry.event, ev.DeckRegistered):
            writer.p.heading.decks[deck.seat] = (deck.name, deck.cards.value)
    head: list[Tag] = tags.written(writer.p, writer.viewer, origin)
    return [*head, *body]


def viewer_of(entries: Iterable[Entry]) -> int:
    """The viewer of these entries: found by whose lists are in them."""
    listed = {
        entry.event.seat
        for entry in entries
        if isinstance(entry.event, ev.DeckRegistered) and entry.event.cards.value is not None
    }
    return PUBLIC if not listed else OFFICIAL if len(listed) > 1 else listed.pop()


def known_at_table(entry: Entry) -> Entry:
    """The entry without what nobody at the table could know: the order of decks."""
    event = entry.event
    if isinstance(event, ev.CardsKnown) and event.cards.to == OFFICIALS and event.cards.value:
        pairs = tuple((number, "") for number, _ in event.cards.value)
        return replace(entry, event=replace(event, cards=Sealed(OFFICIALS, pairs)))
    if isinstance(event, ev.CardsOrdered) and event.base and event.order.value:
        return replace(entry, event=replace(event, order=Sealed(event.order.to, ())))
    return entry


def within(command: Sequence[Entry], later: Sequence[Sequence[Entry]]) -> list[Entry]:
    """A command's entries, and those of the choices that came up before it was over."""
    found = list(command)
    for more in later:
        opened = [entry.event for entry in found if isinstance(entry.event, ev.DecisionOpened)]
        first = more[0].event
        if isinstance(first, ev.Interjected):
            found += more
            continue
        asked = isinstance(first, ev.DecisionMade) and opened and opened[-1].n == first.n
        if not asked or opened[-1].rest:
            break
        found += more
    return found


def _revealed_from(place: Ref, entries: Sequence[Entry]) -> list[tuple[int, str]]:
    """The cards of a place that were turned up in the course of these entries."""
    came = sources(entries)
    return [(number, card) for number, _, card in shown(entries) if came[number] == place]


def _laid_out(place: Ref, entries: Iterable[Entry]) -> tuple[Ref, ...]:
    """The cards of a place in the order that they were seen to be brought into; () if in none."""
    for entry in entries:
        match entry.event:
            case ev.CardsOrdered(place=where, base=0, order=order) if where == place:
                return order.value or ()
    return ()


class _Writer:
    """Writes commands one after the other; `p` is the position after those that were written."""

    def __init__(self, entries: Sequence[Entry], rules: Rulebook) -> None:
        self.rules, self.viewer = rules, viewer_of(entries)
        zones = [zone for zone in rules.manifest.zones if "owner" in (zone.faces, zone.follow)]
        self.apart = "zone" if len(zones) > 1 else "name"  # they may lie in several zones
        self.p = Position()
        self.line = {entry.seq for entry in active(entries)}
        self.log: list[Entry] = []

    @property
    def cards(self) -> Mapping[str, Any]:
        """The cards of the match, with those that it has brought by now."""
        return self.rules.known(self.p.heading.prints)

    def statements(
        self, command: Sequence[Entry], later: Sequence[Sequence[Entry]]
    ) -> Iterator[Statement]:
        """The lines of a command: its row, and its consequences as comments."""
        first = command[0]
        event = first.event
        gone = first.seq not in self.line
        if isinstance(event, ev.DecisionMade):
            yield replace(self._answer(command, event, later), gone=gone)
        elif isinstance(event, ev.Interjected):
            yield replace(self._interjection(command, event), gone=gone)
        elif isinstance(event, ev.MatchOpened):
            yield Row(OPEN, text="open", rolls=tuple(rolls(command)), shown=self._shown(command))
        elif isinstance(event, SeedCommitted | SeedGiven):  # chance falls again where it is read
            begun = {"shown": self._shown(command), "rolls": tuple(rolls(command)), "gone": gone}
            for row in officials.begun(command):
                yield replace(row, **begun)
                begun = {"gone": gone}
        elif isinstance(event, Rewound):
            self._fold(command)
            yield officials.rewound(first, event, self.p)
            return
        else:
            end = officials.end(command) if is_official(event) else 1
            rows = officials.rows(command[:end], self.p)
            more = {"shown": self._shown(command[end:]), "rolls": tuple(rolls(command[end:]))}
            yield replace(rows[0], gone=gone, **more)
            yield from (replace(row, gone=gone) for row in rows[1:])
        yield from self._fold(command)

    def _fold(self, command: Sequence[Entry]) -> list[Note]:
        """Fold a command; what followed, for people."""
        notes: list[Note] = []
        for entry in map(known_at_table, command):
            self.log.append(entry)
            if isinstance(entry.event, Rewound):
                self.p = fold_all(active(self.log))
                continue
            fold(self.p, entry)
            if text := self._note(entry.event):
                notes.append(Note(text))
        return notes

    # -- acts ------------------------------------------------------------------------------------

    def _answer(
        self, command: Sequence[Entry], made: ev.DecisionMade, later: Sequence[Sequence[Entry]]
    ) -> Row:
        entry, decision = command[0], self.p.decision
        stated = made.stated.value
        offer = decision.offers.get(made.seat) if decision is not None else None
        if stated is not None and stated.offer is not None:
            offer = stated.offer
        answer = made.answer.value if self._readable(made, offer) else None
        act = act_of(offer, answer) if answer is not None and offer is not None else None
        left_out: set[int] = set()
        if made.origin == IRREGULAR:
            text = acts.exact(act or made.act or Act(UNKNOWN))
        elif act is not None and offer is not None:
            with _named(self.p, stated.names if stated is not None else ()):
                plain = self._alike(act, offer)
                text = notation.write(
                    plain, self.p, self.rules, made.seat, offer, self.apart, self._unsure()
                )
                option = offer.options[answer.option] if answer is not None else None
                left_out = self.named_by(self._written(act, plain, option, offer), command)
        else:
            with _named(self.p, ()):
                text, left_out = self._seen_in_part(made, command, within(command, later))
        clock = self.p.clocks.get(f"seat/{made.seat}")
        left = None
        if clock is not None and clock.running:
            left = clock.left + self.p.heading.policy.clocks.increment - made.ms
        return Row(
            ANSWER, made.n, made.seat, text, entry.time, made.ms, left,
            "" if made.origin == "seat" else made.origin,
            self._shown(command, left_out), tuple(rolls(command)),
        )  # fmt: skip

    def _readable(self, made: ev.DecisionMade, offer: Offer | None) -> bool:
        """Whether the viewer knows to which offer an answer was given.

        At a real table cards may have been named for officials alone, and more was open then.
        """
        seen = self.viewer == OFFICIAL or made.stated.opens_to(1 << made.seat)
        if seen or offer is None:
            return seen
        refs = [*(option.card for option in offer.options), *chain(*offer.pools)]
        return not any(card is not None and not card[0] for card in map(self._hidden, refs))

    def _interjection(self, command: Sequence[Entry], event: ev.Interjected) -> Row:
        """An act beside a decision. The order of a hand is private."""
        picks = event.picks.value or _laid_out(event.about, command)
        words = [pick for pick in picks if isinstance(pick, str) and not self.is_place(pick)]
        if words or (isinstance(event.about, str) and any(map(self._hidden, picks))):
            picks = ()
        act = Act(event.kind, event.about, (picks,) if picks else ())
        names = event.stated.value.names if event.stated.value is not None else ()
        with _named(self.p, names):
            text = notation.write(act, self.p, self.rules, event.seat, None, self.apart)
        text = TEXT_LEAD.join([text, *words])
        if command[0].by == BY_OFFICIAL:
            stated = event.stated.value
            offer = stated.offer if stated is not None else None
            text = acts.exact(spread(offer, event.picks.value or ()) if offer is not None else act)
        decision = self.p.decision
        return Row(
            ASIDE,
            decision.n if decision is not None else 0,
            event.seat,
            text,
            command[0].time,
            origin=IRREGULAR if command[0].by == BY_OFFICIAL else "",
            shown=self._shown(command),
            rolls=tuple(rolls(command)),
        )

    def _written(self, act: Act, plain: Act, option: Option | None, offer: Offer) -> Act:
        """An act without the picks of which its text says nothing."""
        if option is None:
            return act
        unwritten = notation.left_out(plain, option, offer, self.rules, self._unsure())
        picks = ((() if at in unwritten else one) for at, one in enumerate(act.picks))
        return replace(act, picks=tuple(picks))

    def _unsure(self) -> set[int]:
        """The cards of which another may be the usual pick where a record knows few of them."""
        follow = self.rules.manifest.follow
        cards = self.p.cards.items()
        return {number for number, card in cards if follow(card.place, card.up) != EVERYONE}

    def _alike(self, act: Act, offer: Offer) -> Act:
        """The act with the first hidden cards of each name: which of them it was is not written."""
        options = [o for o in offer.options if (o.kind, o.effect) == (act.kind, act.effect)]
        card = self._firsts((act.card,), [o.card for o in options])[0]
        option = next((o for o in options if o.card == card), None)
        parts = option.parts if option is not None else ()
        pools = [offer.pools[part.pool] if part.pool >= 0 else () for part in parts]
        picks = tuple(starmap(self._firsts, zip(act.picks, pools, strict=False)))
        return replace(act, card=card, picks=picks)

    def _firsts(self, refs: tuple[Ref, ...], scope: Sequence[Ref]) -> tuple[Ref, ...]:
        found: list[Ref] = []
        for ref in refs:
            kind = self._hidden(ref)
            alike = (r for r in scope if kind and r not in found and self._hidden(r) == kind)
            found.append(next(alike, ref))
        return tuple(found)

    def _hidden(self, ref: Ref) -> tuple[str, str] | None:
        """The identity and place of a card that not all can follow; None for anything else."""
        card = self.p.cards.get(ref) if isinstance(ref, int) else None
        return (card.id, card.place) if card is not None and card.follow != EVERYONE else None

    def named_by(self, act: Act, command: Sequence[Entry]) -> set[int]:
        """The numbers of the cards that an act names, even after they changed."""
        numbers = followed(command)
        refs = [act.card, *(ref for picked in act.picks for ref in picked)]
        return {n for ref in refs if self._is_named(ref) for n in ends_at(numbers, ref)}

    def _is_named(self, ref: Ref) -> bool:
        return isinstance(ref, int) and ref in self.p.cards and bool(self.p.cards[ref].id)

    def _seen_in_part(
        self, made: ev.DecisionMade, command: Sequence[Entry], whole: Sequence[Entry]
    ) -> tuple[str, set[int]]:
        """An act of which the viewer sees only what all see: hidden cards by where they lay.

        Its picks stand in order, without the names of their parts. A card that was turned up in
        consequence is called by its name, even if a choice came in between.
        """
        if made.act is None:
            return UNKNOWN, set()
        act = made.act
        names = _PartNames(self, made, act, command, whole)
        acts_on = act.card and notation.what_follows(act.kind, self.rules) == "card"
        effect = (act.effect or self._came_to(act, command)).rpartition("/")[2] if acts_on else ""
        words = [act.kind.replace("-", " "), names.name(act.card) if acts_on else "", effect]
        lists = (", ".join(map(names.name, picked)) or NONE for picked in act.picks)
        text = " ".join(filter(None, [*words, *(f"/ {listed}" for listed in lists)]))
        return text, names.used

    def _came_to(self, act: Act, command: Sequence[Entry]) -> str:
        """Which effect it was that a hidden card was used for, if it has several of that kind."""
        events = (e.event for e in command if self.is_place(act.card))
        for event in events:
            if isinstance(event, ev.ActDeclared) and event.kind == act.kind:
                effects = getattr(self.cards.get(event.effect.rpartition("/")[0]), "effects", ())
                kinds = {e.name: e.kind for e in effects}
                kind = kinds.get(event.effect.rpartition("/")[2])
                return event.effect if list(kinds.values()).count(kind or "") > 1 else ""
        return ""

    def is_place(self, ref: Ref) -> bool:
        """Whether this stands for a hidden card of a place."""
        return isinstance(ref, str) and ref in self.p.zones

    # -- what followed ---------------------------------------------------------------------------

    def _shown(self, command: Sequence[Entry], left_out: Iterable[int] = ()) -> tuple[Shown, ...]:
        hidden = set(left_out)
        up = [
            (place, identity) for number, place, identity in shown(command) if number not in hidden
        ]
        return tuple(
            Shown(place, tuple(self._card(identity) for _, identity in group))
            for place, group in groupby(up, lambda pair: pair[0])
        )

    def _card(self, identity: str) -> str:
        known = self.cards.get(identity)
        if known is None:
            return UNKNOWN if not identity or identity == UNKNOWN else identity
        name = f'"{known.name}"' if "," in known.name else known.name
        return f"{name} ({identity})"

    def _note(self, event: AnyEvent) -> str:
        """The comments that people need between the acts."""
        label = self.rules.manifest.label
        match event:
            case ev.GameBegan(n=n):
                return f"game {n}"
            case ev.TurnBegan(n=n, seat=seat):
                return f"turn {n}, {seat_letter(seat)}"
            case ev.DamageDealt(source=source, to=to, n=n):
                return f"    {self._called(source)} deals {n} damage to {self._called(to)}"
            case ev.DepartureBegan(cards=cards, cause=cause):
                named = ", ".join(map(self._called, cards))
                return f"    {named}: {label('reasons', cause)}"
            case ev.SeatLost(seats=seats, why=why):
                who = " and ".join(map(seat_letter, seats))
                return f"    {who} lost: {label('reasons', why)}"
            case _:
                return ""

    def _called(self, ref: Ref) -> str:
        card = self.p.cards.get(ref) if isinstance(ref, int) else None
        if card is not None:
            public = card.seen == EVERYONE and card.id in self.cards
            return self.cards[card.id].name if public else UNKNOWN
        if isinstance(ref, str) and ref.startswith("seat/"):
            return f"player {seat_letter(int(ref[5:]))}"
        return str(ref) if isinstance(ref, str) else UNKNOWN


class _PartNames:
    """Names the cards of an act that the viewer knows in part, in the order of its text.

    A card that was hidden stands in the act as its place (`hand/0`). It is called by its name if it
    was declared or turned up in consequence: `used` are the numbers of cards that were named, so
    that none is named twice.
    """

    def __init__(
        self,
        writer: _Writer,
        made: ev.DecisionMade,
        act: Act,
        command: Sequence[Entry],
        whole: Sequence[Entry],
    ) -> None:
        self._cards, self._command, self._whole = writer.cards, command, whole
        self._names = Names(writer.p, writer.rules, made.seat, apart=writer.apart)
        self._left = Counter(filter(writer.is_place, (act.card, *chain(*act.picks))))
        self._declared = declared(command)  # by name before anything is shown, and laid down later
        self.used = writer.named_by(act, command)

    def name(self, ref: Ref) -> str:
        """The name of a card, or of a hidden card of this place."""
        if ref not in self._left:
            return self._names.name(ref)
        place = str(ref)
        if (card := self._declared) in self._cards:
            self._declared = ""
            self._use_declared(place, card)
            return self._hidden_name(card, place)
        return self._hidden_name(self._next_shown(place), place)

    def _use_declared(self, place: str, card: str) -> None:
        """The declared card is one of those turned up there, if as many were as were picked."""
        up = _revealed_from(place, self._command)
        if len(up) < self._left[place]:
            self._left[place] -= 1
        else:
            self.used.update([n for n, identity in up if identity == card][:1])

    def _next_shown(self, place: str) -> str:
        """The next card that was turned up there; unknown where not all that were picked were."""
        up = _revealed_from(place, self._command)
        if len(up) < self._left[place]:
            up = _revealed_from(place, self._whole)
        if len(up) < self._left[place]:
            return UNKNOWN
        for number, card in up:
            if number not in self.used and card in self._cards:
                self.used.add(number)
                return card
        return UNKNOWN

    def _hidden_name(self, card: str, place: str) -> str:
        return self._names.hidden_name(card, place)


@contextmanager
def _named(p: Position, names: Iterable[tuple[int, str]]) -> Iterator[None]:
    """The position with these cards known, for as long as an act is worded.

    A hidden card is not distinguished from others of its name, and a face-down card that all can
    follow is named by its place: what somebody happens to know of it must make no difference.
    """
    named = ((p.cards[n], name) for n, name in names if n in p.cards)
    bound = [(c, name) for c, name in named if not c.id and c.follow != EVERYONE]
    hidden = [(card, card.seen) for card in p.cards.values() if card.follow != EVERYONE]
    for card, name in bound:
        card.id = name
    for card, _ in hidden:
        card.seen = card.follow
    down = [(card, card.id) for card in p.cards.values() if EVERYONE == card.follow != card.seen]
    for card, _ in down:
        card.id = ""
    try:
        yield
    finally:
        for card, _ in bound:
            card.id = ""
        for card, seen in hidden:
            card.seen = seen
        for card, name in down:
            card.id = name
