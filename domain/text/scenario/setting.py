"""Sets up a position by ordinary events of an official, so that the fold yields it.

What a scenario leaves out is taken from its game's ordinary board (`Rulebook.board`), written in
the same words. The last entry enters the step from which the rulebook goes on. What the match is
played under, and the lists, are in `terms`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from domain.effects.language.spelling import meant
from domain.engine.opening.terms import Deck
from domain.engine.table import Table
from domain.games.kit.game import Game
from domain.record import events as ev
from domain.record.entries import AnyEvent
from domain.record.position import UNKNOWN, Position
from domain.record.values import BY_OFFICIAL, EVERYONE, OFFICIALS, Change, Ref, Sealed, Value
from domain.text.notation import BadText, Names, place_of
from domain.text.scenario.terms import REAL, Terms, card_id, lists, value_of
from domain.text.scenario.text import (
    EACH,
    SEATS,
    BadScenario,
    Item,
    Line,
    Slips,
    Zone,
    listed,
    zone,
)
from domain.words.phrases import joined, message_of, phrase

CITE = "house:position"
#: The reason that cards set up are there for; every game declares it.
WHY = "setup"


class Board(Struct):
    """A position as it is written: what lies where, and the lines about everything else."""

    turn: int = 1
    seat: int = 0
    step: str = ""
    terms: Terms = field(default_factory=Terms)
    zones: dict[str, list[Item]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    fillers: dict[str, str] = field(default_factory=dict)
    rest: list[Line] = field(default_factory=list)


def board(rules: Game, lines: Iterable[Line], slips: Slips) -> Board:
    """The ordinary board of a game with a scenario's lines over it, less those that are wrong."""
    made = Board()
    ordinary = (Line(0, 0, row.strip()) for row in rules.board.splitlines() if row.strip())
    for line in (*(row for row in ordinary if not row.text.startswith("#")), *lines):
        with slips.gathered():
            _read(made, line, rules)
    return made


def _read(made: Board, line: Line, rules: Game) -> None:
    word, _, rest = line.text.partition(" ")
    if word == "turn":
        n, _, letter = rest.partition(" ")
        if not n.isdigit() or letter not in tuple(SEATS[: rules.manifest.seats]):
            raise BadScenario(line.n, phrase("write `turn 5 A`: its number and whose it is"))
        made.turn, made.seat = int(n), SEATS.index(letter)
    elif word == "step":
        made.step, made.lines["step"] = rest, line.n
    elif made.terms.take(rules, line):
        return
    elif word in ("filler", "filler:"):
        names, _, card = line.text.partition(": ")
        for name in names.replace(",", " ").split()[1:] or [""]:
            made.fillers[name] = card
    elif word in ("modifier", "mark", "counters", "attack"):
        if word == "counters":
            _count(made, line)
        else:
            made.rest.append(line)
    else:
        found = zone(line)
        if found is None or found.how != ":":
            raise BadScenario(line.n, phrase("what is {text!r} in a position?", text=line.text))
        _lay(made, found, rules)


def _count(made: Board, line: Line) -> None:
    """The number of some kinds of counters; a repeated kind takes the later line."""
    holder, _, text = line.text.rpartition(": ")
    for one in listed(text) or [text]:
        about = f"{holder}: {one.rpartition(' ')[0]}"
        made.rest = [other for other in made.rest if other.text.rpartition(" ")[0] != about]
        made.rest.append(Line(line.n, line.indent, f"{holder}: {one}"))


