"""Plays on from a position, and notes what is seen of a card's texts.

Bots prefer what the card can do, and otherwise have one of several demeanours. Positions are made
up by `situations`; `coverage` says which, and what is to be seen.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from msgspec import Struct

from domain.effects.language.vocabulary import Choose, Effect
from domain.engine.checks.invariants import Watch
from domain.engine.checks.verify import EXACT, UNVERIFIED, verify
from domain.engine.match import Match
from domain.engine.signals import NameRequired, RollRequired
from domain.games.kit.game import Game
from domain.record import events as ev
from domain.record.decisions import Act, Offer, Option
from domain.record.entries import Entry
from domain.record.position import Position
from domain.text.scenario.setting import lay
from domain.text.scenario.text import BadScenario, Line
from replay_cli.playing.bots import Bot, seeded_dice

#: Decisions that are played from a position.
LENGTH = 12
#: How often a seat does something with the card where it can.
PREFERRED = 0.9
#: And how often to it, where something else was picked.
TOWARD = 0.5
#: What a seat does otherwise: as bots play, anything, anything
#: but nothing, nothing.
ELSE = ("bot", "any", "busy", "idle")
#: What acts without being triggered or declared.
CONSTANT = ("constant", "replacement", "part", "play")
#: Reasons for which something is never to be left undone.
NEVER = ("endless",)


class Demeanour(NamedTuple):
    """How a seat plays: what it does if nothing with the card; whether it aims at cards first."""

    otherwise: str
    aims: bool


class Found(Struct):
    """What was seen of an effect: in how many positions it was tried, and what came of it.

    `used`: it has triggered, was declared or acts. `done`: an entry cites it, other than its
    beginning or its failure. `refused`: an act with it was. `answered`: a player chose for it.
    """

    effect: str
    kind: str
    asks: bool = False
    tries: int = 0
    used: int = 0
    done: int = 0
    refused: int = 0
    answered: int = 0

    def lacks(self) -> list[str]:
        """What was never seen, of what can be."""
        wanted = ["used", "done"]
        wanted += ["refused"] if self.kind in ("activated", "command") else []
        wanted += ["answered"] if self.asks else []
        return [one for one in wanted if not getattr(self, one)]


def asks(effect: Effect) -> bool:
    """Whether carrying an effect out asks a player for anything.

    Whether something is to be replaced is asked before the text is known to be carried out.
    """
    return effect.kind != "replacement" and (
        effect.may or any(_asks(part) for part in (*effect.cost, *effect.do))
    )


def _asks(part: object) -> bool:
    if isinstance(part, Choose):
        return part.by != "random"
    if isinstance(part, list | tuple):
        return any(map(_asks, part))
    if isinstance(part, Struct):
        ways = len(getattr(part, "options", ())) > 1
        return (
            ways
            or bool(getattr(part, "may", False))
            or any(_asks(getattr(part, name)) for name in part.__struct_fields__)
        )
    return False


class Attempt:
    """Plays on from one position. `checked`: what must hold is looked at after each moment."""

    def __init__(
        self,
        rules: Game,
        card: str,
        liked: set[str],
        found: Mapping[str, Found],
        seed: str,
        demeanours: Sequence[Demeanour],
        *,
        checked: bool,
    ) -> None:
        self.rules, self.card, self.found, self.seed = rules, card, found, seed
        self._liked = liked
        self._under: list[tuple[int, str]] = []
        self._demeanours, self._checked = demeanours, checked
        self.rng = Random(seed)
        self.log: list[Entry] = []
        self.watch = Watch(rules)
        self.decisions = 0
        seats = range(rules.manifest.seats)
        self._bots = [Bot(rules.manifest, seat, seed) for seat in seats]

    def play(self, text: Iterable[str]) -> str:
        """Play; what went wrong, or nothing."""
        lines = [Line(n, 0, row) for n, row in enumerate(text, 1)]
        try:
            table = lay(self.rules, lines, self.seed)
        except BadScenario as bad:
            return f"position: {bad}"
        self._take(table.out)
        table.out = []
        match = Match(self.rules, table, seeded_dice(self.seed))
        try:
            match.driver.start()
            self._take(match.collect())
            if self._checked and (faults := self.watch.look(match.pos, listed=False)):
                return f"position: {faults[0]}"
            return self._decisions(match)
        except (NameRequired, RollRequired) as needed:
            return f"{type(needed).__name__}: {needed}"
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    def _decisions(self, match: Match) -> str:
        for _ in range(LENGTH):
            p = match.pos
            if p.over or p.paused >= 0 or p.decision is None:
                break
            for seat in p.decision.seats:
                self._try_refused(match, seat)
            seat = p.decision.seats[0]
            offer = p.decision.offers[seat]
            assert offer is not None
            act = self._act(match, seat, offer)
            match.choose(seat, p.decision.n, act, p.time + 100)
            self.decisions += 1
            self._take(match.collect())
            if self._checked and (faults := self.watch.look(match.pos, listed=False)):
                return faults[0]
        undone = [e.event.why for e in self.log if isinstance(e.event, ev.NotDone)]
        if undone_for := [why for why in undone if why in NEVER]:
            return f"not done: {undone_for[0]}"
        if not self._checked:
            return ""
        verdict = verify(self.log, self.rules)
        return "" if verdict.kind in (EXACT, UNVERIFIED) else f"{verdict.kind}: {verdict.reason}"

    def _act(self, match: Match, seat: int, offer: Offer) -> Act:
        """An act with the card, if there is one, as a rule."""
        p, bot = match.pos, self._bots[seat]
        mine = [one for one in offer.options if self._is_mine(p, one, offer)]
        still = [one for one in offer.options if not (one.card or one.parts)]
        if mine and self.rng.random() < PREFERRED:
            option = self.rng.choice(mine)
        elif self._demeanours[seat].otherwise == "bot" and len(offer.options) > 1:
            return bot.choose(offer, p)
        elif self._demeanours[seat].otherwise == "idle" and still:
            option = still[0]
        else:
            busy = self._demeanours[seat].otherwise == "busy"
            open_ = [one for one in offer.options if not (busy and one in still)] or still
            kind = self.rng.choice(sorted({one.kind for one in open_}))
            option = self.rng.choice([one for one in open_ if one.kind == kind])
        aims = self._demeanours[seat].aims
        return self._toward(p, offer, option, bot.complete(offer, option), aims)

    def _toward(self, p: Position, offer: Offer, option: Option, act: Act, aims: bool) -> Act:
        """The act, done to what one likes where that may be picked instead, every other time."""
        picks = list(act.picks)
        for at, part in enumerate(option.parts):
            pool = offer.pools[part.pool] if part.pool >= 0 and part.limits is None else ()
            cards = [n for n in pool if n in p.cards]
            liked = [n for n in cards if p.cards[n].id in self._liked]
            apart = aims and len(cards) < len(pool)
            liked = liked or (cards if apart else [])
            if not (liked and at < len(picks) and picks[at]):
                continue
            if apart or self.rng.random() < TOWARD:
                one = self.rng.choice(liked)
                picks[at] = picks[at] if one in picks[at] else (one, *picks[at][1:])
        return option.act(tuple(picks))

    def _is_mine(self, p: Position, option: Option, offer: Offer) -> bool:
        """Whether an act is one of the card or of its host, or lays something with it."""
        card = p.cards.get(option.card) if isinstance(option.card, int) else None
        if card is None:
            return False
        among = (offer.pools[part.pool] for part in option.parts if part.pool >= 0)
        picked = (p.cards[n].id for pool in among for n in pool if n in p.cards)
        named = (card.id, *(p.cards[n].id for n in card.attached), *picked)
        return not self._liked.isdisjoint(named)

    def _try_refused(self, match: Match, seat: int) -> None:
        """Ask why the card's acts can't be done where they are not on offer."""
        p = match.pos
        wanted = {ref for ref, one in self.found.items() if "refused" in one.lacks()}
        if not wanted:
            return
        offer = p.decision.offers[seat] if p.decision is not None else None
        open_ = {(one.kind, one.card) for one in (offer.options if offer is not None else ())}
        kinds = [word.name for word in self.rules.manifest.acts]
        for number, card in p.cards.items():
            if card.id != self.card or card.owner != seat:
                continue
            for ref in wanted:
                kind = "command" if self.found[ref].kind == "command" else "activate"
                if kind not in kinds or (kind, number) in open_:
                    continue
                name = "" if kind == "command" else self.found[ref].effect
                if match.why_not(seat, Act(kind, number, (), name)) is not None:
                    self.found[ref].refused += 1

    def _take(self, entries: Collection[Entry]) -> None:
        self.log += entries
        if self._checked:
            self.watch.take(entries)
        for entry in entries:
            match entry.event:
                case ev.EffectTriggered(effect=ref) | ev.ActDeclared(effect=ref):
                    if ref in self.found:
                        self.found[ref].used += 1
                case ev.ActResolving(id=act):
                    self._under += [(act, ref) for ref in self._cited(entry)]
                case ev.ActEnded(id=act):
                    self._under = [one for one in self._under if one[0] != act]
                case ev.DecisionMade():
                    for _, ref in self._under:
                        self.found[ref].answered += 1
                case ev.DecisionOpened():
                    for ref in self._cited(entry):
                        self.found[ref].answered += 1
                case ev.NotDone():
                    pass
                case _:
                    by_text = any(_TEXT.fullmatch(cite) for cite in entry.cites)
                    through = [ref for _, ref in self._under] if by_text else []
                    for ref in {*self._cited(entry), *through}:
                        self.found[ref].done += 1
                        self.found[ref].used += self.found[ref].kind in CONSTANT

    def _cited(self, entry: Entry) -> Iterator[str]:
        """The effects that are looked at, of those that an entry cites."""
        for cite in entry.cites:
            if (text := _TEXT.fullmatch(cite)) and text[1] in self.found:
                yield text[1]


_TEXT = re.compile(r"card:(.+)")
