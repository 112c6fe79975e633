"""Carries out every effect of every card: `kifu simulate --cards`.

For each effect positions are made up in which it may come to something (`laying`), and played on
from (`attempt`), until it has been used, done, refused and answered. What led to something for
an effect of a kind is drawn more often for the next of that kind. Where something was seen for the
first time, the same is played once more with everything that must hold looked at after each moment,
and its record is verified. A position is written in the words of scenario files, so that a fault
can be made into one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from random import Random
from time import process_time

from msgspec import Struct, field

from domain import games
from domain.effects.language.vocabulary import Effect
from replay_cli.playing.effects.attempt import ELSE, Attempt, Demeanour, Found, asks
from replay_cli.playing.effects.draws import HALF_WAY, Draws
from replay_cli.playing.effects.laying import Layout

#: How often each effect is tried at most.
TRIES = 1000


class Report(Struct):
    """What was seen of each effect; faults, each with the position in which it came up.

    `seconds`: of a processor, for each card.
    """

    game: str
    effects: dict[str, Found] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    positions: int = 0
    decisions: int = 0
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def missing(self) -> dict[str, list[str]]:
        """The effects that were not seen wholly, and what is missing."""
        return {ref: one.lacks() for ref, one in self.effects.items() if one.lacks()}


class Coverage:
    """Tries the effects of a game's cards. The same seed tries the same."""

    def __init__(self, game: str, seed: int = 0) -> None:
        self.rules = games.rulebook(game)
        self._rng = Random(f"{game}/{seed}")
        self._layout, self._draws = Layout(self.rules, self._rng), Draws(self._rng)
        self.report = Report(game)

    def cover(self, card: str, tries: int = TRIES) -> None:
        """Try the effects of a card, until each was seen wholly or `tries` are over."""
        effects = {f"{card}/{one.name}": one for one in self.rules.cards[card].effects if one.do}
        mine = {ref: Found(one.name, one.kind, asks(one)) for ref, one in effects.items()}
        self.report.effects |= mine
        began = process_time()
        for n in count():
            left = [ref for ref, one in mine.items() if one.lacks() and one.tries < tries]
            if not left:
                break
            ref = self._rng.choice(left)
            self._try(card, mine, ref, effects[ref], n)
        self.report.seconds[card] = process_time() - began

    def _try(self, card: str, mine: Mapping[str, Found], ref: str, effect: Effect, n: int) -> None:
        """One position for one effect of a card, with what the others of the card do there."""
        before = {other: one.lacks() for other, one in mine.items()}
        used = mine[ref].used
        mine[ref].tries += 1
        self._draws.begin(_kinds(effect, before[ref]), mine[ref].tries)
        seats = range(self.rules.manifest.seats)
        demeanours = [
            Demeanour(self._draws(f"else/{seat}", ELSE), self._draws(f"aims/{seat}", (False, True)))
            for seat in seats
        ]
        text, liked = self._layout.make(card, effect, self._draws)
        self._play(card, liked, mine, text, f"{card}/{n}", demeanours, checked=False)
        seen = mine[ref].lacks() != before[ref]
        self._draws.learn(1 if seen else HALF_WAY if mine[ref].used > used else 0)
        if any(one.lacks() != before[other] for other, one in mine.items()):
            self._play(card, liked, mine, text, f"{card}/{n}", demeanours, checked=True)

    def _play(
        self,
        card: str,
        liked: set[str],
        mine: Mapping[str, Found],
        text: Sequence[str],
        seed: str,
        demeanours: Sequence[Demeanour],
        *,
        checked: bool,
    ) -> None:
        attempt = Attempt(self.rules, card, liked, mine, seed, demeanours, checked=checked)
        fault = attempt.play(text)
        self.report.positions += 1
        self.report.decisions += attempt.decisions
        if fault:
            self.report.faults.setdefault(f"{card}: {fault}", "\n".join(text))


def _kinds(effect: Effect, lacking: Sequence[str]) -> tuple[str, ...]:
    """What effects have in common that come to something in the same situations."""
    turns = sorted({f"{one.turn}{one.attacking}" for one in (*effect.when, *effect.provided)})
    pair = effect.linked, effect.paired is not None
    rest = lacking == ["refused"]
    widely = f"{effect.kind} {effect.on} {rest}"
    return widely, f"{widely} {effect.at} {effect.zone} {turns} {pair}"
