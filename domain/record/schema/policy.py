"""The policy of an event: the settings that rules leave to the organiser.

Penalties and what they lead to, clocks, what happens when time is called, whether replays are
evidence, how late the public may see. It is handed in with the opening and is part of the record,
so that everything that follows from it (a lost game, an extra turn) can be read from there. It is
written by hand as TOML (`read`); what carries it out is in `officials`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import isfinite
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, structs

from domain.record.schema.citations import settled_by
from domain.words.phrases import Phrase, phrase, word

#: What a penalty does to the game: nothing, its seat loses the game, its seat loses the match.
GAME_LOSS, MATCH_LOSS = "game loss", "match loss"
EFFECTS = ("", GAME_LOSS, MATCH_LOSS)
#: What a match comes to that is level by all comparisons after time was called: a draw, both lose
#: it, a lot decides, turn after turn is played until a comparison differs.
BOTH_LOSE, LOTS, PLAY_ON = "both lose", "lots", "play on"
LEVEL = ("", BOTH_LOSE, LOTS, PLAY_ON)
#: Who loses a game that all lose at once: nobody wins it, or the turn player loses it.
TURN_PLAYER = "turn player"
TOGETHER = ("", TURN_PLAYER)
#: Whether officials' looks at hidden information are recorded, and may ground a ruling.
EVIDENCE = ("none", "investigation", "rulings")


#: How long a name may be, and how many penalties or tie-breaks there may be.
LONGEST, MOST = 80, 32


class BadPolicy(ValueError):
    """A policy that can't be meant; the text says what is wrong with it."""


