"""`kifu event call`, `penalty`, `late`, `note`: what judges do outside the records of matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from domain.engine.rulebook import Refused
from domain.telling import tournament_consequences
from domain.telling.names import countdown
from domain.telling.tournament import GAMES
from domain.telling.tournament import infraction as infraction_text
from domain.tournament.acts import penalties
from domain.tournament.acts import rows as acts
from domain.tournament.record import (
    GAME_STATES,
    HEAD_JUDGE,
    CallAnswered,
    CallRaised,
    CallTaken,
    Entry,
)
from domain.tournament.state import Call
from domain.words.phrases import joined, labelled, phrase
from replay_cli.commands.event.at import At, command, doing, round_option
from replay_cli.output import MISSING, REFUSED, Failed, Misused, console, say, table
from replay_cli.pages import Commands


@click.group("call", cls=Commands, no_args_is_help=True)
def call_command() -> None:
    """Call a judge to a table, take a call, answer it, list them."""


@doing("raise", acts.RaiseCall, group=call_command)
def raise_command(at: At, act: acts.RaiseCall, done: Any) -> Sequence[str]:
    """Call a judge to TABLE; TEXT says what about."""
    return [phrase("call {n}: a judge to table {table}", n=done.call, table=act.table)]


@doing("take", acts.TakeCall, group=call_command)
def take_command(at: At, act: acts.TakeCall, _: object) -> Sequence[str]:
    """Take a call: you go to the table; also instead of another judge."""
    table = at.state.calls[act.call].table
    return [phrase("call {n} is yours: table {table}", n=act.call, table=table)]


@doing("answer", acts.AnswerCall, group=call_command)
def answer_command(at: At, act: acts.AnswerCall, _: object) -> Sequence[str]:
    """Settle CALL; TEXT says how."""
    time = act.seconds
    text = "call {n} is settled, {time} given" if time else "call {n} is settled"
    return [phrase(text, n=act.call, time=f"{time // 60}:{time % 60:02}")]


@command(
    "list",
    click.option("--all", "every", is_flag=True, help="Settled ones too."),
    group=call_command,
    adds=False,
)
def list_command(at: At, every: bool) -> None:
    """List the calls that wait, how long they have."""
    calls = [one for one in at.state.calls.values() if every or not one.answered]
    if at.as_data:
        at.answer([_data(one) for one in calls])
        return
    shown = table(
        "call",
        "round",
        "table",
        "by",
        "waits",
        "taken by",
        "for",
        "what",
        right=("call", "round", "table", "waits", "for"),
    )
    for one in calls:
        shown.add_row(
            str(one.number), str(one.round), str(one.table),
            at.name(one.player) if one.player else "", _waited(at, one), one.taken_by,
            _spent(at, one),
            f"{one.text}; {one.answer}" if one.answer else one.text,
        )  # fmt: skip
    console().print(shown if calls else phrase("nobody calls"))


def _waited(at: At, call: Call) -> str:
    """How long nobody came, or has not come yet."""
    return countdown((call.taken or call.answered or at.now) - call.raised)


def _spent(at: At, call: Call) -> str:
    """How long somebody was, or has been, there."""
    return countdown((call.answered or at.now) - call.taken) if call.taken else ""


@command("watch", group=call_command, adds=False)
def watch_command(at: At) -> None:
    """Follow the calls: each as it is raised, taken and settled, until Ctrl+C."""
    for call in at.state.calls.values():
        if not call.answered:
            there = phrase("{judge} is there", judge=call.taken_by)
            _say(at, call, there if call.taken else phrase("waits"))
    for entry in at.client.watch_tournament(at.id, at.state.seq):
        if isinstance(entry.event, CallRaised | CallTaken | CallAnswered):
            call = at.look().calls[entry.event.call]
            _say(at, call, _news(at, call, entry))


def _news(at: At, call: Call, entry: Entry) -> str:
    """The change of a call, with how long it took."""
    match entry.event:
        case CallTaken():
            waited = countdown(entry.time - call.raised)
            return phrase("{judge} goes there, after {time}", judge=entry.by, time=waited)
        case CallAnswered(text=text, seconds=seconds):
            spent = countdown(entry.time - (call.taken or call.raised))
            done = phrase("settled in {time}", time=spent)
            if seconds:
                more = countdown(seconds * 1000)
                done = phrase("settled in {time}, {more} more for the table", time=spent, more=more)
            return labelled(done, text) if text else done
    return phrase("waits")


def _say(at: At, call: Call, text: str) -> None:
    head = phrase("call {n}, table {table}", n=call.number, table=call.table)
    if call.player:
        head = phrase("{call} ({player})", call=head, player=at.name(call.player))
    if call.text:
        head = phrase("{call} “{text}”", call=head, text=call.text)
    line = labelled(head, text)
    at.answer({"said": str(line), **_data(call)}, line)


def _data(call: Call) -> dict[str, object]:
    return {name: getattr(call, name) for name in call.__struct_fields__}


@click.group("appeal", cls=Commands, no_args_is_help=True)
def appeal_command() -> None:
    """Appeal to the head judge against a ruling; answer it; list appeals."""


@doing("raise", acts.RaiseAppeal, group=appeal_command)
def raise_appeal_command(at: At, act: acts.RaiseAppeal, done: Any) -> Sequence[str]:
    """Appeal against how a call was settled (--call), or a ruling in a match; TEXT says what for.

    A ruling is named by its table and its entry in the match: --table 3 --ruling 412.
    """
    judges = [name for name, role in at.state.officials.items() if role == HEAD_JUDGE]
    who = joined(", ", judges) if judges else phrase("the head judge")
    return [phrase("appeal {n}, for {judge}", n=done.appeal, judge=who)]


@doing("answer", acts.AnswerAppeal, group=appeal_command)
def answer_appeal_command(at: At, act: acts.AnswerAppeal, _: object) -> Sequence[str]:
    """Answer APPEAL, as its head judge; TEXT says how. The ruling stands unless --overturn."""
    text = "appeal {n}: the ruling stands"
    if act.overturned:
        text = "appeal {n}: the ruling does not stand"
    return [phrase(text, n=act.appeal)]


@command("list", group=appeal_command, adds=False)
def list_appeals_command(at: At) -> None:
    """List the appeals, with their answers."""
    rows = [*at.state.appeals.values()]
    if at.as_data:
        at.answer([{name: getattr(one, name) for name in one.__struct_fields__} for one in rows])
        return
    shown = table("appeal", "round", "table", "by", "against", "what", "answer", right=("appeal",))
    for one in rows:
        against = phrase("call {n}", n=one.call) if one.call else phrase("entry {n}", n=one.seq)
        stands = phrase("overturned") if one.overturned else phrase("stands")
        shown.add_row(
            str(one.number), str(one.round), str(one.table),
            at.name(one.player) if one.player else "", against, one.text,
            joined(phrase("; "), filter(None, (stands if one.answered else "", one.answer))),
        )  # fmt: skip
    console().print(shown if rows else phrase("there are no appeals"))


@command(
    "penalty",
    click.argument("who", required=False, default=""),
    click.argument("kind", required=False, default=""),
    click.option("--infraction", default="", metavar="NAME", help="What for, by its name."),
    click.option(
        "--game", "game_state", type=click.Choice([*filter(None, GAME_STATES)]),
        help="What became of the game: put right, beyond repair, played on as it is.",
    ),
    click.option("--note", "text", default="", help="What for, in words."),
    click.option("--withdraw", "entry", type=click.IntRange(1), help="Entry N was a mistake."),
    click.option("--why", default="", help="Why it was a mistake."),
    round_option,
    asks=True,
)  # fmt: skip
def penalty_command(
    at: At, who: str, kind: str, infraction: str, game_state: str | None, text: str,
    entry: int | None, why: str, number: int,
) -> None:  # fmt: skip
    """Penalise player WHO by KIND (warning, …), or as is usual for --infraction; or list penalties.

    A game or a match that it costs is lost in the match of WHO that goes on, else in the next. What
    happens at a table can be recorded there as well (kifu desk penalise), and is listed here.
    """
    if entry is not None:
        done = at.client.withdraw_penalty(at.id, entry, why)
        at.answer(done, phrase("the penalty of entry {n} is withdrawn", n=entry))
        return
    player = at.person(who).number if who else 0
    if player and (kind or infraction):
        penalise(at, player, kind, infraction, game_state or "", text, number)
        return
    rows = [one for one in at.state.penalties.values() if player in (0, one.player)]
    if at.as_data:
        at.answer([{name: getattr(one, name) for name in one.__struct_fields__} for one in rows])
        return
    shown = table(
        "entry", "player", "penalty", "round", "match", "what for", right=("entry", "round")
    )
    for one in rows:
        words = (
            one.infraction and infraction_text(at.state, one.infraction),
            GAMES[one.game_state] if one.game_state else "",
            one.note,
            phrase("withdrawn: {why}", why=one.withdrawn) if one.withdrawn else "",
        )
        shown.add_row(
            str(one.seq), at.name(one.player), _kind(at, one.kind), str(one.round or ""), one.match,
            joined(phrase("; "), filter(None, words)),
        )  # fmt: skip
    console().print(shown if rows else say(phrase("there are no penalties")))


def _kind(at: At, kind: str) -> str:
    """What the event's scheme calls a penalty."""
    found = at.state.format.policy.penalty(kind)
    return say(found.called) if found is not None else kind


