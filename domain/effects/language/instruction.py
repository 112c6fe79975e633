"""The base of instructions: a class, whose objects are the clauses of card texts that give it.

Its word is the tag by which it is read (`tag="draw"`), its docstring says on the pages what happens
there (`kifu cards --words`), `example` how it is written. Its fields are all that a clause may
state: anything else is refused as card data is read. `phrases` are the sentences in which people
read it, `check` finds what its types can't say, `carry_out` does it, unless each book has a way of
its own, and `done_already` and `lacks` say in advance that it would do nothing. Those that games
share are in `domain.effects.instructions`; a game lists what its texts know (`taken_up`), and what
its book has a way of its own for (`carried_out`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Struct

from domain.effects.language.vocabulary import (
    Amount,
    Choose,
    Clause,
    Condition,
    Effect,
    Group,
    Join,
    Of,
)
from domain.effects.select import Running, Terms
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.words.phrases import Phrase, phrase

#: Carries out a clause, as `Instruction.carry_out` does.
Run = Callable[[Any, Table, Terms, Running, list[int]], Play]
#: Whom an instruction about players concerns; in some games also who controlled what was chosen.
PLAYERS = frozenset({"", "you", "opponent", "both"})
ITS = "its"
#: Which of the times that `until` names is meant.
Time = Literal["", "yours", "theirs", "its"]

Player = Annotated[str, Of("player")]
Place = Annotated[str, Of("place")]
Lies = Annotated[str, Of("orient")]
Until = Annotated[str, Of("duration")]
#: What only texts state that last until some later time.
Later = Of(newer="whose")
#: And what they state of cards that come back then, or of the ways of instructions that few have.
Returns = Of(newer="returns")


class Instruction(
    Clause,
    Struct,
    tag_field="do",
    forbid_unknown_fields=True,
    omit_defaults=True,
    kw_only=True,
):
    """The fields and functions of every instruction, in every game."""

    when: list[Condition] = []
    join: Join = "sentence"
    may: bool = False

    #: how it is written, but for its word
    example: ClassVar[str] = ""
    #: its number may be below 0
    signed: ClassVar[bool] = False
    #: a rule is cited for it, by its word among those of the game's terms
    ruled: ClassVar[bool] = True
    #: it lets cards go to its `place`
    sends: ClassVar[bool] = False

    @property
    def do(self) -> str:
        return str(self.__struct_config__.tag)

    def carry_out(self, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        """Do it to cards that it may be done to: how much was asked and done (`Done`).

        What cannot be done is recorded, never passed over in silence. Here it is not defined: each
        book has its own way (`carried_out`).
        """
        raise NotImplementedError

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        """The faults in an effect that its types can't express; `words` of the game."""
        return
        yield

    def lies(self, words: Any) -> Collection[str]:
        """How cards may lie to which it is done."""
        return tuple(words.values.get("orient", ()))


class Numbered(Instruction):
    """An instruction with a number."""

    n: int = 1
    times: Literal["", "x"] = ""
    per: Annotated[Amount | None, Of(newer="per")] = None


class Aimed(Instruction):
    """An instruction that is done to cards: a group, or those that somebody chooses."""

    to: Group | None = None
    choose: Choose | None = None

    @property
    def named(self) -> bool:
        """Whether it names cards."""
        return self.to is not None or self.choose is not None

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        if self.to is not None and self.choose is not None:
            yield phrase("`to` and `choose` exclude each other")
        yield from super().check(effect, words)


class AimedNumbered(Aimed):
    """The same, with a number."""

    n: int = 1
    times: Literal["", "x"] = ""
    per: Annotated[Amount | None, Of(newer="per")] = None


class OnItself(Aimed):
    """An instruction that is done to this card, if its clause names none."""

    @property
    def on_itself(self) -> bool:
        return True


class OnItselfNumbered(AimedNumbered):
    """The same, with a number."""

    @property
    def on_itself(self) -> bool:
        return True


def taken_up(*classes: type[Instruction], without: Collection[str] = ()) -> Mapping[str, Any]:
    """The instructions that a game's texts know, by their words; a later class replaces an earlier.

    Raises `TypeError` for a class that lacks what it has to say.
    """
    found: dict[str, type[Instruction]] = {}
    for one in classes:
        word = one.__struct_config__.tag
        if not isinstance(word, str) or word == one.__name__:
            raise TypeError(f"{one.__name__} has no word: class {one.__name__}(…, tag=…)")
        for what, there in (("docstring", one.__doc__), ("phrases", one.phrases)):
            if not there:
                raise TypeError(f"the instruction {word} has no {what}")
        found[word] = one
    return {word: one for word, one in found.items() if word not in without}


def carried_out(
    instructions: Mapping[str, type[Instruction]], lasting: Run | None = None, **ways: Run
) -> Mapping[str, Run]:
    """How each instruction of a game is carried out: by its book's own `ways`, or as in all games.

    `lasting`: its way of what lasts. A `-` in a word is a `_` in the names of `ways`. Raises
    `TypeError` for an instruction that nothing carries out, and for a way of one that its texts
    don't know.
    """
    own = {name.replace("_", "-"): way for name, way in ways.items()}
    if lasting is not None:
        own = {word: lasting for word, one in instructions.items() if one.lasts} | own
    for word in own.keys() - instructions.keys():
        raise TypeError(f"no text of this game knows the instruction {word}")
    for word, one in instructions.items():
        if word not in own and one.carry_out is Instruction.carry_out:
            raise TypeError(f"nothing carries out the instruction {word}")
    return {word: own.get(word, one.carry_out) for word, one in instructions.items()}


def by_rules(
    instructions: Mapping[str, type[Instruction]],
    rules: Mapping[str, tuple[str, ...]],
    attempts: Collection[str],
) -> None:
    """Make sure that each instruction of a game can be recorded, done or not done.

    Its terms have a rule for each, and its manifest a word among its `attempts`; `TypeError` names
    the first that lacks one.
    """
    for word, one in instructions.items():
        if one.ruled and word not in rules:
            raise TypeError(f"no rule is cited for the instruction {word}")
        if word not in attempts:
            raise TypeError(f"the manifest lacks the instruction {word} among its attempts")
