"""The Gundam Card Game, put together: steps by name, and the rulebook that the driver runs.

The chapters: `setup` (5-2), `deck` (5-1), `turn` (6), `play` (6-5-2), `attack` (7), `action` (8),
`effects` and `activate` (9), `processes` (10), `keywords` (11); `legal` and `timing` say what may
be done, and when.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

from msgspec.structs import replace

from domain.effects.constant import derive
from domain.engine.rulebook import DeckFault, Refusal, Refused, Step
from domain.engine.series import conclude
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam import attack, deck, disorder, play, setup, turn
from domain.games.gundam.acts import ACTS
from domain.games.gundam.cards import CATALOGUE, WORDS, Card
from domain.games.gundam.effects import PLACES, TERMS, resolve_triggers
from domain.games.gundam.instructions import INSTRUCTIONS
from domain.games.gundam.keywords import KEYWORDS
from domain.games.gundam.manifest import MANIFEST
from domain.games.gundam.processes import settle
from domain.games.gundam.timing import ACTION
from domain.record import citations
from domain.record.decisions import Act, Misfit
from domain.record.events import Ref
from domain.record.position import Position, zone_of

TERMS.instructions = INSTRUCTIONS
TERMS.processes = settle
TERMS.keywords = KEYWORDS

#: Adopted readings, numbered as the ambiguities of the book are; cited as `reading:gcg/4`.
READINGS = tuple(f"reading:gcg/{n}" for n in range(1, 24))


class Gundam:
    """`domain.engine.rulebook.Rulebook` for this game."""

    manifest = replace(MANIFEST, acts=ACTS.words)
    rules = citations.load(files(__package__) / "rules.tsv")
    cards = CATALOGUE.cards
    words = WORDS
    decks = CATALOGUE.decks
    readings = READINGS
    answers: Mapping[str, tuple[str, ...]] = ACTS.answers
    idle = ACTS.idle
    first_step = "setup"
    opening_cites = ("house:open", "gcg:1-1-1")
    deck_cites = ("gcg:5-2-1-1", "gcg:5-1-1")
    board = (files(__package__) / "board.txt").read_text("utf-8")
    digests: Mapping[str, str] = {
        "manifest": manifest.digest(),
        "rules": citations.digest(rules.values()),
        "cards": CATALOGUE.digest,
    }
    steps: Mapping[str, Step] = {
        "setup": setup.setup_step,
        "start/active": turn.active_step,
        "start/start": turn.start_step,
        "draw": turn.draw_step,
        "resource": turn.resource_step,
        "main": turn.main_step,
        "attack/attack": attack.attack_step,
        "attack/block": attack.block_step,
        "attack/action": attack.attack_action_step,
        "attack/damage": attack.damage_step,
        "attack/end": attack.battle_end_step,
        "end/action": turn.end_action_step,
        "end/end": turn.end_step,
        "end/hand": turn.hand_step,
        "end/cleanup": turn.cleanup_step,
    }

    def known(self, prints: tuple[str, ...]) -> Mapping[str, Card]:
        return CATALOGUE.known(prints)

    def admit(self, prints: tuple[str, ...]) -> None:
        CATALOGUE.admit(prints)

    def check_deck(
        self, parts: Mapping[str, Sequence[str]], prints: tuple[str, ...] = ()
    ) -> list[DeckFault]:
        return deck.faults(parts, CATALOGUE.known(prints))

    def wrong_seats(self, n: int) -> Refusal:
        return Refusal(("gcg:1-1-1",), f"two players play, not {n}", "WRONG_SEATS")

    def refusal(
        self, t: Table, seat: int, act: Act, misfit: Misfit | None = None
    ) -> Refusal | None:
        return ACTS.refusal(t, seat, act, misfit)

    def cites(self, t: Table, seat: int, act: Act) -> tuple[str, ...]:
        return ACTS.cites(t, seat, act)

    def refresh(self, t: Table) -> None:
        derive(t, TERMS)

    def play_anyway(self, t: Table, seat: int, act: Act) -> Play:
        yield from ACTS.aside(t, seat, act)
        yield from resolve_triggers(t)

    def amend(self, t: Table) -> Play:
        ACTION.hold(t)
        t.touched = True
        self.refresh(t)
        yield from TERMS.settle(t)
        yield from resolve_triggers(t)

    def control(self, t: Table, cards: Sequence[int], seat: int, *cites: str) -> None:
        for number in cards:
            card = t.pos.cards[number]
            if card.host or zone_of(card.place) not in PLACES["control"]:
                text = "who controls what lies on the field can change, and a Pilot's with its Unit"
                raise Refused(Refusal(("reading:gcg/23",), text, "BAD_CORRECTION"))
        play.hand_over(t, cards, seat, *cites)

    def untenable(self, p: Position, act: Act) -> str:
        return disorder.untenable(p, act)

    def standing(self, p: Position, seat: int) -> list[Act]:
        return ACTS.standing(p, seat)

    def disorder(self, p: Position, quiet: bool) -> Iterator[str]:
        return disorder.disorder(p, quiet)

    def interject(self, t: Table, seat: int, kind: str, about: Ref, picks: tuple[Ref, ...]) -> Play:
        return (yield from ACTS.carry_out(t, seat, Act(kind, about, (picks,))))

    def ending(self, t: Table) -> Play:
        """1-2-1: the game ends; a series goes on until somebody has won more than half of it."""
        won, drawn = ("gcg:1-2-1",), ("gcg:10-2-1", "reading:gcg/3")
        conclude(t, won, drawn, ("gcg:1-2-1", "gcg:4-2-3"), self.first_step, "gcg:5-2-1")
        return
        yield


RULEBOOK = Gundam()
