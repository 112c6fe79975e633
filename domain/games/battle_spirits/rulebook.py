"""Battle Spirits, put together: steps by name, and the rulebook that the driver runs.

The chapters: `flow.setup`, `flow.turn`, `flow.attack`, `effects` (cores, figures, texts,
processes); `choices.acts` says what may be done, `choices.legal` what forbids it, `choices.prices`
what it costs, `lists` what a list may hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from domain.effects.select import Texts
from domain.games.battle_spirits.choices.acts import ACTS
from domain.games.battle_spirits.choices.disorder import disorder
from domain.games.battle_spirits.effects.instructions import ENOUGH, INSTRUCTIONS
from domain.games.battle_spirits.effects.occurrences import OCCURRENCES
from domain.games.battle_spirits.effects.processes import settle
from domain.games.battle_spirits.effects.texts import TERMS
from domain.games.battle_spirits.flow.attack import STEPS
from domain.games.battle_spirits.flow.setup import setup_step
from domain.games.battle_spirits.flow.turn import TURN
from domain.games.battle_spirits.lists import deck, formats
from domain.games.battle_spirits.lists.cards import CATALOGUE
from domain.games.battle_spirits.lists.words import WORDS
from domain.games.battle_spirits.looks import LOOK
from domain.games.battle_spirits.manifest import MANIFEST, TALLIES, WORTH
from domain.games.kit.game import CardTexts, Cites, Flow, Game, Lists
from domain.record import events as ev
from domain.record.position import Position
from domain.record.schema import citations


class BattleSpirits(Game):
    """What the book has more to say of."""

    def disorder(self, p: Position, quiet: bool) -> Iterator[str]:
        yield from disorder(p, quiet)
        yield from super().disorder(p, quiet)


RULEBOOK = BattleSpirits(
    manifest=MANIFEST,
    rules=citations.load(files(__package__) / "rules.tsv"),
    board=(files(__package__) / "board.txt").read_text("utf-8"),
    look=LOOK,
    tallies=TALLIES,
    worth=WORTH,
    lists=Lists(CATALOGUE, WORDS, deck.faults, formats.settled),
    flow=Flow(ACTS, {"setup": setup_step, **STEPS}, TURN),
    cites=Cites(
        opening=("house:open", "bs:6-2-1-1", "bs:1-1-1"),
        deck=("bs:6-1-1",),
        seats=("bs:1-2-1",),
        won=("bs:1-3-1",),
        drawn=("bs:1-3-3",),
        match=("bs:1-3-1", "house:series"),
        next_game=("bs:6-2-1",),
    ),
    texts=CardTexts(
        TERMS,
        Texts(INSTRUCTIONS, settle, enough=ENOUGH),
        OCCURRENCES,
        touching=(ev.StepBegan, ev.ActEnded),
    ),
)
