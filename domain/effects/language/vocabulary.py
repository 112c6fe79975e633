"""The vocabulary of card texts, as typed data. VOCABULARY.md explains it with examples.

A card states effects; an effect has clauses, carried out in printed order; a clause is one
instruction with its targets. Unknown fields and malformed filters are refused when card data is
loaded, never when a card is played. What matches a filter is in `select`, what an instruction does
in `interpreter`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.record.groups import Filter as Filter
from domain.record.groups import Group as Group
from domain.record.groups import Like as Like
from domain.record.groups import Test as Test
from domain.record.groups import Whose


class Amount(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """A number that is counted: one thing, `times` so much, divided by `over`, `plus` so much.

    What is counted is `of` cards how many they are, `different` how many values of an attribute
    they have, the `sum` of a `figure` of theirs or the `most` or `least` of it; `counter`s of that
    kind on them, or without `of` on a player (`whose`). `done`: how much the clause before did; the
    part of each player where it is done to players. `noted`: a number noted on the source, or else
    on the player. A fraction is rounded down, or `up`.
    """

    of: Group | None = None
    figure: str = ""
    take: Literal["sum", "most", "least"] = "sum"
    different: str = ""
    counter: str = ""
    whose: Literal["yours", "theirs"] = "yours"
    done: bool = False
    noted: str = ""
    times: int = 1
    over: int = 1
    up: bool = False
    plus: int = 0


class Answers(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """What is being answered: the act that was declared last and waits.

    `kind`: of these kinds; `whose` and `match` say of what card, `texts` of what kind the text is,
    `does` what instructions are in it, `speed` how fast it is, `targets` what one of the cards it
    was aimed at must be.
    """

    kind: list[str] = []
    whose: Whose = "any"
    match: Filter = {}
    texts: list[str] = []
    does: list[str] = []
    speed: Test = ""
    targets: Filter | None = None


class Choose(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """Targets to be chosen when the clause is reached, as many as possible up to `n`.

    `up_to`: any number from 1 to n. `may`: none is allowed as well. `by`: who chooses. `late`: as
    the clause is reached, in a book that has targets named beforehand. `per`: `n` for each of so
    many, counted then.
    """

    of: Group
    n: int = 1
    up_to: bool = False
    may: bool = False
    by: Literal["you", "opponent", "random"] = "you"
    late: bool = False
    per: Amount | None = None


class Condition(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """What must hold. Every field that is given must; `unless` turns the whole around."""

    turn: Literal["", "yours", "theirs"] = ""
    count: Group | None = None
    least: int = 1
    most: int = 1_000_000
    this: Filter = {}
    it: Filter = {}
    attacking: Literal["", "player", "card"] = ""  # the target first declared
    unless: bool = False
    during: list[str] = []  # steps of the turn, or what they begin with
    amount: Amount | None = None  # at least `least` and at most `most`, or more than `than`
    than: Amount | None = None
    answers: Answers | None = None
    rolled: list[int] = []  # what was rolled last is one of these
    playing: Filter | None = None  # its player is about to play a card that matches


class Clause(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True, kw_only=True):
    """One instruction.

    `to` is what it is done to: a group (all of it), or what `choose` picks. `n` is a number: an
    amount, how many. `when` must hold as the clause is reached. `join` says how it hangs on the
    clause before: a `sentence` of its own or `then` (whatever became of that), `if so` (that was
    done at least in part), `after all` (wholly), `must` (wholly, or else nothing of either).
    """

    do: str
    to: Group | None = None
    choose: Choose | None = None
    n: int = 1
    key: str = ""  # the figure or keyword that a modifier changes; the act it forbids or allows
    by: Literal["add", "set", "multiply", "swap"] = "add"  # how a figure is modified
    layer: Literal["", "original", "late", "last"] = ""  # of its value; see `calculator`
    value: Any = None
    times: Literal["", "x"] = ""  # `n` is multiplied by the x that was paid
    until: str = ""
    against: Group | None = None  # for forbid and allow: from or towards whom
    place: str = ""
    at: Literal["top", "bottom"] = "top"
    random: bool = False
    orient: str = ""
    up: bool | None = None
    reveal: bool = False
    token: str = ""
    effect: str = ""
    options: list[list[Clause]] = []
    when: list[Condition] = []
    join: Literal["sentence", "then", "if so", "after all", "must"] = "sentence"
    may: bool = False
    per: Amount | None = None  # `n` for each of so many
    whose: Literal["", "yours", "theirs", "its"] = ""  # `until`: in whose turn
    nth: int = 1  # and how many times it must come
    using: Group | None = None  # of what cards something is made
    source: str = ""  # whence something comes that is no card
    who: Literal["", "owner"] = ""  # who decides what the clause leaves open, if not its player


class Cost(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """What stands before the colon: `pay` n of the game's currency, `rest` this card.

    `x`: as much as its player likes, instead of `n`; clauses may then count by it (`times`). `per`:
    `n` for each of so many. `noted`: the sum of that figure of what is given becomes x.
    """

    do: str
    n: int = 1
    x: bool = False
    of: Group | None = None
    per: Amount | None = None
    noted: str = ""
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
    so, cited as it triggers or is declared. A `part` does nothing but what others make of it, which
    `perform` it or have it carried out later.
    """

    kind: Literal["constant", "triggered", "activated", "command", "replacement", "part"]
    name: str
    on: str = ""
    at: list[str] = []
    about: Group | None = None
    paired: Filter | None = None
    linked: bool = False
    when: list[Condition] = []
    provided: list[Condition] = []
    cost: list[Cost] = []
    limit: Literal["", "turn", "twice", "name", "game", "moment", "turn moment"] = ""
    counts: Literal["", "activations"] = ""
    may: bool = False
    zone: str = ""
    own: bool = False
    do: list[Clause] = []
    cites: list[str] = []
    misses: bool = False
    by: Literal["", "any"] = ""


_COMPARISON = re.compile(r"(<=|>=|<|>|!=)(-?\d+)")


@lru_cache(maxsize=1024)
def comparison(test: str) -> tuple[str, int] | None:
    """`"<=2"` as an operator and a number; None for any other text."""
    found = _COMPARISON.fullmatch(test)
    return (found[1], int(found[2])) if found else None


def clauses_from(text: str) -> list[Clause]:
    """Clauses that were declared at the table, as JSON; `msgspec.DecodeError` if they are none."""
    return _CLAUSES.decode(text)


def every(clauses: Iterable[Clause]) -> Iterator[Clause]:
    """Clauses, and those that they give to choose from, one after the other."""
    for clause in clauses:
        yield clause
        for option in clause.options:
            yield from every(option)


_CLAUSES = msgspec.json.Decoder(list[Clause])
