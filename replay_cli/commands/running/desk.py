"""`kifu desk` and `kifu time`: what officials do at a match, a command for each of their acts.

The fields of each, and its texts, are in its row (`domain.officials.acts`). Going back, forking and
playing a fork on are in `desk_back`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
from kifu.v1.desk_service_pb2 import Recorded

from domain.engine.rulebook import Refused
from domain.officials.acts import ACTS, OfficialAct
from domain.record.views import PUBLIC
from domain.telling import at_event, consequences, notices
from domain.telling.names import clock_name, countdown, player, time_left
from domain.text import desk, fixes
from domain.words.fields import Kind
from domain.words.phrases import Phrase, joined, phrase
from replay_cli.commands.running import desk_back
from replay_cli.commands.running.acting import Seen, roll_missing, yes_option
from replay_cli.output import REFUSED, Failed, as_json, console, json_option, say
from replay_cli.pages import Commands
from replay_cli.reaching.asking import confirmed, match_to_write
from replay_cli.reaching.connection import Access, Reader, access_options, match_argument
from replay_cli.reaching.looking import Look
from replay_cli.reaching.rounds import Rounds
from replay_cli.typed.desk import MatchFirst, options, parameters
from service.client.connection import CallError


@click.group("desk", cls=Commands)
def desk_command() -> None:
    """Rule, penalise, correct, rewind, fork. For officials of the match, and organisers.

    MATCH comes first; it may be left out where only one is live.
    """


@click.group("time", cls=Commands)
def time_command() -> None:
    """Call time, decide, set clocks. For officials of the match, and organisers."""


def _command(act: type[OfficialAct]) -> click.Command:
    """The command of an act."""

    def run(match: str, access: Access, as_data: bool, yes: bool = False, **given: Any) -> None:
        with access.open(adds=True) as client:
            reader = Reader(client, match_to_write(client, match))
            if act.looks:
                Look(yes=as_data).warn(reader, None, ask=False)
            seen = Seen(reader, whole=act.looks)
            requested, warning = _meant(reader, seen, act, given, yes=yes)
            if act.grave and not confirmed(warning, yes):
                return
            try:
                recorded = client.record(reader.id, requested)
            except CallError as error:
                raise roll_missing(error, reader.book, seen.pos.heading.seats) from error
            if as_data:
                as_json(recorded)
            elif act.group == "time":
                _show_clocks(reader)
            else:
                _show(reader, requested, recorded)

    asks = act.grave or any(one.field.kind == Kind.PRINT for one in desk.TYPED[act.name])
    name, more = act.command or act.name, (yes_option,) if asks else ()
    example = f"kifu {act.group} {name} k7f3q {act.example}".rstrip()
    decorate = options(
        click.command(name, cls=MatchFirst, help=act.__doc__, epilog=f"\b\n{example}"),
        match_argument, *parameters(desk.TYPED[act.name]), *more, access_options, json_option,
    )  # fmt: skip
    found: click.Command = decorate(run)
    return found


def _meant(
    reader: Reader, seen: Seen, row: type[OfficialAct], given: Mapping[str, Any], *, yes: bool
) -> tuple[OfficialAct, str]:
    """The act that was typed, and what it does: in the match, and at its event."""
    act, more = seen.act(row.name, given, yes=yes), Phrase("")
    at = Rounds(reader.client).at(reader.id) if row.grave else None
    if at is not None:
        try:
            act, made = at_event.proposed(act, at)
        except Refused as error:
            raise Failed(say(error.refusal.text), REFUSED) from None
        more = at_event.consequences(act, made, seen.pos, at)
    parts = (more, consequences.act(reader.id, act, seen.pos, reader.book.manifest))
    return act, say(joined(" ", [part for part in parts if part]))


def _show(r: Reader, act: OfficialAct, recorded: Recorded) -> None:
    """Print what was recorded, and which decision is open by then, or how the match ended."""
    then, done = phrase("decision {n} is open", n=recorded.decision), act.done
    if not recorded.decision:
        p = r.client.position(r.id, view=PUBLIC)
        over = phrase("the match is over: {how}", how=notices.won(p.winner, p.score))
        then = over if p.over else phrase("nothing is open")
        done = act.done if p.over else act.undecided or act.done
    text = say(done).rstrip(".。")
    console().print(
        phrase("{done} (entries {first} to {last}); {then}.", done=text,
               first=recorded.first_seq, last=recorded.last_seq, then=then)
    )  # fmt: skip


def _show_clocks(r: Reader) -> None:
    """Print what the clocks show by then."""
    pos, out = r.client.position(r.id, view=PUBLIC), console()
    for name in pos.clocks:
        left = countdown(pos.left(name, pos.time))
        out.print(phrase("{clock} shows {time}", clock=clock_name(name), time=left))
    if pos.called and not pos.over:
        out.print(time_left(pos, pos.time))
    if pos.over:
        won = phrase("{player} wins", player=player(pos.winner))
        out.print(won if pos.winner >= 0 else phrase("the match is a draw"))


for _act in ACTS.values():
    if _act.name != "rewind":
        (desk_command if _act.group == "desk" else time_command).add_command(_command(_act))
_correct = desk_command.commands["correct"]
_correct.epilog = f"{_correct.epilog}\n\nFixes:\n\n\b\n" + "\n".join(
    f"{typed}\n    {means}" for typed, means in fixes.notation()
)
for command in desk_back.COMMANDS:
    desk_command.add_command(command)
