"""The vocabulary of card texts, as typed data. VOCABULARY.md explains it with examples.

A card states effects; an effect has clauses, carried out in printed order; a clause is one
instruction with its targets. What instructions there are, and their fields, is in `instruction` and
in the classes of `domain.effects.instructions`; here is what they and an effect are made of. Each
field says in its annotation of which words it is one (`Of`), which `check` holds it to when card
data is loaded. What matches a filter is in `select`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from msgspec import Struct

from domain.record.groups import Filter as Filter
from domain.record.groups import Group as Group
from domain.record.groups import Like as Like
from domain.record.groups import Test as Test
from domain.record.groups import Whose
from domain.record.values import Change


class Of(NamedTuple):
    """Of which words of a game a field is one (`words.Words.known`), in its annotation.

    `newer`: the part of the language (`words.NEWER`) that a game's texts speak if they state it.
    """

    kind: str = ""
    newer: str = ""


#: How a clause hangs on the one before it.
Join = Literal["sentence", "then", "if so", "after all", "must"]
Number = Annotated[str, Of("number")]


class Amount(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """A number that is counted: one thing, `times` so much, divided by `over`, `plus` so much.

    What is counted is `of` cards how many they are, `different` how many values of an attribute
    they have, the `sum` of a `figure` of theirs or the `most` or `least` of it; `counter`s of that
    kind on them, or without `of` on a player (`whose`). `done`: how much the clause before did; the
    part of each player where it is done to players. `noted`: a number noted on the source, or else
    on the player. A fraction is rounded down, or `up`.
    """

    of: Group | None = None
    figure: Number = ""
    take: Literal["sum", "most", "least"] = "sum"
    different: Annotated[str, Of("attribute")] = ""
    counter: Annotated[str, Of("counter")] = ""
    whose: Literal["yours", "theirs"] = "yours"
    done: bool = False
    noted: Annotated[str, Of("note")] = ""
    times: int = 1
    over: int = 1
    up: bool = False
    plus: int = 0


class Answers(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """The act that is answered: the one that was declared last and waits.

    `kind`: of these kinds; `whose` and `match` say of what card, `texts` of what kind the text is,
    `does` what instructions are in it, `speed` how fast it is, `targets` what one of the cards it
    was aimed at must be.
    """

    kind: Annotated[list[str], Of("act or answer")] = []
    whose: Whose = "any"
    match: Filter = {}
    texts: Annotated[list[str], Of("kind of texts")] = []
    does: Annotated[list[str], Of("instruction")] = []
    speed: Test = ""
    targets: Filter | None = None


class Choose(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """Targets to be chosen when the clause is reached, as many as possible up to `n`.

    `up_to`: any number from 1 to n. `may`: none is allowed as well. `by`: who chooses. `late`: as
    the clause is reached, in a book that has targets named in advance. `per`: `n` for each of so
    many, counted then.
    """

    of: Group
    n: int = 1
    up_to: bool = False
    may: bool = False
    by: Literal["you", "opponent", "random"] = "you"
    late: bool = False
    per: Annotated[Amount | None, Of(newer="per")] = None


class Happened(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """Something that has occurred in this turn: `on`, to whom and from or towards whom.

    As of an effect that it would set off: without `about` it befell this card, or its player.
    """

    on: Annotated[str, Of("occurrence")]
    about: Group | None = None
    against: Annotated[Group | None, Of(newer="against")] = None


class Condition(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """A condition. Every field that is given must; `unless` turns the whole around."""

    turn: Literal["", "yours", "theirs"] = ""
    count: Group | None = None
    least: int = 1
    most: int = 1_000_000
    this: Filter = {}
    it: Filter = {}
    # the target first declared; or the present one, where the book has it so
    attacking: Literal["", "player", "card", "player at first", "card at first"] = ""
    unless: bool = False
    # steps of the turn, or what they begin with
    during: Annotated[list[str], Of("step", "during")] = []
    # at least `least` and at most `most`, or more than `than`
    amount: Annotated[Amount | None, Of(newer="amount")] = None
    than: Annotated[Amount | None, Of(newer="than")] = None
    answers: Annotated[Answers | None, Of(newer="answers")] = None
    rolled: Annotated[list[int], Of(newer="rolled")] = []  # what was rolled last is one of these
    # its player is about to play a card that matches
    playing: Annotated[Filter | None, Of("filter", "playing")] = None
    # it has occurred in this turn so far
    happened: Annotated[Happened | None, Of(newer="happened")] = None


#: The sentences for an instruction, by what else it says; "" if that makes no difference.
Phrases = Mapping[str, str]


class Clause:
    """One instruction of a text, with the fields that are asked of every one.

    What an instruction does not have is as it is here; those that there are, with the fields that
    each has, derive from `instruction.Instruction`. `when` must hold as the clause is reached.
    `join` relates it to the clause before: a `sentence` of its own or `then` (in any case), `if so`
    (that was done at least in part), `after all` (completely), `must` (completely, or else neither
    is done). `may`: its player may decline it.
    """

    __slots__ = ()

    when: list[Condition]
    join: Join
    may: bool
    phrases: ClassVar[Phrases] = MappingProxyType({})
    #: it starts something that lasts: until when, unless a constant effect says so
    lasts: ClassVar[bool] = False
    #: it takes so many of the uppermost cards of a stack that nobody may look at
    from_stack: ClassVar[bool] = False
    #: of players: the zone of theirs whose cards it takes or shows
    of_zone: ClassVar[str] = ""
    #: it moves cards, which later clauses may speak of (`moved`)
    moves: ClassVar[bool] = False
    #: it chooses none that its text has chosen before
    anew: ClassVar[bool] = False
    #: others than the player of its text may do what it gives to do
    by_others: ClassVar[bool] = False
    #: nothing is played for it alone
    incidental: ClassVar[bool] = False
    #: what it starts is used up by what it does: a constant text that gives it may have a limit
    used_up: ClassVar[bool] = False
    #: it means the same on any card, but for what its fields say
    plain: ClassVar[bool] = False

    #: what it is done to: all of a group, or what somebody picks
    to: Group | None = None
    choose: Choose | None = None
    #: an amount, or how many; `x`: times the x that was paid; for each of so many
    n: int = 1
    times: str = ""
    per: Amount | None = None
    #: what it is about: a figure, an act, a player, as the instruction says; what else of that
    key: str = ""
    value: object = None
    #: how long what it starts lasts, or when what it did is undone: in whose turn, which time
    until: str = ""
    whose: str = ""
    nth: int = 1
    #: where cards go, and how they lie there
    place: str = ""
    orient: str = ""
    #: another effect of the card that it is about
    effect: str = ""
    #: in which layer of a figure it counts; None: it changes none
    layer: str | None = None
    #: for what lasts: from or towards whom
    against: Group | None = None
    #: of what cards something is made
    using: Group | None = None
    #: the ways that it gives to choose from
    options: list[list[Clause]] = []  # noqa: RUF012 -- a field where there are any

    @property
    def do(self) -> str:
        """The word for it."""
        raise NotImplementedError

    @property
    def on_itself(self) -> bool:
        """Whether it is done to this card by default."""
        return False

    @property
    def performs(self) -> str:
        """The effect of the card that is carried out in its place; empty if none is."""
        return ""

    def done_already(self, t: Any, terms: Any, number: int) -> bool:
        """Whether a card is as it would be then, so that it can't be done to it."""
        return False

    def lacks(self, t: Any, terms: Any, run: Any) -> bool:
        """Whether all see that there is nothing for it, of what is not its targets."""
        return False

    def change(self, run: Any) -> Change:
        """For what lasts: what it does to each card, as a modifier keeps it."""
        raise NotImplementedError


