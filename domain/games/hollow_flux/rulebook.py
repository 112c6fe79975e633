"""Hollow Flux, put together: steps by name, and the rulebook that the driver runs.

The chapters: `deck` and `setup`, `turn`, `choices.play` (cards, abilities, targets, energy),
`attack`, `effects.damage` and `flow.reload`, `effects.processes` (destruction), `interruption`
(windows), `effects` and `effects.instructions` (texts and keywords); `acts` says what may be done,
`choices.legal` what forbids it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files

from domain.effects.select import Texts
from domain.engine.rulebook import Refusal, Refused
from domain.engine.table import Table
from domain.games.hollow_flux.choices import disorder
from domain.games.hollow_flux.choices.acts import ACTS
from domain.games.hollow_flux.effects import figures
from domain.games.hollow_flux.effects.instructions import INSTRUCTIONS
from domain.games.hollow_flux.effects.occurrences import OCCURRENCES
from domain.games.hollow_flux.effects.processes import remove_destroyed, settle
from domain.games.hollow_flux.effects.texts import TERMS
from domain.games.hollow_flux.flow import attack, interruption, setup, turn
from domain.games.hollow_flux.lists import deck
from domain.games.hollow_flux.lists.cards import CATALOGUE, WORDS, undefinable
from domain.games.hollow_flux.lists.formats import settled
from domain.games.hollow_flux.looks import LOOK
from domain.games.hollow_flux.manifest import MANIFEST, TALLIES, WORTH
from domain.games.kit.game import CardTexts, Cites, Flow, Game, Lists
from domain.record.decisions import Act
from domain.record.position import Position
from domain.record.schema import citations
from domain.record.values import Value
from domain.words.phrases import Phrase


class HollowFlux(Game):
    """What the book has more to say of."""

    def refresh(self, t: Table) -> None:
        """Set cards and world sets lie neither active nor asleep (hf:card.set.2, card.world.3)."""
        p = t.pos
        flat = [n for n in TERMS.workplaces(p) if p.cards[n].host or figures.is_world(p, n)]
        t.turn(flat, "hf:card.world.3", "hf:card.set.2", orient="")
        super().refresh(t)

    def control(self, t: Table, cards: Sequence[int], seat: int, *cites: str) -> None:
        """Let a seat control characters; raises `Refused` of other cards (hf:field.ctrl.5)."""
        for number in cards:
            if not figures.is_character(t.pos, number):
                text = "a character's controller can change, that of another card never does"
                card = t.pos.cards[number]
                laid = ("hf:field.set.1",) if card.host or figures.is_world(t.pos, number) else ()
                rules = (*laid, "hf:field.ctrl.5")
                raise Refused(Refusal(rules, text, "BAD_CORRECTION"))
        super().control(t, cards, seat, *cites)

    def undefinable(self, figures: Mapping[str, Value]) -> Iterable[Phrase]:
        return undefinable(figures)

    def untenable(self, p: Position, act: Act) -> str:
        return super().untenable(p, act) or disorder.untenable(p, act)

    def disorder(self, p: Position, quiet: bool) -> Iterator[str]:
        yield from disorder.disorder(p, quiet)
        yield from super().disorder(p, quiet)


RULEBOOK = HollowFlux(
    manifest=MANIFEST,
    rules=citations.load(files(__package__) / "rules.tsv"),
    board=(files(__package__) / "board.txt").read_text("utf-8"),
    look=LOOK,
    tallies=TALLIES,
    worth=WORTH,
    lists=Lists(CATALOGUE, WORDS, deck.faults, settled),
    flow=Flow(
        ACTS,
        {
            "setup": setup.setup_step,
            "window": interruption.window_step,
            "resolve": interruption.resolve_step,
            "attack/defence": attack.defence_step,
            "attack/damage": attack.damage_step,
        },
        turn.TURN,
    ),
    cites=Cites(
        opening=("house:open", "hf:setup.order.1"),
        deck=("hf:prep.main.1", "hf:prep.guard.1", "hf:prep.copies.1"),
        seats=("house:open",),
        won=("hf:over.loss.1",),
        drawn=("reading:hf/A15", "hf:over.loss.1"),
        match=("hf:over.loss.1", "house:series"),
        next_game=("hf:setup.order.1",),
    ),
    texts=CardTexts(
        TERMS,
        Texts(INSTRUCTIONS, settle, {"keyword/pierce": attack.pierce}, remove_destroyed),
        OCCURRENCES,
    ),
)
