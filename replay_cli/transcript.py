"""The transcript: the entries of a record as readable lines, each with the rules behind it.

A line is what somebody did or what the game did, with what came of it at once: payment, figures
that changed, cards that went. Sentences come from the manifest's labels and the types of events,
so one narrator tells every game. It reads any viewer's entries: what is not addressed to him is
told as far as it can be seen.

`Narrator` takes entries as they come and gives lines as soon as they are complete; how a line looks
on a terminal is in `lines`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from msgspec import Struct, field

from domain import events as ev
from domain.decisions import NUMBER, TEXT, Act, Offer, Option, Part
from domain.events import Entry, Ref, Value
from domain.fold import active, fold, fold_all
from domain.official import KIND
from domain.position import Position, seat_of
from domain.views import answered
from replay_cli import officials
from replay_cli.book import Book
from replay_cli.names import (
    Names,
    clauses,
    clock_name,
    count,
    countdown,
    counted,
    letter,
    player,
    sentence,
    time_left,
)

#: How many citations a line shows.
CITES = 3


class Line(Struct, frozen=True):
    """One line of a transcript. `seq` is its first entry; `minor` ones are for the thorough.

    `ms` is how long the answer that it tells took.
    """

    seq: int
    time: int
    turn: int
    seat: int
    step: str
    text: str
    cites: tuple[str, ...]
    kind: str = "act"  # "act" | "effect" | "event" | "result" | "note"
    minor: bool = False
    ms: int = 0


class _Draft(Struct):
    """A line in the making. What it says of cards is worded when it is finished."""

    entry: Entry
    turn: int
    step: str
    seat: int
    kind: str
    minor: bool = False
    ms: int = 0
    frame: int = 0  # that the act opened: what happens in it belongs to the act
    label: str = ""
    slots: dict[str, Callable[[], str]] = field(default_factory=dict)
    details: list[Callable[[], str]] = field(default_factory=list)
    cites: list[str] = field(default_factory=list)
    actors: set[Ref] = field(default_factory=set)  # who acts: that they turn goes without saying
    arrivals: dict[int, Callable[[], str]] = field(default_factory=dict)

    def cite(self, cites: Iterable[str]) -> None:
        self.cites += [cite for cite in cites if cite not in self.cites]


class Narrator:
    """Tells a record, entry by entry."""

    def __init__(self, book: Book, *, quiet: bool = True) -> None:
        """`quiet`: acts that were the only option are not told."""
        self.book, self.quiet = book, quiet
        self.pos = Position()
        self._log: list[Entry] = []
        self._draft: _Draft | None = None
        self._out: list[Line] = []
        self._told: tuple[str, Ref] = ("", 0)  # the act just told, whose events only add to it
        self._moved: set[int] = (
            set()
        )  # cards that the moment brought, so that knowing them is no news
        self._dealt: tuple[int, set[Ref]] = (0, set())  # damage told at this moment
        self._whole = False  # whether the entries are an official's
        self._new: set[int] = set()  # cards whose first figures are their printed ones

    def feed(self, entry: Entry) -> list[Line]:
        """The lines that this entry completes."""
        event = entry.event
        if isinstance(event, ev.DecisionOpened):
            self._whole = event.digest.value is not None
        if isinstance(event, ev.TurnBegan | ev.GameBegan | ev.Rewound) or self._waits(event):
            self._flush()
        if entry.moment != self.pos.moment and not isinstance(event, ev.CardsKnown):
            self._moved = set()
        tell = _TELL.get(type(event))
        before = _BEFORE.get(type(event))
        if before is not None:
            before(self, entry, event)
        self._log.append(entry)
        if isinstance(event, ev.Rewound):
            self.pos = fold_all(active(self._log))
        else:
            fold(self.pos, entry)
        if tell is not None:
            tell(self, entry, event)
        out, self._out = self._out, []
        return out

    def _waits(self, event: ev.AnyEvent) -> bool:
        """Whether somebody has to think now; a choice within an effect may be none at all."""
        if not isinstance(event, ev.OptionsOffered):
            return isinstance(event, ev.DecisionOpened) and not self._in_effect()
        return event.offer.value is None or is_choice(event.offer.value)

    def close(self) -> list[Line]:
        """The line that is still open, if any."""
        self._flush()
        out, self._out = self._out, []
        return out

    # -- lines in the making ---------------------------------------------------------------------

    @property
    def names(self) -> Names:
        return Names(self.book, self.pos)

    def _open(
        self, entry: Entry, seat: int, label: str = "", *, kind: str = "event", minor: bool = False
    ) -> _Draft:
        self._flush()
        self._draft = _Draft(entry, self.pos.turn, self.pos.step, seat, kind, minor, label=label)
        self._draft.cite(entry.cites)
        return self._draft

    def _line(self, entry: Entry, seat: int, text: str, kind: str, *, minor: bool = False) -> None:
        """A line that says just this."""
        draft = self._open(entry, seat, kind=kind, minor=minor)
        draft.details.append(partial(str, text))

    def _join(self, entry: Entry, seat: int, kind: str = "event") -> _Draft:
        """The open line, or a new one if there is none: its own, or the effect's under way."""
        if self._draft is None:
            acts = [act for act in self.pos.pending.values() if act.resolving]
            if acts:
                return self._open(entry, acts[-1].seat, kind="effect")
            return self._open(entry, seat, kind=kind)
        self._draft.cite(entry.cites[:1])
        return self._draft

    def _say(self, entry: Entry, seat: int, text: Callable[[], str]) -> None:
        self._join(entry, seat).details.append(text)

    def _flush(self) -> None:
        draft, self._draft = self._draft, None
        self._told = ("", 0)
        if draft is None:
            return
        slots = {name: word() for name, word in draft.slots.items()}
        head = sentence(draft.label, slots, slots.get("", "…")) if draft.label else ""
        details = [text for text in (word() for word in draft.details) if text]
        text = ", ".join(part for part in (head, *details) if part)
        if text:
            at, cites = draft.entry, tuple(draft.cites[:CITES])
            where = (draft.turn, draft.seat, draft.step)
            how = (draft.kind, draft.minor, draft.ms)
            self._out.append(Line(at.seq, at.time, *where, text, cites, *how))

    def _same_moment(self, entry: Entry) -> bool:
        return self._draft is not None and self._draft.entry.moment == entry.moment

    def _in_effect(self) -> bool:
        return self._draft is not None and self._draft.kind == "effect"


