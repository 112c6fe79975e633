"""Yu-Gi-Oh!, put together: steps by name, and the rulebook that the driver runs.

The chapters: `flow.setup`, `flow.turn`, `flow.windows`, `flow.summons`, `flow.chain`,
`flow.battle`, `flow.damage`, `effects` (figures, texts, processes); `choices.acts` says what may be
done, `choices.legal` what forbids it, `lists` what a list may hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files

from domain.effects.select import Texts
from domain.engine.rulebook import Refusal, Refused
from domain.engine.table import Table
from domain.games.kit.game import CardTexts, Cites, Flow, Game, Lists
from domain.games.yugioh.choices import disorder
from domain.games.yugioh.choices.acts import ACTS, ANYTIME
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.instructions import INSTRUCTIONS, take_control
from domain.games.yugioh.effects.processes import settle
from domain.games.yugioh.effects.texts import TERMS
from domain.games.yugioh.effects.waiting.occurrences import OCCURRENCES
from domain.games.yugioh.flow.setup import setup_step
from domain.games.yugioh.flow.turn import TURN
from domain.games.yugioh.flow.windows import FAST
from domain.games.yugioh.lists import deck, formats
from domain.games.yugioh.lists.cards import CATALOGUE
from domain.games.yugioh.lists.words import WORDS
from domain.games.yugioh.looks import LOOK
from domain.games.yugioh.manifest import MANIFEST, RULES, TALLIES, WORTH
from domain.record import events as ev
from domain.record.position import Position


class YuGiOh(Game):
    """What the book has more to say of."""

    def control(self, t: Table, cards: Sequence[int], seat: int, *cites: str) -> None:
        """Let a seat control cards that lie on the field; raises `Refused` of others."""
        for number in cards:
            if not figures.on_field(t.pos, number):
                text = "only what lies on the field is controlled by somebody"
                raise Refused(Refusal(("ygo:base.control.1",), text, "BAD_CORRECTION"))
        take_control(t, cards, seat, *cites)

    def disorder(self, p: Position, quiet: bool) -> Iterator[str]:
        yield from disorder.disorder(p, quiet)
        yield from super().disorder(p, quiet)


RULEBOOK = YuGiOh(
    manifest=MANIFEST,
    rules=RULES,
    board=(files(__package__) / "board.txt").read_text("utf-8"),
    look=LOOK,
    tallies=TALLIES,
    worth=WORTH,
    lists=Lists(CATALOGUE, WORDS, deck.faults, formats.settled, forms=(deck.YDK,)),
    flow=Flow(
        ACTS,
        {"setup": setup_step, "side": deck.SIDE.step("setup", "ygo:base.setup.1")},
        TURN,
        between=lambda options: "side",
        before=FAST.hold,
        acting=ANYTIME,
    ),
    cites=Cites(
        opening=("house:open", "ygo:base.match.1"),
        deck=("ygo:base.deck.1", "ygo:base.deck.3"),
        seats=("ygo:base.match.1",),
        won=("ygo:base.loss.1",),
        drawn=("ygo:base.loss.1",),
        match=("ygo:base.loss.1", "house:series"),
        next_game=("ygo:base.setup.1",),
    ),
    texts=CardTexts(
        TERMS,
        Texts(INSTRUCTIONS, settle),
        OCCURRENCES,
        touching=(ev.StepBegan, ev.ActEnded),
    ),
)
