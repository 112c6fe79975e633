"""A player's table in the round at hand, as his page shows it (`own`), and what he may do there.

Where nothing is recorded he says what the result is, from his side: `2-1` are two games of his.
It is the table's once his opponent says the same (`domain.tournament.acts.claims`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from domain.telling.tournament import STAGES, round_name
from domain.text import outcomes
from domain.tournament import progress
from domain.tournament.acts import claims, rows
from domain.tournament.acts.rows import EventAct
from domain.tournament.record import ELIMINATION, Outcome, Table
from domain.tournament.state import Call, Round, Seating, Stage, State
from domain.words.phrases import Phrase, message_of, phrase
from service.api.calls.errors import malformed
from service.web.events import ruled


class Choice(Struct, frozen=True):
    """A result that a player can report: from his side, in words, and whether all was played."""

    result: str
    text: Phrase
    whole: bool = True


class Shown(Struct, frozen=True):
    """A player's table. `mine` and `theirs`: what he and his opponent have reported.

    `asked`: the results that he may report now; none: there is one, or the match has it.
    """

    round: int
    name: Phrase
    stage: Phrase
    number: int = 0
    opponent: str = ""
    bye: bool = False
    over: bool = False
    match: str = ""
    result: Phrase | None = None
    mine: Choice | None = None
    theirs: Choice | None = None
    asked: Sequence[Choice] = ()
    disputed: bool = False
    call: Call | None = None
    calls: bool = False


def of(s: State, player: int) -> Shown | None:
    """The table of a player in the latest round that is open; None: no round is."""
    now = next((one for one in s.rounds[::-1] if one.stage != Stage.PAIRED), None)
    if now is None:
        return None
    name, place = round_name(now, progress.planned(s)), now.of(player)
    over = now.stage == Stage.ENDED
    if place is None:
        return Shown(now.number, name, STAGES[Stage(now.stage)], over=over)
    other = next((s.players[n].name for n in place.players if n != player), "")
    recorded = place.second and (now.format or s.format).mode
    first, mine = place.first == player, place.claim(player)
    theirs = next((one.outcome for one in place.claims if one.player != player), None)
    open_ = place.result is None and claims.claimable(s, now, place)
    here = (now.number, place.number)
    waiting = [c for c in s.calls.values() if (c.round, c.table) == here and not c.answered]
    return Shown(
        now.number, name, STAGES[Stage(now.stage)], place.number, other, not place.second, over,
        s.match(now.number, place.number) if recorded else "",
        _worded(place.outcome, player, first).text if place.outcome and place.second else None,
        _worded(mine, player, first) if mine else None,
        _worded(theirs, player, first) if theirs else None,
        _choices(s, now) if open_ else (),
        place.disputed, waiting[-1] if waiting else None,
        place.second > 0 and not over and place.result is None and not s.ended,
    )  # fmt: skip


def _worded(outcome: Outcome, player: int, first: bool) -> Choice:
    """An outcome from a player's side."""
    written = outcomes.write(outcome if first else outcomes.turned(outcome))
    return Choice(written, _text(written, (outcome.winner > 0) * (-1, 1)[outcome.winner == player]))


def _text(score: str, won: int) -> Phrase:
    """A score in words: won by him who reads it (1), by the other (-1), or by nobody (0)."""
    if won > 0:
        return phrase("you won {score}", score=score)
    if won < 0:
        return phrase("you lost {score}", score=score)
    return phrase("a draw, {score}", score=score) if score != "draw" else phrase("a draw")


def _choices(s: State, round_: Round) -> list[Choice]:
    """All that can come of playing a match: whole ones first, the best for him who asks first."""
    best_of = (round_.format or s.format).best_of
    wins = best_of // 2 + 1
    scores = [(wins, lost) for lost in range(wins)]
    scores += [(won, wins) for won in range(wins - 1, -1, -1)]
    partial = [(a, b) for a in range(wins - 1, -1, -1) for b in range(wins) if a + b < best_of]
    drawn = round_.by != ELIMINATION
    found = [Choice(f"{a}-{b}", _text(f"{a}-{b}", (a > b) - (a < b))) for a, b in scores]
    for a, b in sorted(partial, key=lambda one: one[1] - one[0]):
        score = f"{a}-{b}" if a or b else "draw"
        if a != b or drawn:
            found.append(Choice(score, _text(score, (a > b) - (a < b)), best_of == 1))
    return found


# -- what he does ----------------------------------------------------------------------------------


def act_of(name: str, sent: Mapping[str, str], s: State, player: int) -> EventAct:
    """The act of a form of the page; raises `Fault`."""
    match name:
        case "drop":
            return rows.DropPlayer(player)
        case "take-back":
            return rows.WithdrawClaim(round=_number(sent, "round"))
        case "call":
            return rows.RaiseCall(_number(sent, "table"), sent.get("text", "").strip())
        case "appeal":
            text = sent.get("text", "").strip()
            return ruled.appeal(sent.get("against", ""), text, _number(sent, "table"))
        case "result":
            number = _number(sent, "round")
            place = _place(s, number, player)
            return rows.ClaimResult(_outcome(sent.get("result", ""), s, number, place, player),
                                    round=number)  # fmt: skip
    raise malformed("act", phrase("is none of this page's"))


def _outcome(text: str, s: State, number: int, place: Seating, player: int) -> Outcome:
    """A result that is written from a player's side, as the table names its players."""
    best_of = (s.rounds[number - 1].format or s.format).best_of
    other = place.second if place.first == player else place.first
    try:
        found = outcomes.read(text, Table(place.number, player, other), best_of)
    except outcomes.BadOutcome as error:
        raise malformed("result", message_of(error)) from None
    return found if place.first == player else outcomes.turned(found)


def _place(s: State, number: int, player: int) -> Seating:
    place = s.rounds[number - 1].of(player) if 1 <= number <= len(s.rounds) else None
    if place is None or not place.second:
        raise malformed("round", phrase("is not one of the event's"))
    return place


def _number(sent: Mapping[str, str], name: str) -> int:
    text = sent.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise malformed(name, phrase("is no number"))
    return int(text)