Tell = Callable[[Narrator, Entry, Any], None]

# -- the match -----------------------------------------------------------------------------------


def _opened(n: Narrator, e: Entry, v: ev.MatchOpened) -> None:
    seats = ", ".join(f"{letter(seat)} is {name}" for seat, name in enumerate(v.seats))
    series = "" if v.best_of == 1 else f", best of {v.best_of}"
    n._line(e, -1, f"{n.book.manifest.title}{series}: {seats}", "note")
    if v.origin is not None:
        where = f"match {v.origin.match} at entry {v.origin.seq}"
        n._line(e, -1, f"UNOFFICIAL: forked from {where}, and not played so", "note")


def _deck(n: Narrator, e: Entry, v: ev.DeckRegistered) -> None:
    sizes = ", ".join(f"{size} {part}" for part, size in v.sizes.items())
    n._line(e, v.seat, f"plays {v.name} ({sizes})", "note")


def _game(n: Narrator, e: Entry, v: ev.GameBegan) -> None:
    n._line(e, -1, f"game {v.n} begins", "note")


def _lost(n: Narrator, e: Entry, v: ev.SeatLost) -> None:
    who = " and ".join(player(seat) for seat in v.seats)
    why = n.book.manifest.label("reasons", v.why)
    verb = "loses" if len(v.seats) == 1 else "lose"
    n._line(e, v.seats[0], f"{who} {verb}: {why}", "result")


def _game_over(n: Narrator, e: Entry, v: ev.GameEnded) -> None:
    winner = f"{player(v.winner)} wins" if v.winner >= 0 else "nobody wins"
    n._line(e, v.winner, f"{winner} game {n.pos.game}", "result")


def _match_over(n: Narrator, e: Entry, v: ev.MatchEnded) -> None:
    winner = f"{player(v.winner)} wins the match" if v.winner >= 0 else "the match is a draw"
    score = "–".join(str(games) for games in v.score)
    n._line(e, v.winner, f"{winner}, {score}", "result")


