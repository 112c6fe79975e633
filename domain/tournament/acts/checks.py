"""Checks that commands at a tournament share, and the refusal that they raise."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from domain.engine.opening.terms import MODES
from domain.engine.rulebook import Refused, refuse
from domain.record.schema import policy
from domain.record.schema.citations import settled_by
from domain.tournament import manuals
from domain.tournament.record import BY_CHART, DRAFT, SEED, STAGES, WAYS, Format, Pools
from domain.tournament.standings import TIEBREAKS
from domain.tournament.state import Player, Round, Seating, Stage, State
from domain.words.phrases import Phrase, joined, phrase

EVENT, LIST, PAIRING = "house:event", "house:event-list", "house:event-pairing"
ROUND, RESULT, CLOCK = "house:event-round", "house:event-result", "house:event-clock"
PODS, POOL = "house:event-pods", "house:event-pool"
CALL, PENALTY, DECKS = "house:event-call", "house:event-penalty", "house:event-decks"
#: How long a name and a text may be, in characters; how long a round lasts, in seconds; how many
#: rounds, and points for a result, there are at most.
NAME, TEXT, LONGEST, ROUNDS, POINTS = 80, 2000, 86_400, 99, 1000
#: How many players there may be; how many of them are named in a row; how many infractions; how
#: many cards a pool has, and how many players a pod.
PLAYERS, FEW, INFRACTIONS, POOL_CARDS, POD = 5000, 6, 200, 400, 64


def refused(text: str, rule: str, fault: str, **values: object) -> Refused:
    """A refusal of something asked for at a tournament."""
    rules = (rule,) if rule == EVENT else (rule, EVENT)
    return Refused(refuse(text, *rules, fault=fault, **values))


def refused_for(text: str, rule: str, fault: str, names: Sequence[str]) -> Refused:
    """A refusal because of some people: where they are many, it says so of each on a line."""
    if len(names) <= FEW:
        return refused(text, rule, fault, names=joined(", ", names))
    each = joined("\n", [phrase(text, names=name) for name in names])
    return Refused(refuse(each, rule, EVENT, fault=fault))


def by_manual(s: State, text: str, rule: str, about: str, fault: str, **values: object) -> Refused:
    """A refusal that a manual has a section for, which is cited first."""
    cited = manuals.section(s.format.rules, about)
    rules = tuple(dict.fromkeys(filter(None, (cited, rule, EVENT))))
    return Refused(refuse(text, *rules, fault=fault, **values))


def going_on(s: State, rule: str = EVENT) -> None:
    """Make sure that the tournament has not ended; raises `Refused`, as all of these do."""
    if s.ended:
        raise refused("the event has ended", rule, "EVENT_ENDED")


def named(name: str) -> None:
    """Make sure that a name is one."""
    if not name.strip():
        raise refused("a name is missing", EVENT, "NAME_MISSING")
    if len(name) > NAME or not name.isprintable():
        text = "a name has at most {n} printable characters"
        raise refused(text, EVENT, "BAD_NAME", n=NAME)


def worded(text: str, rule: str, *, needed: bool = True) -> None:
    """Make sure that a text says something, if it is needed, and not too much."""
    if needed and not text.strip():
        raise refused("say it in words", rule, "TEXT_MISSING")
    if len(text) > TEXT:
        raise refused("a text has at most {n} characters", rule, "TEXT_TOO_LONG", n=TEXT)


def player(s: State, number: int, rule: str = EVENT) -> Player:
    """The player of that number."""
    if number not in s.players:
        raise refused("there is no player {n}", rule, "NO_SUCH_PLAYER", n=number)
    return s.players[number]


def round_of(s: State, number: int, rule: str = ROUND) -> Round:
    """The round of that number; 0: the latest."""
    if not number and s.rounds:
        return s.rounds[-1]
    if not 1 <= number <= len(s.rounds):
        raise refused("there is no round {n}", rule, "NO_SUCH_ROUND", n=number or 1)
    return s.rounds[number - 1]


def table(round_: Round, number: int, rule: str) -> Seating:
    """The table of that number in a round."""
    if number not in round_.tables:
        text = "round {round} has no table {n}"
        raise refused(text, rule, "NO_SUCH_TABLE", round=round_.number, n=number)
    return round_.tables[number]


def stage(round_: Round, allowed: Collection[str], rule: str = ROUND) -> None:
    """Make sure that a round has come so far, and no further."""
    if round_.stage in allowed:
        return
    match round_.stage:
        case Stage.PAIRED:
            text, fault = "round {n} has not been opened", "ROUND_NOT_OPENED"
        case Stage.OPENED:
            text, fault = "round {n} has not been started", "ROUND_NOT_STARTED"
        case Stage.STARTED:
            text, fault = "round {n} is being played", "ROUND_STARTED"
        case _:
            text, fault = "round {n} has ended", "ROUND_ENDED"
    raise refused(text, rule, fault, n=round_.number)


def undecided(rule: str, tables: Iterable[int]) -> Refused:
    """The refusal of a draw in an elimination."""
    text = "nobody can go on from table {tables}: a winner is needed"
    return refused(text, rule, "RESULT_DRAWN", tables=numbers(tables))


def names(s: State, players: Iterable[int]) -> list[str]:
    """Players by name."""
    return [s.players[number].name for number in players]


def numbers(tables: Iterable[int]) -> str:
    """Tables by number, in a row."""
    return joined(", ", map(str, tables))


def formal(format_: Format) -> None:
    """Make sure that a format is valid, for any game."""
    f = format_
    wrong = [*policy.faults(f.policy), *_strange_length(f.best_of, f.seconds)]
    if f.mode and f.mode not in MODES:
        text = phrase("mode is one of {modes}, or empty", modes=", ".join(MODES))
        wrong.append(text)
    if not 0 <= f.rounds <= ROUNDS:
        wrong.append(phrase("there are at most {n} rounds", n=ROUNDS))
    if f.cut != BY_CHART and not _is_cut(f.cut):
        wrong.append(phrase("a cut is to 2, 4, 8 players, and so on"))
    wrong += _strange_stages(f)
    wrong += _strange_infractions(f)
    wrong += _strange_pools(f.pools)
    if not all(0 <= points <= POINTS for points in f.points):
        wrong.append(phrase("a result gives from 0 to {n} points", n=POINTS))
    if len(set(f.tiebreaks)) < len(f.tiebreaks):
        wrong.append(phrase("a tie-break is named twice"))
    wrong += [
        phrase(
            "there is no tie-break {name!r}; there are: {names}",
            name=name,
            names=", ".join(TIEBREAKS),
        )
        for name in f.tiebreaks
        if name not in TIEBREAKS
    ]
    if f.reserved and f.policy.penalty(f.reserved) is None:
        wrong.append(phrase("reserved is a penalty of the scheme, not {name}", name=f.reserved))
    if wrong:
        raise refused("{faults}", EVENT, "BAD_FORMAT", faults=joined("; ", wrong))


def _strange_length(best_of: int, seconds: int) -> Iterator[Phrase]:
    if best_of < 1 or best_of % 2 == 0:
        yield phrase("a series is best of an odd number of games, not {n}", n=best_of)
    if not 0 <= seconds <= LONGEST:
        yield phrase("a round lasts from nothing to a day")


def _strange_stages(f: Format) -> Iterator[Phrase]:
    """Everything wrong with what stages have of their own, and with the chart."""
    if len({one.name for one in f.stages}) < len(f.stages):
        yield phrase("a stage is named twice")
    for one in f.stages:
        if one.name not in STAGES:
            yield phrase("a stage is one of {names}", names=", ".join(STAGES))
        if one.first not in ("", SEED):
            yield phrase("first is {seed!r}, or empty", seed=SEED)
        yield from _strange_length(one.best_of, one.seconds)
        yield from policy.faults(policy.Policy(end=one.end, together=one.together))
    rows = [players for players, _, _ in f.chart]
    fits = all(0 < rounds <= ROUNDS and _is_cut(cut) for _, rounds, cut in f.chart)
    if len(rows) > ROUNDS or rows != sorted(set(rows)) or not fits:
        yield phrase("a chart has rows of players, rounds and cut, for ever more players")
    if f.cut == BY_CHART and not f.chart:
        yield phrase("there is no chart that says how many go on")
    if f.least_rate and not re.fullmatch(r"0|0?\.[0-9]{1,6}|[01]/[1-9]", f.least_rate):
        yield phrase("least_rate is a share like {example}", example="0.33")


def _strange_infractions(f: Format) -> Iterator[Phrase]:
    """Everything wrong with infractions: their names, and the penalties that they name."""
    names = [one.name for one in f.infractions]
    if len(set(names)) < len(names) or not all(names) or len(names) > INFRACTIONS:
        yield phrase("every infraction needs a name of its own, {n} at most", n=INFRACTIONS)
    for one in f.infractions:
        times = [seconds for seconds, _ in one.late]
        kinds = [kind for _, kind in one.late] or [one.penalty]
        kinds += [one.most] * bool(one.most)
        if strange := [kind for kind in kinds if f.policy.penalty(kind) is None]:
            text = "infraction {name!r}: the scheme has no penalty {kind!r}"
            yield phrase(text, name=one.name, kind=strange[0])
        if times != sorted({*times}) or not all(0 <= one <= LONGEST for one in times):
            yield phrase("infraction {name!r}: later costs come later", name=one.name)
        if one.rule and not settled_by(one.rule):
            text = "infraction {name!r}: {rule} is no section of a manual"
            yield phrase(text, name=one.name, rule=one.rule)
        if not all(len(text) <= NAME and text.isprintable() for text in (one.name, one.label)):
            yield phrase("a name has at most {n} printable characters", n=NAME)


def _strange_pools(one: Pools) -> Iterator[Phrase]:
    """Everything wrong with how decks are built from pools."""
    if one.way not in ("", *WAYS) or (one != Pools() and not one.way):
        yield phrase("pools are of one way: {ways}", ways=", ".join(WAYS))
    if one.pod not in (0, *range(2, POD + 1)) or (one.way == DRAFT and not one.pod):
        yield phrase("a pod has 2 to {n} players", n=POD)
    if one.within and not one.pod:
        yield phrase("rounds are played within pods where there are some")
    if not 0 <= one.least <= (one.most or one.least) <= POOL_CARDS:
        yield phrase("a pool has up to {n} cards", n=POOL_CARDS)
    if not 0 <= one.deck <= (one.most or POOL_CARDS) or len(one.free) > POOL_CARDS:
        yield phrase("a deck has no more cards than a pool")
    if not all(len(name) <= NAME and name.isprintable() for name in one.free):
        yield phrase("a name has at most {n} printable characters", n=NAME)


def _is_cut(n: int) -> bool:
    return n == 0 or (2 <= n <= PLAYERS and not n & (n - 1))
