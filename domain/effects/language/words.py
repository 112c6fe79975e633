"""The words of card texts: instructions that all games share, and what a game adds to them.

`INSTRUCTIONS` lists which fields of a clause each of them reads; a game brings its own words as
`Words`. Whether a text uses them rightly is found in `check`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec
from msgspec import Struct

from domain.effects.language.vocabulary import Clause
from domain.effects.select import CHOSEN, SPECIAL
from domain.effects.select import FURTHER as FURTHER_GROUPS
from domain.record.schema.manifest import Zone


class Takes(Struct, frozen=True):
    """Which fields of a clause an instruction reads; `to or choose` stands for its targets."""

    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()


TARGETS = "to or choose"
#: The zone that stands for players themselves, where a lasting effect is about them.
PLAYER = "player"
#: Whom an instruction about players concerns; in some games also who controlled what was chosen.
PLAYERS = frozenset({"", "you", "opponent", "both"})
ITS = "its"

#: The instructions that all games share.
INSTRUCTIONS: Mapping[str, Takes] = {
    "draw": Takes((), ("n", "key")),
    "discard": Takes((), ("n", "key")),
    "shuffle": Takes(),
    "look": Takes((), ("n", "place")),
    "damage": Takes((), (TARGETS, "n", "key")),
    "recover": Takes((), (TARGETS, "n")),
    "destroy": Takes((), (TARGETS,)),
    "rest": Takes((), (TARGETS,)),
    "ready": Takes((), (TARGETS,)),
    "modify": Takes(("key",), (TARGETS, "n", "until")),
    "gain": Takes(("key",), (TARGETS, "value", "until")),
    "lose": Takes(("key",), (TARGETS, "until", "value", "effect")),
    "forbid": Takes(("key",), (TARGETS, "until", "against")),
    "allow": Takes(("key",), (TARGETS, "until", "against")),
    "control": Takes((), (TARGETS,)),
    "move": Takes(("place",), (TARGETS, "n", "at", "random", "reveal", "orient")),
    "deploy": Takes((), (TARGETS, "orient")),
    "pair": Takes(("choose",), ()),
    "token": Takes(("token",), ("n", "orient")),
    "perform": Takes(("effect",), ()),
    "one-of": Takes(("options",), ()),
}
#: Which of the times that `until` names is meant.
LATER = ("whose", "nth")
#: Those that a game takes up by listing them among its own words (`Words.instructions`); what they
#: do is in `further`.
FURTHER: Mapping[str, Takes] = {
    "turn": Takes((), (TARGETS, "up", "orient")),
    "place": Takes(("key",), (TARGETS, "n")),
    "take": Takes(("key",), (TARGETS, "n")),
    "reveal": Takes((), (TARGETS,)),
    "roll": Takes(("key",), ("n",)),
    "later": Takes(("effect", "until"), (TARGETS, "n", "whose", "nth")),
    "redirect": Takes(("key", "place"), (TARGETS, "until")),
    "defeat": Takes((), ("key",)),
    "bind": Takes((), (TARGETS,)),
    "lend": Takes(("effect", "until"), (TARGETS, *LATER)),
    "target": Takes(("choose",)),
    "nothing": Takes(),
}
#: The same, of instructions that games take up one by one.
SINGLE: Mapping[str, Takes] = {
    "count": Takes((), ("n",)),
    "charge": Takes(("key", "value"), (TARGETS, "n", "until")),
    "one-of": Takes(("options",), ("value",)),
}
#: The same as above, for a game whose texts say more: they last until a later time, cards come back
#: at such a time, a player's counters are meant, who discards does not choose.
FURTHER_USES: Mapping[str, Takes] = {
    "gain": Takes(("key",), (TARGETS, "value", "until", *LATER)),
    "lose": Takes(("key",), (TARGETS, "until", "value", "effect", *LATER)),
    "forbid": Takes(("key",), (TARGETS, "until", "against", *LATER)),
    "allow": Takes(("key",), (TARGETS, "until", "against", *LATER)),
    "redirect": Takes(("key", "place"), (TARGETS, "until", *LATER)),
    "control": Takes((), (TARGETS, "until", *LATER)),
    "move": Takes(
        ("place",), (TARGETS, "n", "at", "random", "reveal", "orient", "up", "until", *LATER)
    ),
    "recover": Takes((), (TARGETS, "n", "key")),
    "discard": Takes((), ("n", "key", "random")),
}
#: `modify` of a game whose texts do more to figures than add to them (`calculator`).
MODIFY = Takes(("key",), (TARGETS, "n", "until", "by", "value", "layer"))
MODIFY_LATER = Takes(MODIFY.needs, (*MODIFY.may, *LATER))
#: Those that are done to cards: to this one, if nothing else is said.
TO_CARDS = frozenset(
    name
    for name, takes in (*INSTRUCTIONS.items(), *FURTHER.items(), *SINGLE.items())
    if TARGETS in takes.may and name not in ("later", "bind")
)
#: What may stand before the colon, in all games.
COSTS: Mapping[str, Takes] = {"pay": Takes((), ("n",)), "rest": Takes()}
#: Those that start something lasting: until when, unless a constant effect says so.
LASTING = frozenset({"modify", "gain", "lose", "forbid", "allow", "redirect", "lend", "charge"})
#: Those that say which player they are about in `key`.
OF_PLAYERS = frozenset({"draw", "discard", "damage", "recover", "defeat"})
#: Those that are done to cards, or to a player.
EITHER = frozenset({"damage", "recover"})


class Words(Struct, frozen=True, kw_only=True):
    """The words of a game: what its effects may name beside what all games share.

    `attributes` says of what types a filter's test may be; `values` lists, for some attributes, all
    that they can be. `keywords` are numbers (int) or had or not (bool). `costs` are what may stand
    before the colon, with the fields they read. `elsewhere` are zones an effect may be said to work
    in, though cards there usually do nothing. `timed`: whether every activated and command effect
    says when (`at`). `provided`: whether the book knows
    conditions that are looked at only as an effect would be activated. `lacking` are shared
    instructions that mean nothing, `wide` zones that stand for several: no place for a card.
    `replaceable` says of every occurrence why nothing can be done in its place; "" where something
    can. What is only there can be replaced, and cannot trigger: what befalls a player
    (`of_players`), like losing.
    `layout` says how the table declares its zones. Cards come to those of the `field` in ways of
    their own only; in those that are `affected` whatever lies there may be ("" is the usual zone,
    None: all of them). `losable` are the kinds of texts that cards can lose (`silence`), `readings`
    those that texts may cite.

    `speaks` are the parts of the language that not every game takes up (`NEWER`, `SINGLY`). They
    need words of the game: `steps` of the turn, the kinds of acts that can be `answered`, of
    `counters` and of what is `noted`, `chances` that texts roll. `standing` are instructions that a
    constant text may give: they are done as soon as it holds. `early` are numbers that are worked
    out of what modifies a figure, but for what comes late: nothing else may hang on them that
    modifies that figure. `fields` lists the words that may stand in fields of a game's own
    instructions.
    """

    zones: Collection[str]
    attributes: Mapping[str, tuple[type, ...]] = {}
    values: Mapping[str, Collection[str]] = {}
    occurrences: Collection[str] = ()
    timings: Collection[str] = ()
    figures: Collection[str] = ()
    keywords: Mapping[str, type] = {}
    acts: Collection[str] = ()
    durations: Collection[str] = ()
    costs: Mapping[str, Takes] = msgspec.field(default_factory=lambda: COSTS)
    elsewhere: Collection[str] = ()
    timed: bool = True
    provided: bool = False
    instructions: Mapping[str, Takes] = {}
    lacking: Collection[str] = ()
    wide: Collection[str] = ()
    replaceable: Mapping[str, str] = {}
    of_players: Collection[str] = ()
    layout: Mapping[str, Zone] = {}
    field: Collection[str] = ()
    affected: Collection[str] | None = None
    losable: Collection[str] = ()
    readings: Collection[str] = ()
    speaks: Collection[str] = ()
    steps: Collection[str] = ()
    answered: Collection[str] = ()
    counters: Collection[str] = ()
    noted: Collection[str] = ()
    chances: Collection[str] = ()
    standing: Collection[str] = ()
    early: Mapping[str, str] = {}
    fields: Mapping[str, Mapping[str, Collection[str]]] = {}


#: Parts of the language that a game's texts use if it says so: what a group, a condition, a clause,
#: an effect and a cost may state, and what a group may be beside zones. `limit`: other than once a
#: turn; `at`: of triggered texts, how fast they are; `cost`: of other texts than activated ones;
#: `on`: what a text answers that somebody starts; `applied`: what a constant text does whenever
#: something occurs.
NEWER = frozenset(
    {
        "like", "most", "besides", "during", "amount", "than", "answers", "rolled", "per", "misses",
        "by", "its", "noted", "limit", "cost", "on", "at", "part", "whose", "unless", "applied",
        CHOSEN,
        *FURTHER_GROUPS,
    }
)  # fmt: skip

#: Further parts, which games take up one by one: what holds while a card is about to be played,
#: what works once at a moment, limits on activations rather than on use. An effect whose `limit` is
#: `moment` may be a constant one.
SINGLY = frozenset({"playing", "moment", "counts"})


def place_meant(clause: Clause) -> bool:
    """Whether a clause speaks of a place, newcomers included, and not of the cards in it."""
    group = clause.to
    return (
        clause.do in LASTING
        and group is not None
        and group.zone not in SPECIAL
        and (group.whose != "any" or group.zone == PLAYER)
        and not any((group.match, group.other, group.top, group.like, group.besides))
        and not (group.most or group.least)
    )