# -- decisions -----------------------------------------------------------------------------------


def _chosen(n: Narrator, e: Entry, v: ev.DecisionMade) -> None:
    """An answer, told before it is folded: what was on offer is still there."""
    decision = n.pos.decision
    offered = decision.offers.get(v.seat) if decision is not None else None
    offer, act = answered(v, offered, n._whole)
    for number, identity in v.stated.value.names if v.stated.value is not None else ():
        if number in n.pos.cards:
            n.pos.cards[number].id = identity  # as the fold is about to do
    if offer is None or act is None or (n.quiet and offered is not None and not is_choice(offered)):
        return
    meant = (act.kind, act.card, act.effect)
    option = next((o for o in offer.options if (o.kind, o.card, o.effect) == meant), None)
    if option is None:
        return
    draft = n._open(e, v.seat, n.book.manifest.label("acts", act.kind), kind="act")
    draft.cites, draft.ms = list(e.cites[:1]), v.ms
    draft.actors = {act.card}
    _slots(n, draft, act, option)
    n._told = (act.kind, act.card)


def _slots(n: Narrator, draft: _Draft, act: Act, option: Option) -> None:
    """Word an act as things are called before it."""
    names = n.names
    card = names.ref(act.card, apart=True) if act.card else ""
    if isinstance(act.card, int) and act.card and names.pos.present(act.card):
        played = names.pos.cards[act.card]
        if played.id and n.book.manifest.zone(played.place).faces != "all":
            card = f"{names.card(act.card)} ({played.id})"
    picked = names.picked(act, option, apart=True)
    every = ", ".join(picked.values()) or "nothing"
    for slot, text in {**picked, "": every, "card": card}.items():
        draft.slots[slot] = partial(str, text)
    for part, picks in zip(option.parts, act.picks, strict=False):
        if part.pool == TEXT:
            draft.details += [partial(clauses, pick) for pick in picks]


def _text(pick: Ref) -> bool:
    """Whether that is a text that was declared: everything else that is picked has a name."""
    return isinstance(pick, str) and pick.lstrip().startswith("[")


def is_choice(offer: Offer) -> bool:
    """Whether an offer leaves anything to choose."""
    if len(offer.options) != 1:
        return len(offer.options) > 1
    return any(_is_open(offer, part) for part in offer.options[0].parts)


def _is_open(offer: Offer, part: Part) -> bool:
    if part.pool == TEXT:
        return True
    if part.low != part.high:
        return True
    if part.pool == NUMBER:
        return False
    size = len(offer.pools[part.pool])
    ordered = part.limits is not None and part.limits.ordered
    return size > part.low or (ordered and size > 1)


def _interjected(n: Narrator, e: Entry, v: ev.Interjected) -> None:
    draft = n._open(e, v.seat, n.book.manifest.label("acts", v.kind), kind="act")
    where = n.names.ref(v.about) if v.about else ""
    draft.slots[""] = draft.slots["card"] = lambda: where
    n._told = (v.kind, v.about)
    draft.details += [partial(clauses, pick) for pick in v.picks.value or () if _text(pick)]


# -- cards ---------------------------------------------------------------------------------------


def _made(n: Narrator, e: Entry, v: ev.CardsMade) -> None:
    numbers = v.cards.value or ()
    n._moved.update(numbers)
    n._new.update(numbers)
    minor = n.book.manifest.zone(v.place).follow == "none"
    why = n.book.manifest.label("reasons", v.why)

    def text() -> str:
        named = n.names.cards(numbers) if numbers and not minor else count(v.n, "card")
        return f"{named} to {where()} ({why})"

    joins = n._in_effect() or n._same_moment(e)
    draft = n._join(e, seat_of(v.place)) if joins else n._open(e, seat_of(v.place), minor=minor)
    where = partial(_place, n, v.place, draft.seat)
    draft.details.append(text)