class Cost(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """A cost: `pay` n of the game's currency, `rest` this card.

    `x`: as much as its player likes, instead of `n`; clauses may then count by it (`times`). `per`:
    `n` for each of so many. `noted`: the sum of that figure of what is given becomes x.
    """

    do: Annotated[str, Of("cost")]
    n: int = 1
    x: bool = False
    of: Group | None = None
    per: Annotated[Amount | None, Of(newer="per")] = None
    noted: Annotated[str, Of("number", "noted")] = ""
    key: str = ""


class Effect(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True, kw_only=True):
    """One effect of a card.

    `kind`: constant (acts all the time), triggered (`on` an occurrence), activated and command (at
    a timing of `at`), replacement (instead of the occurrence `on`). `paired` and `linked` narrow
    it to while such a card lies with its host. `when` must hold as it triggers or is declared, and
    as it would be activated; `provided` only then. `about` says whose occurrence it is (default:
    this card's). `limit`: `turn` is once per turn. `zone` is where it works if not in the usual
    place. `own`: a rider's text that stays its own, where others become texts of its host.

    `limit`: `name` is once per turn for all cards of the name, `game` once per game for them,
    `twice` twice per turn, `moment` once at a moment for all cards of the name, `turn moment` both
    that and once per turn. It is on using the effect, also where the activation is negated; with
    `counts`, on activations, so that one that was negated leaves it unused.
    `misses`: one that may be declined is lost if something else has happened since. `by`: who may
    activate it, if not only its player. `cites`: the adopted readings by which its words are taken
    so, cited as it triggers or is declared. `against`: from or towards whom what it waits for
    comes, or would come. A `part` does nothing but what others make of it, which `perform` it or
    have it carried out later. `play` changes what the card costs, as it is played; with a `cost` or
    a condition on `it`, the card that it is laid with, that is a way to play it.
    """

    kind: Literal["constant", "triggered", "activated", "command", "replacement", "part", "play"]
    name: str
    on: str = ""
    at: Annotated[list[str], Of("timing")] = []
    about: Group | None = None
    paired: Filter | None = None
    linked: bool = False
    when: list[Condition] = []
    provided: list[Condition] = []
    cost: list[Cost] = []
    limit: Literal["", "turn", "twice", "name", "game", "moment", "turn moment"] = ""
    counts: Annotated[Literal["", "activations"], Of(newer="counts")] = ""
    may: bool = False
    zone: str = ""
    own: bool = False
    do: list[Clause] = []
    cites: Annotated[list[str], Of("reading")] = []
    misses: Annotated[bool, Of(newer="misses")] = False
    by: Annotated[Literal["", "any"], Of(newer="by")] = ""
    against: Annotated[Group | None, Of(newer="against")] = None


_COMPARISON = re.compile(r"(<=|>=|<|>|!=)(-?\d+)")


@lru_cache(maxsize=1024)
def comparison(test: str) -> tuple[str, int] | None:
    """`"<=2"` as an operator and a number; None for any other text."""
    found = _COMPARISON.fullmatch(test)
    return (found[1], int(found[2])) if found else None


def conditions(effect: Effect) -> Iterator[Condition]:
    """All conditions of an effect, those of its clauses included."""
    yield from (*effect.when, *effect.provided)
    for clause in every(effect.do):
        yield from clause.when


def every(clauses: Iterable[Clause]) -> Iterator[Clause]:
    """Clauses, and those that they give to choose from, one after the other."""
    for clause in clauses:
        yield clause
        for option in clause.options:
            yield from every(option)