def _lay(made: Board, row: Zone, rules: Game) -> None:
    known = {declared.name: declared for declared in rules.manifest.zones}
    if row.zone not in known:
        near = meant(row.zone, known) or phrase("; there are {known}", known=joined(", ", known))
        raise BadScenario(row.line, phrase("{zone!r} is no zone{near}", zone=row.zone, near=near))
    if row.seat not in ("", EACH, *SEATS[: rules.manifest.seats]):
        raise BadScenario(row.line, phrase("there is no player {letter}", letter=row.seat))
    if not row.seat and not known[row.zone].shared:
        raise BadScenario(
            row.line, phrase("the zone {zone} is somebody's: `A {zone}: …`", zone=row.zone)
        )
    seats = range(rules.manifest.seats) if row.seat == EACH else (SEATS.find(row.seat),)
    for seat in seats:
        place = row.zone if seat < 0 else f"{row.zone}/{seat}"
        if row.end == "top":
            made.zones.setdefault(place, []).extend(reversed(row.items))
        elif row.end == "bottom":
            made.zones.setdefault(place, [])[0:0] = row.items
        else:
            made.zones[place] = list(row.items)
        made.lines[place] = row.line


# -- laying the table ------------------------------------------------------------------------------


class Laying:
    """An official at a table, laying out a board."""

    def __init__(
        self,
        t: Table,
        rules: Game,
        made: Board,
        decks: Sequence[Deck],
        prints: tuple[str, ...],
        slips: Slips,
    ) -> None:
        self.t, self.rules, self.made, self.decks = t, rules, made, decks
        self.prints, self.known, self.slips = prints, rules.known(prints), slips
        self.riders: list[tuple[int, str, str, int]] = []
        self.counters: list[tuple[int, str, int]] = []

    def emit(self, event: AnyEvent) -> None:
        self.t.emit(event, CITE, by=BY_OFFICIAL)

    def all(self, title: str) -> None:
        """Lay everything; the last entry enters the step. Raises all that is wrong at once."""
        self._open(title)
        self._cards(new=False)
        self.emit(ev.TurnBegan(self.made.turn, self.made.seat))
        self._cards(new=True)
        for host, role, card, line in self.riders:
            with self.slips.gathered():
                self._rider(host, role, card, line)
        for number, kind, n in self.counters:
            self.emit(ev.CountersMoved(kind, n, "", number))
        sound = not self.slips.found  # else what the other lines speak of may be missing
        for row in self.made.rest if sound else ():
            with self.slips.gathered():
                self._other(row)
        steps = {word.name for word in self.rules.manifest.steps}
        with self.slips.gathered():
            if self.made.step not in steps:
                at = self.made.lines["step"]
                raise BadScenario(
                    at,
                    phrase(
                        "there is no step {step!r}: {steps}",
                        step=self.made.step,
                        steps=joined(", ", sorted(steps)),
                    ),
                )
        self.slips.tell()
        self.rules.refresh(self.t)
        self.emit(ev.StepBegan(self.made.step))

    def _rider(self, host: int, role: str, card: str, line: int) -> None:
        owner = card[0] if card[1:2] == "." and card[0] in SEATS else ""
        name = card.removeprefix(f"{owner}.")
        (rider,) = self._make(self._place(host, owner), [card_id(self.known, name, line)])
        self.emit(ev.CardsAttached((rider,), host, role))

    def _open(self, title: str) -> None:
        manifest, terms = self.rules.manifest, self.made.terms
        seats = tuple(SEATS[: manifest.seats])
        opened = ev.MatchOpened(
            game=manifest.game,
            engine=manifest.version,
            digests=dict(self.rules.digests),
            mode=terms.mode,
            best_of=terms.best_of,
            seats=seats,
            labels={"scenario": title},
            options=terms.options,
            at=0,
            ticket=Sealed(OFFICIALS),
            prints=self.prints,
        )
        self.emit(opened)
        for seat, deck in enumerate(self.decks):
            parts = {part: tuple(ids) for part, ids in deck.parts.items()}
            sizes = {part: len(ids) for part, ids in parts.items()}
            self.emit(ev.DeckRegistered(seat, deck.name, sizes, Sealed(1 << seat, parts)))
        self.emit(ev.GameBegan(1))

    def _cards(self, new: bool) -> None:
        """Cards that came before this turn, or those that came in it (`new`)."""
        for place, items in self.made.zones.items():
            for item in items:
                if ("new" in item.traits) == new:
                    with self.slips.gathered():
                        self._item(place, item)

    def _item(self, place: str, item: Item) -> None:
        line = self.made.lines[place]
        fillers = self.made.fillers
        filler = fillers.get(place.partition("/")[0], fillers.get("", UNKNOWN))
        card = card_id(self.known, item.name or filler, line)
        orients = self.rules.manifest.zone(place).orients
        orient, up = None, None
        for trait in item.traits:
            if trait in orients:
                orient = trait
            elif trait in ("up", "down"):
                up = trait == "up"
        numbers = self._make(place, [card] * item.n, orient, up)
        for trait in item.traits:
            if trait not in (*orients, "up", "down", "new"):
                self._trait(numbers, trait, line)

    def _make(
        self, place: str, ids: Sequence[str], orient: str | None = None, up: bool | None = None
    ) -> tuple[int, ...]:
        manifest = self.rules.manifest
        declared = manifest.zone(place)
        first = self.t.pos.next_card
        numbers = tuple(range(first, first + len(ids)))
        if not numbers:
            return ()
        facts = self.known.get(ids[0])
        seat = int(place.partition("/")[2] or 0)  # of a shared zone: whose the cards are
        place = declared.name if declared.shared else place
        lies = (declared.orients or ("",))[0] if orient is None else orient
        shown = manifest.lies_up(place) if up is None else up
        made = ev.CardsMade(
            n=len(ids), cards=Sealed(manifest.follow(place, up), numbers), place=place, owner=seat,
            token=bool(getattr(facts, "token", False)), up=shown, orient=lies, why=WHY,
        )  # fmt: skip
        self.emit(made)
        to = manifest.faces(place, up)
        if self.made.terms.mode == REAL and manifest.made(place, up) != EVERYONE:
            ids = [""] * len(ids)  # real cards, and nobody has named them
        pairs = tuple(zip(numbers, ids, strict=True))
        self.emit(ev.CardsKnown(len(ids), place, Sealed(to, pairs), WHY))
        return numbers

    def _trait(self, numbers: Sequence[int], trait: str, line: int) -> None:
        """`damage 2`, `with pilot Amuro Ray`."""
        rider = re.fullmatch(r"with (\S+) (.+)", trait)
        counter = re.fullmatch(r"(\S+) (\d+)", trait)
        kinds = [word.name for word in self.rules.manifest.counters]
        if rider is not None:
            self._word("roles", rider[1], line)
            self.riders += [(number, rider[1], rider[2], line) for number in numbers]
        elif counter is not None and counter[1] in kinds:
            self.counters += [(number, counter[1], int(counter[2])) for number in numbers]
        else:
            zones = self.rules.manifest.zones
            words = {
                *kinds,
                "up",
                "down",
                "new",
                *(lies for zone in zones for lies in zone.orients),
            }
            near = meant(trait.partition(" ")[0], words)
            raise BadScenario(
                line, phrase("a card can't be laid {trait!r}{near}", trait=trait, near=near)
            )

    def _word(self, kind: str, word: str, line: int) -> None:
        """Make sure that a word is one of the manifest's."""
        known = self.rules.manifest.words(kind)
        if word not in known:
            raise BadScenario(
                line,
                phrase(
                    "{word!r} is not one of the {list}{near}",
                    word=word,
                    list=kind,
                    near=meant(word, known),
                ),
            )

    def _place(self, host: int, owner: str) -> str:
        """The place where a rider is made: with its host, or another player's if stated."""
        card = self.t.pos.cards[host]
        seat = SEATS.index(owner) if owner else card.controller
        return f"{card.place.partition('/')[0]}/{seat}"

    # -- everything else ---------------------------------------------------------------------------

    def _other(self, line: Line) -> None:
        word, _, rest = line.text.partition(" ")
        try:
            match word:
                case "modifier":
                    self._modifier(line, rest)
                case "mark":
                    name, _, text = rest.rpartition(": ")
                    key, _, value = text.partition(" ")
                    self._word("marks", key.partition(":")[0], line.n)
                    self.emit(ev.Marked(self._ref(name), key, value_of(value) if value else True))
                case "counters":
                    holder, _, text = rest.rpartition(": ")
                    kind, _, n = text.partition(" ")
                    self._word("counters", kind, line.n)
                    if not n.isdigit():
                        raise BadScenario(line.n, phrase("write `counters A: KIND 3`"))
                    self.emit(ev.CountersMoved(kind, int(n), "", self._holder(holder)))
                case "attack":
                    self._attack(rest)
        except BadText as bad:
            raise BadScenario(line.n, message_of(bad)) from None

    def _modifier(self, line: Line, text: str) -> None:
        """`modifier GM ap +2 until turn`, `modifier GM set blocker until turn`."""
        found = re.fullmatch(
            r"(.+?) (?:(\S+) ([+-]\d+)|(set|forbid|allow) (\S+)) until (\S+)", text
        )
        if found is None:
            raise BadScenario(line.n, phrase("write `modifier GM ap +2 until turn`"))
        name, figure, n, op, key, until = found.groups()
        self._word("durations", until, line.n)
        if figure or op == "set":
            self._word("stats", figure or key, line.n)
        elif key not in self.rules.words.acts:
            near = meant(key, self.rules.words.acts)
            raise BadScenario(
                line.n, phrase("nothing is ever {op} {key!r}{near}", op=op, key=key, near=near)
            )
        number = self._holder(name)
        change = Change(figure, "add", int(n)) if figure else Change(key, op, True)
        began = ev.ModifierBegan(self.t.pos.next_modifier, number, (number,), change, until)
        self.emit(began)

    def _attack(self, text: str) -> None:
        attacker, _, target = text.partition("->")
        one, other = self._ref(attacker), self._ref(target)
        if not isinstance(one, int):
            raise BadText(phrase("{text!r} is no card", text=attacker.strip()))
        facts: Mapping[str, Value] = {"attacker": one, "target": other}
        frame = self.t.pos.next_frame
        self.emit(ev.FrameOpened(frame, "attack", 0, self.t.pos.seq, dict(facts)))
        self.emit(ev.AttackDeclared(one, other))

    def _ref(self, text: str) -> Ref:
        text = text.strip()
        if text in tuple(SEATS):
            return f"seat/{SEATS.index(text)}"
        return Names(self.t.pos, self.rules, self.made.seat).find(text)

    def _holder(self, text: str) -> Ref:
        """The holder of counters: a seat, a zone (`A store`) or a card."""
        if text.rpartition(" ")[2] in self.rules.manifest.words("zones"):
            return place_of(text.replace(" ", "."), self.rules, self.made.seat)
        return self._ref(text)


def lay(
    rules: Game,
    lines: Iterable[Line],
    title: str,
    mode: str = "",
    prints: tuple[str, ...] = (),
    decks: Iterable[Line] = (),
) -> Table:
    """A table with this position on it, ready for the driver; a real one if `mode` says so.

    `prints` are the cards that it brings. The lists are those of `decks`; where they matter (in a
    series, at a real table) the default is the game's first.
    """
    table, slips = Table(Position(), rules.manifest), Slips()
    made, given = board(rules, lines, slips), list(decks)
    registered = lists(rules, rules.known(prints), given, made.terms) if given else ()
    made.terms.mode = mode or made.terms.mode
    if not given and (made.terms.best_of > 1 or (not mode and made.terms.mode == REAL)):
        name, parts = next(iter(rules.decks.items()))
        registered = (Deck(name, parts),) * rules.manifest.seats
    Laying(table, rules, made, registered, prints, slips).all(title)
    return table