def _moved(n: Narrator, e: Entry, v: ev.CardsMoved) -> None:
    now = v.now.value or (0,) * v.n
    was = v.was.value or (0,) * v.n
    n._moved.update(now)
    n._new.update(now)
    acts = {word.name for word in n.book.manifest.acts}
    kind, card = n._told
    if kind and (card in was or v.why == kind):
        n._join(e, seat_of(v.src)).cite(
            e.cites
        )  # the act said so; what it became has another number
        return
    hidden = n.book.manifest.zone(v.src).faces != "all"
    if v.why in acts and v.n == 1 and hidden and not n._in_effect():
        _acted(n, e, v, now[0])
        return
    begun = n._draft is not None and n._draft.frame == e.frame > 0
    joins = n._in_effect() or n._same_moment(e) or begun
    draft = n._join(e, seat_of(v.dst)) if joins else n._open(e, seat_of(v.dst))
    why, to = n.book.manifest.label("reasons", v.why), _place(n, v.dst, draft.seat)

    def text() -> str:
        named = n.names.cards(number or old for number, old in zip(now, was, strict=True))
        return f"{named} to {to} ({why})"

    draft.details.append(text)
    draft.arrivals |= dict.fromkeys(now, text)


def _place(n: Narrator, place: str, seat: int) -> str:
    """A zone as the line of a seat calls it: its own without saying whose."""
    own = seat_of(place) == seat
    return n.book.manifest.zone(place).label if own else n.names.place(place)


def _acted(n: Narrator, e: Entry, v: ev.CardsMoved, number: int) -> None:
    """A move whose reason is an act: told as the act, for those who may not see the answer."""
    draft = n._draft if n._draft is not None and not n._draft.label else n._open(e, seat_of(v.src))
    draft.cite(e.cites)
    draft.kind, draft.seat = "act", seat_of(v.src)
    draft.label = n.book.manifest.label("acts", v.why)
    draft.slots["card"] = lambda: _with_id(n, number)
    n._told = (v.why, number)


def _with_id(n: Narrator, number: int) -> str:
    name = n.names.card(number)
    card = n.pos.cards.get(number) or n.pos.departed.get(number)
    return f"{name} ({card.id})" if card is not None and card.id else name


def _attached(n: Narrator, e: Entry, v: ev.CardsAttached) -> None:
    draft = n._join(e, -1)
    host = v.host
    if "{host}" in draft.label:
        draft.slots.setdefault("host", lambda: n.names.card(host))
        draft.actors.add(host)
    elif host:
        draft.details.append(lambda: f"{n.names.cards(v.cards)} with {n.names.card(host)}")


def _turned(n: Narrator, e: Entry, v: ev.CardsTurned) -> None:
    told = {n._told[1], *(n._draft.actors if n._draft else ())}
    cards = [number for number in v.cards if number not in told]
    if not cards:
        n._join(e, -1)
        return
    faces = {True: "face up", False: "face down", None: ""}[v.up]
    how = " ".join(filter(None, [v.orient, faces]))
    seat = n.pos.card(cards[0]).controller
    n._say(e, seat, lambda: f"{_gathered(n, cards)} {how}")


def _gathered(n: Narrator, cards: list[int]) -> str:
    """Cards by name; many without figures of their own by their zone: `3 resources`."""
    plain = [number for number in cards if not n.pos.card(number).stats]
    named = [n.names.card(number) for number in cards if number not in plain]
    places: dict[str, int] = {}
    for number in plain:
        zone = n.pos.card(number).place
        places[zone] = places.get(zone, 0) + 1
    for place, size in places.items():
        label = n.book.manifest.zone(place).label.lower()
        named.append(count(size, label.removesuffix("s"), label))
    return counted(named)


def _known(n: Narrator, e: Entry, v: ev.CardsKnown) -> None:
    numbers = [number for number, _ in v.cards.value or ()]
    if n._same_moment(e) and (not numbers or set(numbers) <= n._moved):
        return
    if set(numbers) <= n._moved and numbers:
        return
    why = n.book.manifest.label("reasons", v.why)
    if v.why in ("setup", "draw") and not numbers:
        return
    n._say(
        e, seat_of(v.place),
        lambda: f"{n.names.cards(numbers) if numbers else count(v.n, 'card')} ({why})",
    )  # fmt: skip


def _ordered(n: Narrator, e: Entry, v: ev.CardsOrdered) -> None:
    why = n.book.manifest.label("reasons", v.why)
    zone, seat = n.names.place(v.place), seat_of(v.place)
    n._line(e, seat, f"{zone} {why} ({count(v.n, 'card')})", "event", minor=True)


