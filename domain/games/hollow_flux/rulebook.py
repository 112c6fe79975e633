"""Hollow Flux, put together: steps by name, and the rulebook that the driver runs.

The chapters: `deck` and `setup`, `turn`, `play` (cards, abilities, targets, energy), `attack`,
`damage` and `reload`, `processes` (destruction), `interruption` (windows), `effects` and
`instructions` (texts and keywords); `legal` says what may be done, `offers` what is on offer.
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
from domain.games.hollow_flux import (
    attack,
    deck,
    disorder,
    figures,
    interruption,
    setup,
    turn,
)
from domain.games.hollow_flux.acts import ACTS
from domain.games.hollow_flux.cards import CATALOGUE, WORDS, Card
from domain.games.hollow_flux.effects import TERMS, resolve_triggers
from domain.games.hollow_flux.instructions import INSTRUCTIONS
from domain.games.hollow_flux.manifest import MANIFEST
from domain.games.hollow_flux.processes import bury, settle
from domain.record import citations
from domain.record.decisions import Act, Misfit
from domain.record.events import Ref
from domain.record.position import Position

TERMS.instructions = INSTRUCTIONS
TERMS.processes = settle
TERMS.bury = bury
TERMS.pierce = attack.pierce
#: Adopted readings, numbered as the ambiguities of the book are. A32: what went off first is
#: carried out first; the turn player orders what went off together. A33: what destroys a character
#: is what dealt it the last damage, or the source of an effect that destroys; a power that came
#: down to 0 is nobody's doing. A34: what a text says is done instead of being destroyed, or of
#: losing, is done instead, once for each event; whoever survives so stays until it is worse off.
READINGS = tuple(f"reading:{MANIFEST.prefix}/A{n}" for n in range(1, 35))


class HollowFlux:
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
    opening_cites = ("house:open", "hf:setup.order.1")
    deck_cites = ("hf:prep.main.1", "hf:prep.guard.1", "hf:prep.copies.1")
    board = (files(__package__) / "board.txt").read_text("utf-8")
    digests: Mapping[str, str] = {
        "manifest": manifest.digest(),
        "rules": citations.digest(rules.values()),
        "cards": CATALOGUE.digest,
    }
    steps: Mapping[str, Step] = {
        "setup": setup.setup_step,
        "active": turn.active_step,
        "draw": turn.draw_step,
        "energy": turn.energy_step,
        "main/start": turn.main_start_step,
        "main": turn.main_step,
        "discard": turn.discard_step,
        "end/heal": turn.heal_step,
        "end/effects": turn.end_effects_step,
        "end/lift": turn.lift_step,
        "window": interruption.window_step,
        "resolve": interruption.resolve_step,
        "attack/defence": attack.defence_step,
        "attack/damage": attack.damage_step,
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
        return Refusal(("house:open",), f"two players play, not {n}", "WRONG_SEATS")

    def refusal(
        self, t: Table, seat: int, act: Act, misfit: Misfit | None = None
    ) -> Refusal | None:
        return ACTS.refusal(t, seat, act, misfit)

    def refresh(self, t: Table) -> None:
        p = t.pos
        flat = [n for n in TERMS.workplaces(p) if p.cards[n].host or figures.is_world(p, n)]
        t.turn(flat, "hf:card.world.3", "hf:card.set.2", orient="")
        derive(t, TERMS)

    def cites(self, t: Table, seat: int, act: Act) -> tuple[str, ...]:
        return ACTS.cites(t, seat, act)

    def play_anyway(self, t: Table, seat: int, act: Act) -> Play:
        yield from ACTS.aside(t, seat, act)

    def amend(self, t: Table) -> Play:
        t.touched = True
        self.refresh(t)
        yield from TERMS.settle(t)
        yield from resolve_triggers(t)

    def control(self, t: Table, cards: Sequence[int], seat: int, *cites: str) -> None:
        for number in cards:
            if not figures.is_character(t.pos, number):
                text = "a character's controller can change, that of another card never does"
                card = t.pos.cards[number]
                laid = ("hf:field.set.1",) if card.host or figures.is_world(t.pos, number) else ()
                rules = (*laid, "hf:field.ctrl.5")
                raise Refused(Refusal(rules, text, "BAD_CORRECTION"))
        t.control(cards, seat, *cites)

    def untenable(self, p: Position, act: Act) -> str:
        return disorder.untenable(p, act)

    def standing(self, p: Position, seat: int) -> list[Act]:
        return ACTS.standing(p, seat)

    def disorder(self, p: Position, quiet: bool) -> Iterator[str]:
        return disorder.disorder(p, quiet)

    def interject(self, t: Table, seat: int, kind: str, about: Ref, picks: tuple[Ref, ...]) -> Play:
        return (yield from ACTS.carry_out(t, seat, Act(kind, about, (picks,))))

    def ending(self, t: Table) -> Play:
        """The game ends; a series goes on until somebody has won more than half of it."""
        won, drawn = ("hf:over.loss.1",), ("reading:hf/A15", "hf:over.loss.1")
        conclude(
            t, won, drawn, ("hf:over.loss.1", "house:series"), self.first_step, "hf:setup.order.1"
        )
        return
        yield


RULEBOOK = HollowFlux()
