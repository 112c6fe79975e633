"""Acts of officials as they are typed: `rewind 46 --put-back random --why "an illegal block"`.

A table of what each takes: `kifu desk` makes its commands of it, and a line of a scenario is read
by it (`read`). What carries an act out is the client for the one, `scenario.officials` for the
other. Fixes of a correction are in `fixes`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from domain.officials.ways import AS_THEY_WERE, WAYS
from domain.text import fixes

#: The ways to put revealed cards back, as typed.
BACK = {way.replace(" ", "-"): way for way in WAYS}


class BadAct(ValueError):
    """An act of an official that can't be read; the text says why."""


class Word(Struct, frozen=True):
    """Something that an act takes: in its place or, with `flags`, as an option.

    `least`: it is a number, no less than that. `among`: one of these words, each with what it
    stands for; `read` makes of a text what it stands for, or raises `ValueError`. `many`: it may
    be said several times; `bare`: it is said without a value.
    """

    name: str
    help: str = ""
    flags: tuple[str, ...] = ()
    metavar: str = ""
    default: str = ""
    least: int = -1
    among: Mapping[str, str] = {}
    read: Callable[[str], Any] | None = None
    many: bool = False
    bare: bool = False
    required: bool = False

    def value(self, text: str) -> Any:
        """What a text stands for; raises `ValueError`."""
        if self.read is not None:
            return self.read(text)
        if self.among:
            if text not in self.among:
                raise ValueError(f"{text!r} is none of {', '.join(self.among)}")
            return self.among[text]
        if self.least < 0:
            return text
        if not text.isdecimal() or int(text) < self.least:
            raise ValueError(f"{text!r} is no number from {self.least} up")
        return int(text)

    def left_out(self) -> Any:
        """What it is where nobody says it."""
        if self.many:
            return ()
        return False if self.bare else 0 if self.least >= 0 else self.value(self.default)


def _way(text: str) -> tuple[int, str]:
    number, _, way = text.partition("=")
    if not number.isdecimal() or way not in BACK:
        raise ValueError(f"{text!r} is not N={'|'.join(BACK)}")
    return int(number), BACK[way]


_WHY = Word("why", "The reason, for the record.", ("--why",))
_REASON = Word("why", "The reason, for the record.", ("--why",), required=True)
_ABOUT = Word("about", "The entry that it is about.", ("--about",), "SEQ", least=0)
_BREAKER = Word("who", "The player who broke it: A, B.", ("--who",))
#: What each act takes, in order.
ACTS: Mapping[str, tuple[Word, ...]] = {
    "begin": (_WHY,),
    "rule": (
        Word("text"),
        Word("rules", "A rule that it applies.", ("-r", "--rule"), "RULE", many=True),
        _ABOUT,
        Word("decision", "The decision that it is about.", ("--decision",), "N", least=0),
        Word("evidence", "The look that it rests on.", ("--evidence",), "SEQ", least=0),
    ),
    "penalise": (Word("who"), Word("kind"), Word("note", "What for.", ("--note",))),
    "result": (
        Word("winner"),
        Word("score"),
        Word("note", "Why, for the record.", ("--note",), required=True),
    ),
    "note": (
        Word("text"),
        _ABOUT,
        Word(
            "public", "For everybody to read, not for officials only.", ("--public",), bare=True
        ),
    ),
    "shuffle": (
        Word("whose"),
        Word("by", "Who shuffled: A, B, official (default: their owner).", ("--by",)),
        Word("cut", "Who cut: A, B, official, nobody (default: the other).", ("--cut",)),
        Word("checked", "What was checked, in words.", ("--checked",)),
    ),
    "pause": (_WHY,),
    "resume": (_WHY,),
    "flag": (Word("rule"), Word("text"), _BREAKER, _ABOUT),
    "play": (Word("who"), Word("act"), Word("note", "What happened, in words.", ("--note",))),
    "correct": (
        Word("wanted", "What is put right.", ("-f", "--fix"), read=fixes.read, many=True,
             required=True),
        _REASON,
        Word("rule", "The rule that was broken, if one.", ("--rule",)),
        _BREAKER,
    ),
    "rewind": (
        Word("decision", least=1),
        _WHY,
        Word("put_back", "How revealed cards are put back.", ("--put-back",),
             default="as-they-were", among=BACK),
        Word("single", "One card that is put back otherwise.", ("--card",), "N=WAY", read=_way,
             many=True),
    ),
    "reopen": (_REASON,),
    "undo": (_WHY,),
    "adopt": (_WHY,),
    "accept": (_WHY,),
}  # fmt: skip
assert BACK["as-they-were"] == AS_THEY_WERE


def read(text: str) -> tuple[str, dict[str, Any]]:
    """The act that a line means, and what it takes by name; raises `BadAct`.

    Reasons may be left out.
    """
    try:
        name, *typed = shlex.split(text)
    except ValueError as error:
        raise BadAct(f"it can't be read: {error}" if text else "no act is named") from None
    if name not in ACTS:
        raise BadAct(f"officials do not {name!r}; there are: {', '.join(ACTS)}")
    places = [word for word in ACTS[name] if not word.flags]
    options = {flag: word for word in ACTS[name] for flag in word.flags}
    given: dict[str, list[Any]] = {}
    while typed:
        first = typed.pop(0)
        word = options.get(first) if first.startswith("-") else places.pop(0) if places else None
        if word is None:
            raise BadAct(f"{name} does not take {first!r}; it takes {_taken(name)}")
        if word.flags and not word.bare and not typed:
            raise BadAct(f"{first} is followed by nothing")
        value = typed.pop(0) if word.flags and not word.bare else first
        try:
            given.setdefault(word.name, []).append(word.bare or word.value(value))
        except ValueError as error:
            raise BadAct(f"{first}: {error}") from None
    missing = [word for word in ACTS[name] if word.name not in given and _must(word)]
    if missing:
        raise BadAct(f"{name} takes {_taken(name)}")
    return name, {
        word.name: word.left_out() if word.name not in given
        else tuple(given[word.name]) if word.many else given[word.name][-1]
        for word in ACTS[name]
    }  # fmt: skip


def _must(word: Word) -> bool:
    return not word.flags or (word.required and word.name != "why")


def _taken(name: str) -> str:
    return " ".join(word.flags[-1] if word.flags else word.name.upper() for word in ACTS[name])
