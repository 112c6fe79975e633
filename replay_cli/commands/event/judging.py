"""`kifu event call`, `penalty`, `note`: the work of judges outside the records of matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from domain.telling.names import countdown
from domain.tournament.acts import rows as acts
from domain.tournament.record import CallAnswered, CallRaised, CallTaken, Entry
from domain.tournament.state import Call
from replay_cli.commands.event.at import At, command, doing, round_option
from replay_cli.output import console, table
from replay_cli.pages import Commands


@click.group("call", cls=Commands, no_args_is_help=True)
def call_command() -> None:
    """Call a judge to a table, take a call, answer it, list them."""


@doing("raise", acts.RaiseCall, group=call_command)
def raise_command(at: At, act: acts.RaiseCall, done: Any) -> Sequence[str]:
    """Call a judge to TABLE; TEXT says what about."""
    return [f"call {done.call}: a judge to table {act.table}"]


@doing("take", acts.TakeCall, group=call_command)
def take_command(at: At, act: acts.TakeCall, _: object) -> Sequence[str]:
    """Take a call: you go to the table; also instead of another judge."""
    return [f"call {act.call} is yours: table {at.state.calls[act.call].table}"]


@doing("answer", acts.AnswerCall, group=call_command)
def answer_command(at: At, act: acts.AnswerCall, _: object) -> Sequence[str]:
    """Settle CALL; TEXT says how."""
    time = act.seconds
    more = f", {time // 60}:{time % 60:02} were given" if time else ""
    return [f"call {act.call} is settled{more}"]


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
    console().print(shown if calls else "nobody calls")


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
            _say(at, call, "waits" if not call.taken else f"{call.taken_by} is there")
    for entry in at.client.watch_tournament(at.id, at.state.seq):
        if isinstance(entry.event, CallRaised | CallTaken | CallAnswered):
            call = at.look().calls[entry.event.call]
            _say(at, call, _news(at, call, entry))


def _news(at: At, call: Call, entry: Entry) -> str:
    """The change of a call, with how long it took."""
    match entry.event:
        case CallTaken():
            return f"{entry.by} goes there, after {countdown(entry.time - call.raised)}"
        case CallAnswered(text=text, seconds=seconds):
            spent = countdown(entry.time - (call.taken or call.raised))
            more = f", {countdown(seconds * 1000)} more for the table" if seconds else ""
            return f"settled in {spent}{more}{f': {text}' if text else ''}"
    return "waits"


def _say(at: At, call: Call, text: str) -> None:
    who = f" ({at.name(call.player)})" if call.player else ""
    about = f" “{call.text}”" if call.text else ""
    line = f"call {call.number}, table {call.table}{who}{about}: {text}"
    at.answer({"said": line, **_data(call)}, line)


def _data(call: Call) -> dict[str, object]:
    return {name: getattr(call, name) for name in call.__struct_fields__}


@command(
    "penalty",
    click.argument("who", required=False, default=""),
    click.argument("kind", required=False, default=""),
    click.option("--note", "text", default="", help="What for."),
    click.option("--withdraw", "entry", type=click.IntRange(1), help="Entry N was a mistake."),
    click.option("--why", default="", help="Why it was a mistake."),
    round_option,
)
def penalty_command(
    at: At, who: str, kind: str, text: str, entry: int | None, why: str, number: int
) -> None:
    """Penalise player WHO by KIND (warning, …) outside his matches; or list penalties (of WHO).

    It costs nothing by itself. A penalty that costs a game or a match is recorded in that match
    (kifu desk penalise), and is listed here as well.
    """
    if entry is not None:
        done = at.client.withdraw_penalty(at.id, entry, why)
        at.answer(done, f"the penalty of entry {entry} is withdrawn")
        return
    player = at.person(who).number if who else 0
    if kind:
        found = at.client.penalise_player(at.id, player, kind, text, round=number)
        at.answer({"entry": found}, f"{at.name(player)}: {kind} (entry {found})")
        return
    rows = [one for one in at.state.penalties.values() if player in (0, one.player)]
    if at.as_data:
        at.answer([{name: getattr(one, name) for name in one.__struct_fields__} for one in rows])
        return
    shown = table(
        "entry", "player", "penalty", "round", "match", "what for", right=("entry", "round")
    )
    for one in rows:
        gone = f" (withdrawn: {one.withdrawn})" if one.withdrawn else ""
        shown.add_row(
            str(one.seq), at.name(one.player), one.kind, str(one.round or ""), one.match,
            f"{one.note}{gone}",
        )  # fmt: skip
    console().print(shown if rows else "there are no penalties")


@doing("note", acts.NoteAsJudge)
def note_command(at: At, act: acts.NoteAsJudge, _: object) -> Sequence[str]:
    """Write TEXT down, for you and other officials."""
    return ["It was written down."]
