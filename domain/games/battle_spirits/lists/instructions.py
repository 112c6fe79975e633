"""The instructions of this game's card texts, beside those that other games have as well.

What they do is in `effects.instructions`; the other words that texts may use are in `words`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from domain.effects.instructions import cards, lasting, players
from domain.effects.instructions.ways import COMMON, Count, Nothing
from domain.effects.language.instruction import Aimed, AimedNumbered, taken_up
from domain.effects.language.vocabulary import Effect, Of, Phrases
from domain.effects.language.words import Words
from domain.words.phrases import Phrase, phrase

#: Where cores lie that are on no card; the Void has no end (bs:4-8-1).
VOID = "void"
PLACES = ("reserve", "trash", "life")
#: The kinds of cores that a text names; left out, it means any.
Core = Literal["", "core", "soul"]


class Rest(cards.Rest, tag="rest"):
    """Cards that are refreshed are exhausted."""

    phrases: ClassVar[Phrases] = {"": phrase("exhaust {cards}")}


class Ready(cards.Ready, tag="ready"):
    """Cards are refreshed by one step."""

    phrases: ClassVar[Phrases] = {"": phrase("refresh {cards}")}


class Turn(cards.Turn, tag="turn"):
    """With `orient = "heavily-exhausted"` cards are exhausted heavily."""

    example = 'orient = "heavily-exhausted"'
    phrases: ClassVar[Phrases] = {"": phrase("turn {cards} so that they are {orient}")}


class Look(players.LookAtDeck, tag="look"):
    """You look at the top `n` of your deck or, with `reveal = true`, all do: they are `looked`."""

    reveal: bool = False

    example = "n = 3, reveal = true"
    phrases: ClassVar[Phrases] = {"": phrase("turn up the top {n} of {place}")}


class Deploy(cards.Deploy, tag="deploy"):
    """Spirit cards are summoned and Nexus cards deployed without paying their cost.

    Their player puts the cores of their Lv1 on them, or more. Several come at one moment, none is
    placed from another, and where there are not cores for all he picks which come.
    """

    phrases: ClassVar[Phrases] = {"": phrase("bring {cards} to the Field without paying the cost")}


class Summon(Aimed, tag="summon"):
    """The same, and its player pays the cost as well, reduced as usual.

    With `source = "reserve"` both out of the Reserve alone.
    """

    source: Literal["", "reserve"] = ""

    example = 'choose = { of = { zone = "hand", whose = "yours" } }'
    phrases: ClassVar[Phrases] = {
        "": phrase("bring {cards} to the Field for their cost"),
        "source": phrase("bring {cards} to the Field for their cost, out of the {source}"),
    }


class Charge(lasting.Charge, tag="charge", kw_only=True):
    """Each of these cards attacks or blocks (`key`) for a price alone.

    Its player first pays `n` cores as a cost (`value = "core"`) or exhausts `n` other refreshed
    Spirits of his (`"exhaust"`); who can't, or won't, may not.
    """

    key: Annotated[Literal["attack", "block"], Of("act")]
    value: Literal["core", "exhaust"]

    example = 'key = "attack", value = "core", to = { whose = "theirs" }'
    phrases: ClassVar[Phrases] = {"": phrase("let {cards} {key} only for a price of {n} {value}")}


class Send(AimedNumbered, tag="send"):
    """`n` cores of each card go to its owner's Reserve, or to `place`: `trash`, `life`, `void`.

    `key = "core"`: no Soul Core; `"soul"`: the Soul Core; left out: any, and the player of the
    effect picks which, or `who = "owner"`. `value = "leave"`: as many as leave `n` on each.
    `value = "total"`: `n` from all of them together, spread by who picks.
    """

    key: Core = ""
    value: Literal["total", "leave"] | None = None
    place: Literal["", "reserve", "trash", "life", "void"] = ""
    who: Literal["", "owner"] = ""

    example = 'key = "core", choose = { of = { whose = "theirs", match = { type = "spirit" } } }'
    phrases: ClassVar[Phrases] = {
        "": phrase("move {n} core(s) of each of {cards} to the Reserve"),
        "place": phrase("move {n} core(s) of each of {cards} to {place}"),
        "core/place": phrase("move {n} core(s), no Soul Core, of each of {cards} to {place}"),
        "soul/place": phrase("move the Soul Core of {cards} to {place}"),
        "core": phrase("move {n} core(s), no Soul Core, of each of {cards} to the Reserve"),
        "soul": phrase("move the Soul Core of {cards} to the Reserve"),
        "leave": phrase("move cores of {cards} to the Reserve but for {n} on each"),
        "core/leave": phrase(
            "move cores, no Soul Core, of {cards} to the Reserve but for {n} on each"
        ),
        "total": phrase("move {n} core(s) in all of {cards} to the Reserve"),
        "core/total": phrase("move {n} core(s) in all, no Soul Core, of {cards} to the Reserve"),
    }

    def check(self, effect: Effect, words: Words) -> Iterator[Phrase]:
        if not self.named:
            yield phrase("it says of which cards: `to` or `choose`")
        yield from super().check(effect, words)


class Put(AimedNumbered, tag="put"):
    """`n` cores come out of your `source` (`trash`, `reserve`, `life`.

    Left out: the Void) to each card or, without cards, to your `place` (`reserve`, `trash`,
    `life`). `key` as above; from the Void come cores alone. `value = "up to"`: as many of them as
    its player says, none as well.
    """

    key: Core = ""
    value: Literal["up to"] | None = None
    place: Literal["", "reserve", "trash", "life"] = ""
    source: Literal["", "reserve", "trash", "life", "void"] = ""

    example = 'source = "trash", key = "core", n = 2, value = "up to", to = { zone = "this" }'
    phrases: ClassVar[Phrases] = {
        "": phrase("put {n} core(s) from the Void onto {cards}"),
        "place": phrase("put {n} core(s) from the Void into {place}"),
        "source": phrase("put {n} core(s) of your {source} onto {cards}"),
        "core/source": phrase("put {n} core(s), no Soul Core, of your {source} onto {cards}"),
        "core/up to": phrase("put up to {n} core(s), no Soul Core, of your {source} onto {cards}"),
        "up to": phrase("put up to {n} core(s) of your {source} onto {cards}"),
        "soul/source": phrase("put the Soul Core of your {source} onto {cards}"),
        "source/place": phrase("put {n} core(s) of your {source} into {place}"),
    }

    def check(self, effect: Effect, words: Words) -> Iterator[Phrase]:
        if self.named == bool(self.place):
            yield phrase("cores are put onto cards, or to a `place`")
        if self.place and self.place == self.source:
            yield phrase("they are there already")
        if self.source in ("", VOID) and self.key == "soul":
            yield phrase("there is no Soul Core in the Void")  # bs:5-7-3, but where a text sent it
        yield from super().check(effect, words)


class Modify(lasting.Modify, tag="modify"):
    """As in all games, of the figures of this one."""

    phrases: ClassVar[Phrases] = {
        **lasting.Modify.phrases,
        "harm": phrase("let the attacks of {cards} take {n} core(s) from Life"),
    }


INSTRUCTIONS = taken_up(
    *COMMON, Turn, cards.Reveal, cards.Target, Nothing, players.Defeat, Count, Charge,
    Rest, Ready, Look, Deploy, Summon, Send, Put, Modify,
    without=("control", "damage", "recover", "pair", "token", "shuffle"),
)  # fmt: skip
