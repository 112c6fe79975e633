"""A new instruction takes a class, its line in the game's list, a rule, a word in the manifest.

Who carries it out is its class, or the game.

Each of them that is left out is an error as the game is loaded, which names the instruction.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import msgspec
import pytest
from msgspec.structs import replace

from domain.effects.language.check import faults
from domain.effects.language.instruction import (
    Instruction,
    OnItself,
    by_rules,
    carried_out,
    taken_up,
)
from domain.effects.language.vocabulary import Effect, Of, Phrases
from domain.effects.wording import texts
from domain.effects.wording.phrasebook import Phrasebook
from domain.effects.wording.phrasebook import Words as Wording
from domain.words.phrases import phrase
from tests.lamps.cards import WORDS
from tests.lamps.manifest import MANIFEST
from tests.lamps.texts import TERMS, TEXTS


class Transfer(OnItself, tag="transfer", kw_only=True):
    """A counter of each card goes to this one."""

    key: Annotated[str, Of("counter")]

    phrases: ClassVar[Phrases] = {"": phrase("move a counter ({key}) of {cards} here")}


LISTED = replace(WORDS, counters={"oil"}, instructions={**WORDS.instructions, **taken_up(Transfer)})
ATTEMPTS = MANIFEST.words("attempts")
DATA = {
    "kind": "triggered", "name": "x", "on": "lit",
    "do": [{"do": "transfer", "key": "oil", "to": {"zone": "quay", "whose": "theirs"}}],
}  # fmt: skip


def test_a_listed_instruction_is_read_checked_worded_and_carried_out() -> None:
    effect = LISTED.convert(DATA, Effect)
    assert [*faults(effect, LISTED)] == []
    words = Wording(Phrasebook(happens={"lit": "{card} is lit"}), MANIFEST, {})
    assert "move a counter (oil) of all your opponent's cards" in texts.sentence(words, effect)

    def way(*asked: Any) -> Any:
        return asked

    done = carried_out(LISTED.instructions, transfer=way, draw=TEXTS.instructions["draw"])
    assert done["transfer"] is way


def test_who_carries_it_out_is_missed() -> None:
    with pytest.raises(TypeError, match="nothing carries out the instruction transfer"):
        carried_out(LISTED.instructions, draw=TEXTS.instructions["draw"])


def test_its_line_in_the_list_is_missed() -> None:
    with pytest.raises(TypeError, match="no text of this game knows the instruction transfer"):
        carried_out(WORDS.instructions, draw=TEXTS.instructions["draw"], transfer=lambda *c: None)  # type: ignore[arg-type, misc, return-value]
    with pytest.raises(msgspec.ValidationError, match="transfer: unknown instruction"):
        WORDS.convert(DATA, Effect)


def test_its_rule_is_missed() -> None:
    by_rules(WORDS.instructions, TERMS.words, ATTEMPTS)
    with pytest.raises(TypeError, match="no rule is cited for the instruction transfer"):
        by_rules(LISTED.instructions, TERMS.words, ATTEMPTS)


def test_its_word_in_the_manifest_is_missed() -> None:
    rules = {**TERMS.words, "transfer": ("toy:1",)}
    with pytest.raises(TypeError, match="the manifest lacks the instruction transfer"):
        by_rules(LISTED.instructions, rules, ATTEMPTS)


def test_its_phrase_its_docstring_and_its_word_are_missed() -> None:
    class Mute(Instruction, tag="mute"):
        """It has no phrase."""

    class Nameless(Instruction):
        """It has no word."""

    with pytest.raises(TypeError, match="the instruction mute has no phrases"):
        taken_up(Mute)
    with pytest.raises(TypeError, match="Nameless has no word"):
        taken_up(Nameless)


def test_a_field_that_it_does_not_have_is_named() -> None:
    for clause, fault in (
        ({"do": "transfer", "key": "oil", "n": 2}, "transfer: it does not use `n`"),
        ({"do": "transfer"}, "transfer: it needs `key`"),
        ({"do": "transfer", "key": 3}, "transfer: Expected `str`, got `int`"),
    ):
        with pytest.raises(msgspec.ValidationError, match=fault):
            LISTED.convert({**DATA, "do": [clause]}, Effect)
    wrong = LISTED.convert({**DATA, "do": [{"do": "transfer", "key": "tea"}]}, Effect)
    (fault,) = faults(wrong, LISTED)
    assert "x, transfer: unknown counter 'tea'" in fault
