"""Instructions of card texts that play cards, pay for them, or lay them with Units (1.9).

How they are carried out is in `effects.playing`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from domain.effects.instructions import cards
from domain.effects.language.instruction import Aimed, Instruction, Numbered
from domain.effects.language.vocabulary import Choose, Effect, Group, Of, Phrases
from domain.words.phrases import Phrase, phrase


class Play(cards.Deploy, tag="play"):
    """In Gundam, from 1.9: Units and Bases are deployed, and their player pays the cost of each.

    Their Lv is not asked for. For what can't be paid nothing is done.
    """

    phrases: ClassVar[Phrases] = {"": phrase("pay the cost of {cards} and deploy them")}


class Pay(Numbered, tag="pay"):
    """In Gundam, from 1.9: you pay `n`, with Resources that you choose; all of it or nothing."""

    plain: ClassVar[bool] = True
    example = "n = 1"
    phrases: ClassVar[Phrases] = {"": phrase("pay {n}")}


class PairWith(Instruction, tag="pair-with", kw_only=True):
    """In Gundam, from 1.9: this card is paired with the chosen Unit, or the card of `rider` is."""

    choose: Choose
    rider: Group | None = None

    example = 'choose = { of = { zone = "battle", whose = "yours", match = { type = "unit" } } }'
    phrases: ClassVar[Phrases] = {
        "": phrase("pair this card with {cards}"),
        "rider": phrase("pair {rider} with {cards}"),
    }


class CommandText(Aimed, tag="command-text", kw_only=True):
    """In Gundam, from 1.9: the command effect with that timing (`key`) of cards in the Trash.

    It is activated as that of a Command, without being played; the card stays where it is.
    """

    key: Annotated[str, Of("timing")] = "main"

    example = 'key = "main", to = { zone = "moved", match = { type = "command" } }'
    ruled: ClassVar[bool] = False
    phrases: ClassVar[Phrases] = {
        "main": phrase("activate the Main of {cards}"),
        "action": phrase("activate the Action of {cards}"),
    }

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        if not self.named:
            yield phrase("it names the cards whose effect it is")
        yield from super().check(effect, words)


PLAYING: tuple[type[Instruction], ...] = (Play, Pay, PairWith, CommandText)