class PenaltyKind(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """A penalty of the event's scheme, and what it leads to (one of `EFFECTS`).

    `drops`: its player takes no further part in the event.
    """

    name: str
    label: str = ""
    effect: str = ""
    drops: bool = False

    @property
    def called(self) -> Phrase:
        """What people call it."""
        return word(self.label or self.name, "penalties")


#: The scheme of an event that names none.
STANDARD = (
    PenaltyKind("caution", "Caution"),
    PenaltyKind("warning", "Warning"),
    PenaltyKind("game-loss", "Game Loss", GAME_LOSS),
    PenaltyKind("match-loss", "Match Loss", MATCH_LOSS),
    PenaltyKind("disqualification", "Disqualification", MATCH_LOSS, True),
)


class Clocks(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """Clocks in milliseconds; 0: no such clock.

    `round` runs for the table, `seat` for the seat that is to decide, which gets `increment` for
    each answer. `flag` is what a seat's clock that ran out leads to (one of `EFFECTS`).
    """

    round: int = 0
    seat: int = 0
    increment: int = 0
    flag: str = ""


class EndOfTime(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """The rules for calling time: so many extra turns, or milliseconds; then tie-breaks.

    A tie-break (`Tiebreak`) compares figures of the seats; the first that differs decides. None
    differs: what `level` says, a draw if it says nothing. There are so many `fewer` extra turns if
    it is the turn of who goes second. `lead`: who has won more games wins at once.
    `finish`: what has begun as the milliseconds run out, an attack or an effect, is played to its
    end. `between`: called between two games, no further game begins. `rule` is what a manual calls
    all this, and is cited.
    """

    turns: int = 0
    ms: int = 0
    tiebreaks: tuple[str, ...] = ()
    fewer: int = 0
    lead: bool = False
    finish: bool = False
    level: str = ""
    between: bool = False
    rule: str = ""

    def cites(self, rule: str) -> tuple[str, ...]:
        """A rule of the policy, and what the manual that it is from calls it."""
        return tuple(filter(None, (rule, self.rule)))


class Tiebreak(NamedTuple):
    """A comparison: the zones or kinds of counters of a seat that are summed; more are ahead.

    Written `shield+base`, or `field:core` for what a zone and its cards hold; with a minus before
    it fewer are ahead; with `<5` after it, it is left out where every seat has 5 or more.
    `last(shield+base)`: ahead is who took the last card that was taken out of these zones.
    """

    names: tuple[str, ...]
    fewer: bool = False
    below: int = 0
    last: bool = False

    @staticmethod
    def read(text: str) -> Tiebreak:
        """One from its text; whether there are such zones is not looked at."""
        found = re.fullmatch(r"(-?)(?:last\(([^<]*)\)|([^<]*)(?:<([0-9]{1,3}))?)", text)
        sign, last, names, below = found.groups() if found else ("", None, text, None)
        return Tiebreak(
            tuple((last or names or "").split("+")), bool(sign), int(below or 0), last is not None
        )


@lru_cache(maxsize=256)
def watched(tiebreaks: tuple[str, ...]) -> frozenset[str]:
    """The zones of which tie-breaks ask who took a card out of them last."""
    read = map(Tiebreak.read, tiebreaks)
    return frozenset(name for tiebreak in read if tiebreak.last for name in tiebreak.names)


class Policy(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """Everything that an event settles.

    `delay` is that of its public tokens (`service.store.delay`). `together` says who loses a game
    that all lose at once (one of `TOGETHER`).
    """

    event: str = ""
    penalties: tuple[PenaltyKind, ...] = ()
    clocks: Clocks = Clocks()
    end: EndOfTime = EndOfTime()
    replay_evidence: str = "none"
    delay: str = ""
    together: str = ""

    @property
    def scheme(self) -> tuple[PenaltyKind, ...]:
        """The penalties there are."""
        return self.penalties or STANDARD

    def penalty(self, name: str) -> PenaltyKind | None:
        """The penalty of that name; None if the scheme has none."""
        return next((kind for kind in self.scheme if kind.name == name), None)


def faults(policy: Policy) -> list[Phrase]:
    """Everything wrong with a policy, for any game."""
    c, e = policy.clocks, policy.end
    wrong = []
    if policy.replay_evidence not in EVIDENCE:
        wrong.append(phrase("replay_evidence is one of {names}", names=", ".join(EVIDENCE)))
    wrong += [
        phrase(
            "penalty {name!r}: effect is one of {names}",
            name=kind.name,
            names=", ".join(map(repr, EFFECTS)),
        )
        for kind in policy.penalties
        if kind.effect not in EFFECTS
    ]
    kinds = [kind.name for kind in policy.penalties]
    if len(set(kinds)) < len(kinds) or not all(kinds):
        wrong.append(phrase("every penalty needs a name of its own"))
    texts = [policy.event, policy.delay, e.rule, *kinds, *e.tiebreaks]
    texts += [kind.label for kind in policy.penalties]
    if not all(len(text) <= LONGEST and text.isprintable() for text in texts):
        wrong.append(
            phrase("names and labels are {longest} printable characters at most", longest=LONGEST)
        )
    if max(len(kinds), len(e.tiebreaks)) > MOST:
        wrong.append(
            phrase("{most} penalties, and as many tie-breaks, is the most there may be", most=MOST)
        )
    for name, value, allowed in (
        ("level", e.level, LEVEL),
        ("together", policy.together, TOGETHER),
    ):
        if value not in allowed:
            wrong.append(
                phrase("{name} is one of {names}", name=name, names=", ".join(map(repr, allowed)))
            )
    if e.rule and not settled_by(e.rule):
        wrong.append(phrase("end.rule is a section of a manual, not {rule}", rule=e.rule))
    if c.flag not in EFFECTS:
        wrong.append(phrase("flag is one of {names}", names=", ".join(map(repr, EFFECTS))))
    if min(c.round, c.seat, c.increment, e.turns, e.ms) < 0 or not 0 <= e.fewer <= e.turns:
        wrong.append(phrase("times and turns are never negative"))
    if max(c.round, c.seat, c.increment, e.ms) > 7 * 86_400_000 or e.turns > 100:
        wrong.append(phrase("a week, and 100 turns, is the most there may be"))
    return wrong


class _Minutes(Struct, frozen=True, forbid_unknown_fields=True):
    round: float = 0
    seat: float = 0
    increment: float = 0  # seconds
    flag: str = ""


class _End(Struct, frozen=True, forbid_unknown_fields=True):
    turns: int = 0
    minutes: float = 0
    tiebreaks: tuple[str, ...] = ()
    fewer: int = 0
    lead: bool = False
    finish: bool = False
    level: str = ""
    between: bool = False
    rule: str = ""


class _Kind(Struct, forbid_unknown_fields=True):
    name: str
    label: str = ""
    effect: str = ""
    drops: bool = False


class _File(Struct, forbid_unknown_fields=True):
    event: str = ""
    replay_evidence: str = "none"
    delay: str = ""
    together: str = ""
    clocks: _Minutes = _Minutes()
    end: _End = _End()
    penalty: list[_Kind] = []


def read(text: str) -> Policy:
    """A policy from its TOML; raises `BadPolicy`.

    event = "Regional"                  replay_evidence = "rulings"         delay = "300s"
    [clocks]    round = 35 (minutes), seat = 20 (minutes), increment = 5 (seconds), flag = ""
    together = "" | "turn player"
    [end]       turns = 3, fewer = 1, minutes = 5, lead = true, finish = true, between = true,
                tiebreaks = ["shield+base", "-hand", "life<5", "last(shield)"],
                level = "" | "both lose" | "lots" | "play on", rule = "trm:5.2"
    [[penalty]] name = "warning", label = "Warning", effect = "" | "game loss" | "match loss",
                drops = true
    """
    try:
        table = msgspec.toml.decode(text)
    except msgspec.DecodeError as error:
        raise BadPolicy(str(error)) from error
    return from_table(table)


def from_table(table: dict[str, Any]) -> Policy:
    """A policy from what TOML has of it; raises `BadPolicy`."""
    try:
        file = msgspec.convert(table, _File)
    except msgspec.ValidationError as error:
        raise BadPolicy(str(error)) from error
    c, e = file.clocks, file.end
    policy = Policy(
        file.event,
        tuple(
            PenaltyKind(kind.name, kind.label or kind.name, kind.effect, kind.drops)
            for kind in file.penalty
        ),
        Clocks(_ms(c.round, 60), _ms(c.seat, 60), _ms(c.increment, 1), c.flag),
        _end(e),
        file.replay_evidence,
        file.delay,
        file.together,
    )
    if wrong := faults(policy):
        raise BadPolicy("; ".join(wrong))
    return policy


def _end(e: _End) -> EndOfTime:
    given = structs.asdict(e)
    return EndOfTime(ms=_ms(given.pop("minutes"), 60), **given)


def _ms(n: float, seconds: int) -> int:
    if not isfinite(n):
        raise BadPolicy("a time is a number of minutes or seconds")
    return round(n * seconds * 1000)