def _removed(n: Narrator, e: Entry, v: ev.CardsRemoved) -> None:
    why = n.book.manifest.label("reasons", v.why)
    n._say(e, -1, lambda: f"{n.names.cards(v.cards)} out of the game ({why})")


def _controlled(n: Narrator, e: Entry, v: ev.CardsControlled) -> None:
    n._say(e, v.seat, lambda: f"{player(v.seat)} controls {n.names.cards(v.cards)}")


# -- numbers -------------------------------------------------------------------------------------


def _counters(n: Narrator, e: Entry, v: ev.CountersMoved) -> None:
    if n._dealt[0] == e.moment and v.dst in n._dealt[1]:
        n._join(e, -1)
        return
    label = n.book.manifest.label("counters", v.kind)
    src, dst = v.src, v.dst

    def text() -> str:
        off = f" from {n.names.ref(src)}" if src != "" else ""
        onto = f" to {n.names.ref(dst)}" if dst != "" else ""
        return f"{v.n} {label}{off}{onto}"

    n._say(e, -1, text)


def _stats(n: Narrator, e: Entry, v: ev.StatsSet) -> None:
    """Told before it is folded: only what changes on cards that had figures already."""
    changes: dict[Ref, list[str]] = {}
    for subject, key, value in v.stats.value or ():
        if isinstance(subject, int):
            card = n.pos.cards.get(subject)
            if card is None or not card.stats:
                continue
            old = card.stats.get(key)
        else:
            old = n.pos.stats.get(subject, {}).get(key)
        changes.setdefault(subject, []).append(
            figure(n.book.manifest.label("stats", key), value, old)
        )
    actors = n._draft.actors if n._draft is not None else set()
    for subject, words in sorted(changes.items(), key=lambda item: item[0] not in actors):
        host = subject in actors
        said = ", ".join(words)
        name = n.names.ref(subject)
        n._say(e, -1, lambda said=said, name=name, host=host: said if host else f"{name} {said}")  # type: ignore[misc]


def figure(label: str, value: Value, old: Value = None) -> str:
    """A figure and what it is now: `AP 5`, `Blocker`, `no longer a link unit`."""
    if value is True:
        return label
    if value is None or value is False:
        return f"no longer {label}" if old is None or isinstance(old, bool) else f"no {label}"
    return f"{label} {value}"


def _modifier(n: Narrator, e: Entry, v: ev.ModifierBegan) -> None:
    change, manifest = v.change, n.book.manifest
    if v.until == "constant":
        return
    if change.op in ("add", "set") and any(word.name == change.key for word in manifest.stats):
        n._join(e, -1)  # the figures that it changes follow
        return
    verb = {"forbid": "no", "allow": "may"}.get(change.op, change.op)
    what = f"{verb} {manifest.label('stats', change.key).replace('-', ' ')}"
    n._say(e, -1, lambda: f"{n.names.refs(v.targets)}: {what} (this {v.until})")


# -- effects and combat --------------------------------------------------------------------------


def _declared(n: Narrator, e: Entry, v: ev.ActDeclared) -> None:
    kind, _ = n._told
    if kind == v.kind:
        n._join(e, v.seat).cite(e.cites)
        return
    told = n._draft is not None and not n._draft.label
    draft = n._draft if told and n._draft is not None else n._open(e, v.seat)
    draft.cite(e.cites)
    draft.kind, draft.seat, draft.label = "act", v.seat, n.book.manifest.label("acts", v.kind)
    source = v.source
    draft.slots["card"] = lambda: n.names.ref(source)
    draft.actors.add(source)
    if isinstance(source, int) and source in draft.arrivals:  # it came to be carried out
        draft.slots["card"] = lambda: _with_id(n, source)
        draft.details.remove(draft.arrivals.pop(source))
    if v.targets:
        draft.details.append(lambda: f"on {n.names.refs(v.targets)}")
    n._told = (v.kind, v.source)