def penalise(
    at: At, player: int, kind: str, infraction: str, game_state: str, text: str, number: int
) -> None:
    """Penalise a player, after asking where an infraction says how."""
    kind, falls = proposed(at, player, kind, infraction)
    done = at.client.do(
        at.id, acts.PenalisePlayer(player, kind, text, number, infraction, game_state)
    )
    found = phrase("{text} (entry {n})", text=falls, n=done.entry)
    lines = [found, *at.reports(done.tables)]
    at.answer({"entry": done.entry, "kind": kind}, *lines)


def proposed(at: At, player: int, kind: str, infraction: str) -> tuple[str, str]:
    """The penalty for an infraction, once that was asked, or the one named; and where it falls."""
    if infraction:
        try:
            made = penalties.proposed(at.state, player, infraction, at.now)
        except Refused as error:
            raise Failed(say(error.refusal.text), REFUSED) from None
        kind = kind or made.kind
        warning = tournament_consequences.penalised(at.state, player, kind, infraction, made)
        at.confirm(say(warning))
    return kind, say(tournament_consequences.penalised(at.state, player, kind))


@command(
    "late",
    click.argument("who", nargs=-1),
    click.option("--table", "number", type=click.IntRange(1), help="Both players of a table."),
    click.option("--note", "text", default="", help="More, in words."),
    asks=True,
)
def late_command(at: At, who: Sequence[str], number: int | None, text: str) -> None:
    """Penalise players WHO are not there, by the time since the round was started.

    What that costs from when on is in the event's file (kifu event policy).
    """
    now = at.round()
    players = [one.number for one in at.persons(who)]
    if number is not None:
        if number not in now.tables:
            raise Failed(
                phrase("round {number} has no table {number2}", number=now.number, number2=number),
                MISSING,
            )
        players += now.tables[number].players
    found = next((one.name for one in at.state.format.infractions if one.late), "")
    if not players:
        raise Misused("name who is late, or --table N for both of a table")
    if not found:
        hint = phrase(
            'name a manual that has: rules = "bandai-2025"; or give it: kifu event penalty'
        )
        raise Failed("the event says nothing of coming late", MISSING, [hint])
    for player in dict.fromkeys(players):
        penalise(at, player, "", found, "", text, now.number)


@doing("note", acts.NoteAsJudge)
def note_command(at: At, act: acts.NoteAsJudge, _: object) -> Sequence[str]:
    """Write TEXT down, for you and other officials."""
    return [phrase("It was written down.")]
