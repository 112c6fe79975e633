"""The Gundam Card Game, put together: steps by name, and the rulebook that the driver runs.

The chapters: `setup` (5-2), `deck` (5-1), `turn` (6), `play` (6-5-2), `attack` (7, 8),
`effects` and `choices.declare` (9), `effects.processes` (10), `effects.keywords` (11); `acts`
says what may be done, `choices.legal` and `choices.timing` what forbids it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files

from domain.effects.catalogue import Catalogue
from domain.effects.language.words import Words
from domain.effects.select import Texts
from domain.engine.rulebook import Refusal, Refused
from domain.engine.table import Table
from domain.games.gundam.choices import acts as table
from domain.games.gundam.choices import disorder, play
from domain.games.gundam.choices.timing import ACTION
from domain.games.gundam.effects.instructions import ENOUGH, INSTRUCTIONS
from domain.games.gundam.effects.keywords import KEYWORDS
from domain.games.gundam.effects.occurrences import OCCURRENCES
from domain.games.gundam.effects.processes import settle
from domain.games.gundam.effects.texts import ON_FIELD, TERMS
from domain.games.gundam.flow import attack, setup, turn
from domain.games.gundam.lists import deck, formats
from domain.games.gundam.lists.cards import CATALOGUE, FIRST, FIRST_WORDS, WORDS, Card
from domain.games.gundam.looks import LOOK
from domain.games.gundam.manifest import LATER, MANIFEST, TALLIES, WORTH
from domain.games.kit.editions import later
from domain.games.kit.game import CardTexts, Cites, Flow, Game, Lists
from domain.record.decisions import Act
from domain.record.position import Position, zone_of
from domain.record.schema import citations
from domain.record.schema.citations import Rule
from domain.record.schema.manifest import Manifest


class Gundam(Game):
    """What the book has more to say of."""

    def control(self, t: Table, cards: Sequence[int], seat: int, *cites: str) -> None:
        """Let a seat control cards on the field; raises `Refused` of others (reading:gcg/23)."""
        for number in cards:
            card = t.pos.cards[number]
            if card.host or zone_of(card.place) not in ON_FIELD:
                text = "who controls what lies on the field can change, and a Pilot's with its Unit"
                refusal = Refusal(("reading:gcg/23",), text, "BAD_CORRECTION")
                raise Refused(self.renumbered(refusal))
        play.give_control(t, cards, seat, *cites)

    def untenable(self, p: Position, act: Act) -> str:
        return super().untenable(p, act) or disorder.untenable(p, act)

    def disorder(self, p: Position, quiet: bool) -> Iterator[str]:
        yield from disorder.disorder(p, quiet)
        yield from super().disorder(p, quiet)


#: Between the games of a series, where lists have a sideboard.
SIDES = {"side": deck.SIDE.step("setup", "gcg:5-2-1")}


def _rulebook(
    manifest: Manifest, rules: Mapping[str, Rule], cards: Catalogue[Card], words: Words
) -> Gundam:
    later_edition = bool(manifest.edition)
    return Gundam(
        manifest=manifest,
        rules=rules,
        board=(files(__package__) / "board.txt").read_text("utf-8"),
        look=LOOK,
        situations=(files(__package__) / "situations.toml").read_text("utf-8"),
        tallies=TALLIES,
        worth=WORTH,
        lists=Lists(
            cards,
            words,
            partial(deck.faults, tokens=later_edition),
            formats.settled if later_edition else formats.settled_first,
            random_deck=deck.random_deck,
        ),
        flow=Flow(
            table.LATER if later_edition else table.ACTS,
            {"setup": setup.setup_step, **attack.STEPS.run, **(SIDES if later_edition else {})},
            turn.TURN,
            between=lambda options: "side" if formats.chosen(options).side else "",
            before=ACTION.hold,
            acting=("action",),
        ),
        cites=Cites(
            opening=("house:open", "gcg:1-1-1"),
            deck=("gcg:5-2-1-1", "gcg:5-1-1"),
            seats=("gcg:1-1-1",),
            won=("gcg:1-2-1",),
            drawn=("gcg:10-2-1", "reading:gcg/3"),
            match=("gcg:1-2-1", "gcg:4-2-3"),
            next_game=("gcg:5-2-1",),
        ),
        texts=CardTexts(TERMS, Texts(INSTRUCTIONS, settle, KEYWORDS, enough=ENOUGH), OCCURRENCES),
    )


_RULES = citations.load(files(__package__) / "rules.tsv")
RULEBOOK = _rulebook(MANIFEST, _RULES, FIRST, FIRST_WORDS)


#: What 1.9 was recorded with before it had as many cards, words of texts and readings.
EARLIER = {
    "cards": (FIRST.digest,),
    "manifest": (
        "bf4ed199d59a953ff1ab8dd64d93ecb9404902ff6e496f3a7caf60d0de18d0ce",
        "4dfdad6466e8fce84d39712f9ebd545a6b2e0f494a15cb4882c062cf8cedeeb3",
    ),
    "rules": ("62576321c60ec558ea7a247a68b7621addf6c782697ecd2b0e12a7c9799c9958",),
}


def in_edition(name: str) -> Gundam:
    """The game by a later edition of its book."""
    rules = citations.load(files(__package__) / f"rules-{name}.tsv")
    manifest = later(MANIFEST, name, _RULES, rules, **LATER)
    found = _rulebook(manifest, rules, CATALOGUE, WORDS)
    found.earlier = EARLIER
    return found
