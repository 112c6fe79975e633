"""A simulated scorekeeper who types with as few keys as possible, and a service for him.

`Typist` enters a dealt match through the input line, so that keys can be counted; `LocalService` is
the service that he writes to, a match in this process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from domain.engine.driver import resting
from domain.engine.match import Match, Opening, Refused, Stale
from domain.engine.naming import Inputs
from domain.engine.passes import implying
from domain.engine.passes.autopass import AutoPass
from domain.engine.signals import NameRequired, RollRequired
from domain.games.kit.game import Game
from domain.officials.acts import OfficialAct
from domain.officials.carrying import Past, carry_out
from domain.officials.frame import Official
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.folding.fold import fold_all
from domain.record.interventions import Rewound
from domain.record.points import NOW, Point
from domain.record.position import UNKNOWN, Position, decoded, zone_of
from domain.record.proof.chain import Head
from domain.record.values import EVERYONE
from domain.scorekeeping.command import Command
from domain.scorekeeping.line.input_line import InputLine
from domain.scorekeeping.session import Session
from domain.scorekeeping.suggestions import fuzzy
from domain.telling.names import letter
from domain.text.plain import plain
from replay_cli.playing.fuzz.tables import at_table, no_dice
from replay_cli.scorekeeper.link import Link
from service import wire
from service.api.answers import explained
from service.client.client import CallError, CommandResult

#: Which card a number stands for where it was dealt.
Name = Callable[[int], str]


#: How a card is written that nobody has named.
NAMELESS = re.compile(r"([A-Z]\.)?(([\w-]+\.)?\?{4}(#\d+)?|[\w-]+#\d+)")


class Failed(CallError):
    """A call that failed as a real one would."""

    def __init__(self, code: str, reason: str, text: str = "", **metadata: str) -> None:
        Exception.__init__(self, text)
        self.code, self.reason, self.text = code, reason, text
        self.metadata, self.violations = metadata, []


class LocalService:
    """A service with one match at a real table. `down`: so many calls will not get through."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.log: list[Entry] = match.collect()
        self.down = 0
        self.calls: list[str] = []
        self._done: dict[str, CommandResult] = {}
        self._base: Position | None = None  # at a resting point
        self._after = 0  # how many entries it holds

    def choose(
        self, match: str, decision: int, act: Act, request_id: str = "", *,
        seat: int | None = None, names: Mapping[int, str] | None = None,
        rolls: Sequence[Sequence[int]] = (), implied: bool = False, passes: int = 0,
        ends: bool = False,
    ) -> CommandResult:  # fmt: skip
        inputs = Inputs(names or {}, tuple(map(tuple, rolls)), "Sam")
        origin = "implied" if implied else "seat"

        def command(m: Match) -> None:
            now, found = m.pos.time + 1, (origin, inputs)
            implying.after_passes(
                m, passes, decision, now, inputs,
                lambda n: m.choose(seat or 0, n, act, now, "", *found), ends,
            )  # fmt: skip

        return self._carry_out(request_id, command)

    def set_auto_pass(
        self, match: str, decision: int, *, until_turn_ends: bool = False,
        until_rival_acts: bool = False, steps: Sequence[str] = (), seat: int | None = None,
        request_id: str = "", names: Mapping[int, str] | None = None,
        rolls: Sequence[Sequence[int]] = (),
    ) -> CommandResult:  # fmt: skip
        left = AutoPass(until_turn_ends, until_rival_acts, tuple(steps))
        inputs = Inputs(names or {}, tuple(map(tuple, rolls)), "Sam")
        return self._carry_out(
            request_id,
            lambda m: m.set_auto_pass(seat or 0, decision, left, m.pos.time + 1, "", inputs),
        )

    def withdraw_auto_pass(self, match: str, *, seat: int | None = None) -> None:
        self.match.withdraw_auto_pass(seat or 0)

    def foresee(self, match: str, ends: bool = False) -> tuple[int, list[Entry], bool]:
        decision = self.match.pos.decision
        found = implying.foresee(self._resumed(), ends)
        return (decision.n if decision is not None else 0, *found)

    def why_not(
        self, match: str, act: Act, seat: int | None = None, *,
        names: Mapping[int, str] | None = None, passes: int = 0, ends: bool = False,
    ) -> Any:  # fmt: skip
        inputs = Inputs(names or {}, (), "Sam")
        match = self._resumed()
        found = implying.trial(match, passes, ends, seat or 0, act, match.pos.time, inputs)
        message = explained(found.refusal)
        if found.offer is not None:
            message.offer.CopyFrom(wire.offer(found.offer))
        return message

    def copy(self) -> LocalService:
        """Another one with the same match, on which something can be tried."""
        found = LocalService(self._resumed())
        found.log = list(self.log)
        return found

    def _resumed(self) -> Match:
        tail = self.log[self._after :]
        if any(isinstance(entry.event, Rewound) for entry in tail):
            self._base, self._after, tail = None, 0, self.log
        elif len(tail) > 60 and (rest := resting(tail)):
            self._base = fold_all(tail[:rest], self._base)
            self._after, tail = self._after + rest, tail[rest:]
        base = decoded(self._base.encoded()) if self._base is not None else None
        found = Match.resume(self.match.rules, tail, no_dice, base)
        found.auto_passes = self.match.auto_passes
        return found

    def interject(
        self, match: str, act: Act, request_id: str = "", *,
        seat: int | None = None, names: Mapping[int, str] | None = None,
        rolls: Sequence[Sequence[int]] = (),
    ) -> CommandResult:  # fmt: skip
        inputs = Inputs(names or {}, tuple(map(tuple, rolls)), "Sam")
        picks = act.picks[0] if act.picks else ()
        return self._carry_out(
            request_id,
            lambda m: m.interject(
                seat or 0, act.kind, m.pos.time + 1, act.card, picks, "", inputs
            ),
        )  # fmt: skip

    def record(self, match: str, act: OfficialAct) -> CommandResult:
        rolls = tuple(map(tuple, getattr(act, "rolls", ())))

        def command(m: Match) -> None:
            by = Official("Sam", m.pos.time + 1, getattr(act, "why", ""), rolls=rolls)
            carry_out(m, by, act, Past(self.log, m.dice))

        return self._carry_out(act.request_id, command)

    def events(self, match: str, start: Point = NOW) -> Iterator[Entry]:
        self._reach()
        return iter(self.log[(start.seq or 1) - 1 :])

    def watch(
        self, match: str, after: int = 0, *, patience: float = 30.0, stay: bool = False,
        on_head: Callable[[Head], None] | None = None,
    ) -> Iterator[Entry]:  # fmt: skip
        self._reach()
        yield from self.log[after:]
        if on_head is not None:
            on_head(Head(self.log[-1].seq, bytes(32)))

    def _reach(self) -> None:
        if self.down:
            self.down -= 1
            raise Failed("UNAVAILABLE", "UNAVAILABLE")

    def _carry_out(self, name: str, command: Any) -> CommandResult:
        self.calls.append(name)
        if name in self._done:
            return self._done[name]
        first = self.log[-1].seq + 1
        try:
            command(self.match)
        except (Refused, Stale, NameRequired, RollRequired) as error:
            self.match = self._resumed()
            raise _failed(error) from None
        self.log += self.match.collect()
        self._done[name] = CommandResult(first, self.log[-1].seq, None)
        self._reach()  # what is recorded may still be lost on its way back
        return self._done[name]