def _frame(n: Narrator, e: Entry, v: ev.FrameOpened) -> None:
    """What somebody began by an answer that the reader may not see; its events will name it."""
    if v.kind == KIND:
        if text := officials.opening(v):
            n._line(e, -1, text, "note")
        return
    if n._told[0] and n._draft is not None:
        n._draft.frame = v.id
    if n._told[0] or n._in_effect():
        return
    seat = v.facts.get("seat")
    draft = n._open(e, seat if isinstance(seat, int) else n.pos.turn_seat, kind="act")
    draft.cites = list(e.cites[:1])
    draft.actors = {
        fact for fact in v.facts.values() if isinstance(fact, int) and fact in n.pos.cards
    }


def _resolving(n: Narrator, e: Entry, v: ev.ActResolving) -> None:
    act = n.pos.pending[v.id]
    if act.kind != "triggered":
        n._join(e, act.seat)
        if n._draft is not None:
            n._draft.kind = "effect"
        return
    draft = n._open(e, act.seat, "{card}: {effect}", kind="effect")
    source, effect = act.source, act.effect.partition("/")[2] or act.effect
    draft.slots["card"] = lambda: n.names.ref(source)
    draft.slots["effect"] = lambda: f"{effect.replace('-', ' ')} effect"
    draft.cites.sort(key=lambda cite: not cite.startswith("card:"))
    draft.actors = {source}


def _act_ended(n: Narrator, e: Entry, v: ev.ActEnded) -> None:
    """Told before it is folded: the act is still there."""
    act = n.pos.pending.get(v.id)
    if act is None or v.outcome == "resolved":
        if n._in_effect():
            n._flush()
        return
    outcome = n.book.manifest.label("reasons", v.outcome)
    if act.resolving and n._in_effect():
        n._say(e, act.seat, lambda: outcome)
        n._flush()
        return
    effect = act.effect.partition("/")[2] or act.effect
    source = n.names.ref(act.source)
    n._line(e, act.seat, f"{source}: {effect} effect {outcome}", "effect")


def _not_done(n: Narrator, e: Entry, v: ev.NotDone) -> None:
    why = n.book.manifest.label("reasons", v.why)
    some = f", {v.done} of {v.asked}" if v.done else ""
    n._say(e, -1, lambda: f"not done: {v.what} ({why}{some})")


def _attack(n: Narrator, e: Entry, v: ev.AttackDeclared) -> None:
    kind, card = n._told
    if kind and card == v.attacker:
        n._join(e, -1).cite(e.cites)
        return
    manifest = n.book.manifest
    label = manifest.label("acts", "attack")
    attacker, target = v.attacker, v.target
    seat = n.pos.card(attacker).controller
    opened = n._draft is not None and not n._draft.label and not n._draft.details
    draft = n._draft if opened and n._draft is not None else n._open(e, seat)
    draft.cite(e.cites)
    draft.kind, draft.seat = "act", seat
    draft.actors.add(attacker)
    draft.label = label if "{" in label else "attacks {target} with {card}"
    draft.slots["card"] = partial(str, n.names.card(attacker, apart=True))
    draft.slots["target"] = partial(str, n.names.ref(target, apart=True))
    n._told = ("attack", attacker)


def _retargeted(n: Narrator, e: Entry, v: ev.AttackChanged) -> None:
    if n._told[0]:
        n._join(e, -1).cite(e.cites)
        return
    n._say(e, -1, lambda: f"the attack goes to {n.names.ref(v.target)}")


def _damage(n: Narrator, e: Entry, v: ev.DamageDealt) -> None:
    if n._dealt[0] != e.moment:
        n._dealt = (e.moment, set())
    n._dealt[1].add(v.to)
    source, to = n.names.ref(v.source, apart=True), _victim(n, v.to)
    seat = n.pos.card(v.source).controller if isinstance(v.source, int) else seat_of(v.source)
    text = f"{source} deals {v.n} damage to {to}"
    if n._same_moment(e) or n._in_effect():
        n._say(e, seat, lambda: text)
    else:
        n._open(e, seat, kind="event").details.append(lambda: text)


def _victim(n: Narrator, ref: Ref) -> str:
    """What is hit; of a card that lies face down it is said where."""
    name = n.names.ref(ref, apart=True)
    if isinstance(ref, int) and n.book.manifest.zone(n.pos.card(ref).place).faces != "all":
        return f"{name} in {n.names.place(n.pos.card(ref).place)}"
    return name


