"""Lines of officials in a scenario, `@ desk rewind 3 --put-back random`: what carries them out.

What each act takes is in `domain.text.desk`, and the same for `kifu desk`. A card stands in braces
where `kifu desk` takes its number: `@ desk correct -f 'move {B.GM} to trash/1'`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain.engine.match import Match
from domain.engine.naming import Inputs
from domain.officials import beginning, clocks, irregular, results, rewind, rulings, shuffles
from domain.officials.corrections import correcting
from domain.officials.frame import Official
from domain.record.entries import Entry
from domain.record.position import NOBODY
from domain.record.values import BY_OFFICIAL
from domain.text import desk, reading
from domain.text.desk import BadAct
from domain.text.notation import Names
from domain.text.scenario.text import SEATS
from domain.text.transcript.lines import groups

#: Who does it, and why, where a line does not say.
WHO, WHY = "judge", "as the scenario says"
Given = Mapping[str, Any]
#: Does an act in a match; the other match where it goes back.
Act = Callable[[Match, Official, Given, Sequence[Entry]], Match | None]


def carry_out(match: Match, log: Sequence[Entry], line: int, written: str, now: int) -> Match:
    """Do what a line says after `@ desk`, and return the match that goes on.

    Raises `BadAct`, `BadText` or `BadTranscript` where it can't be read, and what the act raises.
    """
    text, _, rolls = groups(line, written)
    names = Names(match.pos, match.rules, NOBODY, sees_all=True)
    text = re.sub(r"\{([^{}:]+)\}", lambda found: str(names.find(found[1])), text)
    name, given = desk.read(text)
    if name not in _DO:
        raise BadAct(f"{name} is nothing that a scenario can show; it can: {', '.join(_DO)}")
    by = Official(WHO, now, given.get("why") or WHY, rolls=tuple(roll.result for roll in rolls))
    return _DO[name](match, by, given, log) or match


def _seat(match: Match, letter: str) -> int:
    letters = SEATS[: match.rules.manifest.seats]
    if len(letter) != 1 or letter not in letters:
        raise BadAct(f"{letter!r} is no player; there are {' and '.join(letters)}")
    return letters.index(letter)


def _breaker(match: Match, given: Given) -> int:
    return _seat(match, given["who"]) if given["who"] else NOBODY


def _rule(match: Match, by: Official, given: Given, log: Sequence[Entry]) -> None:
    seq = given["evidence"]
    looked = next((entry for entry in log if entry.seq == seq), None) if seq else None
    rulings.rule(
        match, by, given["text"], given["rules"], given["about"], given["decision"], looked
    )


def _result(match: Match, by: Official, given: Given, _: Sequence[Entry]) -> None:
    winner, score = given["winner"], given["score"].split("-")
    if not all(map(str.isdecimal, score)):
        raise BadAct(f"{given['score']!r} is no score such as 2-1")
    seat = NOBODY if winner == "draw" else _seat(match, winner)
    results.correct_result(match, by, seat, tuple(map(int, score)), given["note"])


def _shuffle(match: Match, by: Official, given: Given, _: Sequence[Entry]) -> None:
    def person(who: str, else_: int) -> int:
        known = {"": else_, "official": BY_OFFICIAL, "nobody": NOBODY}
        return known[who] if who in known else _seat(match, who)

    seat = _seat(match, given["whose"])
    cutter = person(given["cut"], match.pos.rival(seat))
    shuffles.witness(match, by, seat, person(given["by"], seat), cutter, given["checked"])


def _play(match: Match, by: Official, given: Given, _: Sequence[Entry]) -> None:
    seat, p = _seat(match, given["who"]), match.pos
    act, names = reading.read(given["act"], p, match.rules, seat, any_card=True)
    n = p.decision.n if p.decision is not None else 0
    irregular.play(match, by, n, seat, act, given["note"], Inputs(names, by.rolls, by.who))


def _rewind(match: Match, by: Official, given: Given, log: Sequence[Entry]) -> Match:
    n, ways = given["decision"], given["put_back"]
    if given["single"]:
        seen = rewind.preview(log, n, match.rules.manifest).seen
        ways = {**dict.fromkeys((one.card for one in seen), ways), **dict(given["single"])}
    return rewind.rewind(match.rules, log, n, by, match.dice, ways)


def _reopen(match: Match, by: Official, _: Given, log: Sequence[Entry]) -> Match:
    return rewind.rewind(match.rules, log, match.pos.decisions, by, match.dice)


#: What carries out the acts of `domain.text.desk`, but for those that need a store or its users.
_DO: Mapping[str, Act] = {
    "begin": lambda match, by, *_: beginning.begin(match, by),
    "rule": _rule,
    "penalise": lambda match, by, given, _: rulings.penalise(
        match, by, _seat(match, given["who"]), given["kind"], given["note"]
    ),
    "result": _result,
    "note": lambda match, by, given, _: rulings.note(
        match, by, given["text"], given["about"], given["public"]
    ),
    "shuffle": _shuffle,
    "pause": lambda match, by, *_: clocks.pause(match, by),
    "resume": lambda match, by, *_: clocks.go_on(match, by),
    "flag": lambda match, by, given, _: irregular.flag(
        match, by, given["rule"], given["text"], _breaker(match, given), given["about"]
    ),
    "play": _play,
    "correct": lambda match, by, given, _: correcting.correct(
        match, by, given["wanted"], given["rule"], _breaker(match, given)
    ),
    "rewind": _rewind,
    "reopen": _reopen,
}