def _failed(error: Exception) -> Failed:
    match error:
        case NameRequired(needs=needs):
            cards = ",".join(str(need.number) for need in needs)
            places = ",".join(need.place for need in needs)
            return Failed("FAILED_PRECONDITION", "CARD_UNNAMED", "", cards=cards, places=places)
        case RollRequired(kind=kind, of=of):
            return Failed("FAILED_PRECONDITION", "ROLL_REQUIRED", "", kind=kind, of=str(of))
        case Refused(refusal=refusal):
            rules = ",".join(refusal.rules)
            return Failed("FAILED_PRECONDITION", refusal.fault, refusal.text, rules=rules)
        case _:
            return Failed("ABORTED", "DECISION_STALE", str(error))


def desk(rules: Game, opening: Opening, dealt: Sequence[Entry]) -> LocalService:
    """A service with a match that was opened at a real table, where chance fell as in `dealt`."""
    return LocalService(at_table(rules, opening, dealt))


class Typist:
    """Types what a dealt match did; `keys` are those it took, act by act."""

    def __init__(self, desk: LocalService, book: Any) -> None:
        self.desk, self.link = desk, Link(desk, "m")
        self.session = Session("m", book)
        self.session.foresee, self.session.trial = self.link.foresee, self.link.trial
        self.input_line = InputLine(self.session)
        self.keys: list[tuple[str, str]] = []  # what was done, what was pressed
        self.dealt: dict[int, int] = {}  # unknown cards here that stand for others there
        self.here: dict[int, int] = {}  # and the other way round
        self._aimed = False  # whether what is to be done has a target
        self.text_ = ""  # what is being done, as it was written where it was dealt
        self._catch_up()

    def enter(self, act: Act, text: str, name: Name) -> None:
        """Do what was done where it was dealt, and was written so there."""
        wanted, self._aimed = self._here(act), any(act.picks) and " -> " in text
        self.text_ = text
        pressed = self._quick(wanted, name) or self._typed(wanted, text, name)
        assert pressed, f"no way to type {act}"
        keys, command = pressed
        self._carry_out(command, wanted, keys, name)

    def line(self, line: str, act: Act, name: Name) -> None:
        """Type a line as it is, which is to do that."""
        command = self._chosen(line)
        assert command is not None, line
        self._swap(Act(command.act.kind, command.act.card), Act(act.kind, self._here(act).card))
        self._send(command, f"{line}⏎", name)

    def enter_unsaid(
        self, act: Act, text: str, seat: int, name: Name, passes: list[tuple[Act, str]]
    ) -> int:
        """Do what was done after these passes, which nobody types; how many had to be typed."""
        line = self._unsaid(act, text, seat, name, passes)
        typed = len(passes)
        for passed in passes:
            self.enter(*passed, name)
        if not line:
            self.enter(act, text, name)
        passes.clear()
        return typed

    def _unsaid(
        self, act: Act, text: str, seat: int, name: Name, passes: list[tuple[Act, str]]
    ) -> str:
        """The typed line; empty if no line means it. Takes the passes out that it took."""
        wanted, self._aimed = self._here(act), any(act.picks) and " -> " in text
        self.text_ = text
        for line in self._spelt(text, seat, wanted, name, len(passes)) if passes else ():
            command = self._chosen(line)
            if command is not None and command.implied and command.passes < len(passes):
                del passes[: command.passes + 1]
                self._carry_out(command, command.act, "", name)
                return self._unsaid(act, text, seat, name, passes)
            if command is None or command.implied:
                continue
            stop = self._stop(len(passes))
            if command.passes == len(passes) and self._same(command, wanted, name, stop):
                self._swap(command.act, wanted)
                self.input_line.type(line)
                self.input_line.enter(self.input_line.understood())
                self._send(command, f"{line}⏎", name)
                passes.clear()
                return line
        return ""

    def _spelt(self, text: str, seat: int, wanted: Act, name: Name, passes: int) -> Iterator[str]:
        """An act in the words of who knows all cards, and of who knows those that are seen here."""
        yield from (text, f"{letter(seat)}: {text}")
        pos, t = self._stop(passes) if passes else self.session.pos, self.input_line.table(seat)
        if pos is not None and pos.decision is not None:
            offer = pos.decision.offers.get(seat)
            there = replace(t, pos=pos, offer=offer).write(replace(wanted, effect=""))
            known = pos.cards.get(int(wanted.card)) if isinstance(wanted.card, int) else None
            if known is not None and not known.id:
                called = self.session.book.name(self.named(int(wanted.card), name))
                zone, at = zone_of(known.place), pos.zone(known.place).index(int(wanted.card)) + 1
                yield NAMELESS.sub(f"{zone}#{at}.{called}", there, 1)
                there = NAMELESS.sub(f"{zone}.{called}", there, 1)
                yield f"{wanted.kind} {called} {wanted.effect.rpartition('/')[2]}"
            yield there

    def _stop(self, passes: int) -> Position | None:
        stops = self.session.ahead.stops if self.session.ahead is not None else ()
        return next((stop.pos for stop in stops if stop.passes == passes), None)

    def _chosen(self, line: str) -> Command | None:
        self.input_line.type(line)
        try:
            return self._shown()
        finally:
            self.input_line.type("")

    def _shown(self) -> Command | None:
        """The act that Enter would do, as shown; None if it would be refused."""
        shown = self.input_line.understood()
        return shown.command if shown.refused is None and not shown.problem else None

    def _catch_up(self) -> None:
        self.session.feed(self.link.fetch(self.session.seq))

    def _here(self, act: Act) -> Act:
        swap = self.here.get
        picks = tuple(tuple(swap(r, r) if isinstance(r, int) else r for r in p) for p in act.picks)
        card = swap(act.card, act.card) if isinstance(act.card, int) else act.card
        return Act(act.kind, card, picks, act.effect)

    # -- what to press ---------------------------------------------------------------------------

    def _quick(self, wanted: Act, name: Name) -> tuple[str, Command] | None:
        input_line = self.input_line
        usual = self._shown()
        if usual is not None and self._same(usual, wanted, name):
            return "⏎", usual
        for row in input_line.on_offer(input_line.table()):
            if row.key and self._same(row.command, wanted, name):
                return row.key, row.command
        return None

    def _typed(self, wanted: Act, text: str, name: Name) -> tuple[str, Command] | None:
        """The shortest line of verb and name that means it, or a suggestion near the top."""
        best: tuple[str, Command] | None = None
        seat = self.session.seat
        for line in (*self._lines(wanted, name), *self._spelt(text, seat, wanted, name, 0)):
            if best is not None and len(line) + 1 >= len(best[0]):
                continue
            self.input_line.type(line)
            for down, command in enumerate(self._meant()):
                keys = f"{line}{'↓' * down}⏎"
                better = best is None or len(keys) < len(best[0])
                if better and command is not None and self._same(command, wanted, name):
                    best = keys, command
        self.input_line.type("")
        return best

    def _meant(self) -> Iterator[Command | None]:
        """The act that Enter would do, and those after a few steps down."""
        yield self._shown()
        for _ in self.input_line.rows[1:4]:
            self.input_line.move(1)
            yield self._shown()

    def _lines(self, wanted: Act, name: Name) -> Iterator[str]:
        """A verb's first letter and up to three words after it, each cut short; or names alone."""
        book, pos = self.session.book, self.session.pos
        text = self.input_line.table().write(wanted)
        for ref in (wanted.card, *(ref for part in wanted.picks for ref in part)):
            if isinstance(ref, int) and ref in pos.cards and not pos.cards[ref].id:
                called = book.name(self.named(ref, name))
                found = NAMELESS.search(text)
                lead = f"{found[0]}." if found and "?" not in found[0] else ""
                text = NAMELESS.sub(f"{lead}{called}", text, 1)
        verb, *words = fuzzy.words(text)
        yield from (verb[:n] for n in range(1, len(verb) + 1))
        for n in range(1, 6):
            yield from (word[:n] for word in words)
        for some in range(1, 4):
            for n in range(1, 6 - some):
                for picked in combinations(dict.fromkeys([*words[:6], *words[-1:]]), some):
                    yield " ".join((verb[0], *(word[:n] for word in picked)))

    # -- whether it is meant ---------------------------------------------------------------------

    def _same(self, command: Command, wanted: Act, name: Name, pos: Position | None = None) -> bool:
        """Whether a command does what is wanted, apart from cards that can't be told apart."""
        act = command.act
        if act.kind != wanted.kind or act.effect not in ("", wanted.effect):
            return False
        if act.effect != wanted.effect and self._which(wanted):
            return False
        p = pos or self.session.pos
        sizes = zip(map(len, act.picks), map(len, wanted.picks), strict=False)
        more = len(act.picks) > len(wanted.picks)
        if more or not all(mine == theirs for mine, theirs in sizes):
            return False
        if not all(self._like(mine, its, command, name, p) for mine, its in _pairs(act, wanted)):
            return False
        return not (self._aimed and not act.picks)

    def _which(self, wanted: Act) -> bool:
        """Whether the text of a card was named: others were possible."""
        return wanted.effect.rpartition("/")[2] in self.text_.split()

    def _like(self, mine: Any, theirs: Any, command: Command, name: Name, p: Position) -> bool:
        if mine == theirs:
            named = command.names.get(mine)
            return named is None or named == self.named(mine, name)
        if not isinstance(mine, int) or not isinstance(theirs, int) or not mine or not theirs:
            return False
        if mine not in p.cards or theirs not in p.cards:
            return False
        one, other = p.card(mine), p.card(theirs)
        if one.id or other.id:
            return False
        same = one.place == other.place and EVERYONE not in (one.follow, other.follow)
        card = self.named(theirs, name)
        return same and command.names.get(mine, card) == card

    # -- pressing --------------------------------------------------------------------------------

    def _carry_out(self, command: Command, wanted: Act, keys: str, name: Name) -> None:
        self._swap(command.act, wanted)
        self._send(command, keys, name)

    def _send(self, command: Command, keys: str, name: Name) -> None:
        """Have it recorded, with the answers to what is asked, here or at a later stop."""
        decision, text = self.session.decision, command.text
        assert decision is not None
        while True:
            outcome = self.link.send(command, decision.n)
            assert outcome is not None
            self.input_line.outcome(command, outcome)
            if self.input_line.question is None:
                break
            more, command = self._answer(name)
            keys += more
        assert self.input_line.refused is None, self.input_line.refused
        self.keys.append((text, keys))
        self._catch_up()

    def _swap(self, act: Act, wanted: Act) -> None:
        """An unknown card was named that is another one where it was dealt."""
        pairs = [(mine, self.dealt.get(its, its)) for mine, its in _pairs(act, wanted)]
        for mine, dealt in pairs:
            here, its = self.here.get(dealt, dealt), self.dealt.get(mine, mine)
            if mine != here:
                self.dealt[mine], self.dealt[here] = dealt, its
                self.here[dealt], self.here[its] = mine, here

    def named(self, number: int, name: Name) -> str:
        """Which card a number stands for, as it was dealt."""
        return name(self.dealt.get(number, number))

    def _answer(self, name: Name) -> tuple[str, Command]:
        keys = ""
        while self.input_line.question is not None:
            (number, _), *_ = self.input_line.question.cards  # type: ignore[attr-defined]
            card = self.named(number, name) or UNKNOWN
            word = self._shortest(number, card)
            self.input_line.type(word)
            command = self.input_line.enter(self.input_line.understood())
            keys += f"{word}⏎"
        assert command is not None
        return keys, command

    def _shortest(self, number: int, card: str) -> str:
        assert self.input_line.question is not None
        words = plain(self.session.book.name(card)).split()
        lines = [w[:n] for n in range(1, 8) for w in words]
        lines += [" ".join(w[:2] for w in words), card.casefold()]
        for line in sorted(lines, key=len):
            found = self.input_line.question.answers(line)
            if found and found[0].names == {number: card}:
                return line
        raise AssertionError(f"no way to name {card}")


def _pairs(act: Act, other: Act) -> list[tuple[Any, Any]]:
    """The subjects of two acts of one kind, pair by pair."""
    picked = zip(act.picks, other.picks, strict=False)
    return [(act.card, other.card), *(pair for two in picked for pair in zip(*two, strict=True))]