# -- chance and officials ------------------------------------------------------------------------


def _chance(n: Narrator, e: Entry, v: ev.ChanceDrawn) -> None:
    if v.result.value is None or v.result.to != ev.EVERYONE:
        return
    result = ", ".join(str(number + 1) for number in v.result.value)
    n._line(e, -1, f"chance ({v.kind}): {result} of {v.of}", "event", minor=True)


def _irregular(n: Narrator, e: Entry, v: ev.Irregularity) -> None:
    n._line(e, -1, officials.irregularity(n.pos, v), "note")


def _ruling(n: Narrator, e: Entry, v: ev.Ruling) -> None:
    n._line(e, -1, officials.ruling(n.pos, v), "note")


def _penalty(n: Narrator, e: Entry, v: ev.Penalty) -> None:
    n._line(e, v.seat, officials.penalty(n.pos, v), "note")


def _noted(n: Narrator, e: Entry, v: ev.Noted) -> None:
    if text := officials.note(n.pos, v):
        n._line(e, -1, text, "note")


def _looked(n: Narrator, e: Entry, v: ev.Looked) -> None:
    n._line(e, -1, officials.look(n.pos, v), "note")


def _rewound(n: Narrator, e: Entry, v: ev.Rewound) -> None:
    decision = n.pos.decision
    where = f"entry {v.to}" if decision is None else f"decision {decision.n}, entry {v.to}"
    why = f": {v.note}" if v.note else ""
    n._line(e, -1, f"the game goes back to {where}; what followed is undone{why}", "note")


def _clock(n: Narrator, e: Entry, v: ev.ClockSet) -> None:
    stands = "" if v.running else ", and stands still"
    n._line(e, -1, f"{clock_name(v.clock)} shows {countdown(v.left)}{stands}", "note")


def _paused(n: Narrator, e: Entry, v: ev.Paused) -> None:
    said = "the match stands still" if v.on else "the match goes on"
    n._line(e, -1, f"{said}: {v.note}" if v.note else said, "note")


def _time(n: Narrator, e: Entry, v: ev.TimeCalled) -> None:
    n._line(e, -1, time_left(n.pos, e.time), "note")


#: Told before the entry is folded (what it ends is still there), and after.
_BEFORE: dict[type, Tell] = {
    ev.DecisionMade: _chosen,
    ev.StatsSet: _stats,
    ev.ActEnded: _act_ended,
}
_TELL: dict[type, Tell] = {
    ev.MatchOpened: _opened,
    ev.DeckRegistered: _deck,
    ev.GameBegan: _game,
    ev.SeatLost: _lost,
    ev.GameEnded: _game_over,
    ev.MatchEnded: _match_over,
    ev.Interjected: _interjected,
    ev.CardsMade: _made,
    ev.CardsMoved: _moved,
    ev.CardsKnown: _known,
    ev.CardsOrdered: _ordered,
    ev.CardsAttached: _attached,
    ev.CardsTurned: _turned,
    ev.CardsRemoved: _removed,
    ev.CardsControlled: _controlled,
    ev.CountersMoved: _counters,
    ev.ModifierBegan: _modifier,
    ev.FrameOpened: _frame,
    ev.ActDeclared: _declared,
    ev.ActResolving: _resolving,
    ev.NotDone: _not_done,
    ev.AttackDeclared: _attack,
    ev.AttackChanged: _retargeted,
    ev.DamageDealt: _damage,
    ev.ChanceDrawn: _chance,
    ev.Irregularity: _irregular,
    ev.Ruling: _ruling,
    ev.Penalty: _penalty,
    ev.Rewound: _rewound,
    ev.ClockSet: _clock,
    ev.Paused: _paused,
    ev.TimeCalled: _time,
    ev.Noted: _noted,
    ev.Looked: _looked,
}


def tell(book: Book, entries: Iterable[Entry], *, quiet: bool = True) -> list[Line]:
    """The whole transcript of some entries from the record's start."""
    narrator = Narrator(book, quiet=quiet)
    lines = [line for entry in entries for line in narrator.feed(entry)]
    return lines + narrator.close()
