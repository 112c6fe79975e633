"""`kifu desk`: what officials put into a match's record beside the game, and put right in it.

Going back, undoing and forking are in `desk_back`, how fixes are typed in `fixes`; the time of a
match is `kifu time` (`clocks`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import click
from kifu.v1 import desk_service_pb2

from domain.engine.rulebook import Rulebook
from domain.text import notation, reading
from replay_cli.commands import desk_back
from replay_cli.connection import (
    Access,
    Reader,
    access_options,
    match_argument,
)
from replay_cli.drawing.names import letter
from replay_cli.output import as_json, console, json_option
from replay_cli.typed import fixes
from replay_cli.typed.rolls import rolls_option
from service.client.desk import Rolls

Recorded = desk_service_pb2.Recorded

why_option = click.option("--why", default="", help="The reason, for the record.")
about_option = click.option(
    "--about", metavar="SEQ", default=0, type=click.IntRange(0), help="The entry that it is about."
)


@click.group("desk")
def desk_command() -> None:
    """Rule, penalise, correct, go back, fork. For officials of the match, and organisers."""


@desk_command.command("rule")
@click.argument("text")
@match_argument
@click.option(
    "-r", "--rule", "rules", multiple=True, metavar="RULE", help="A rule that it applies."
)
@about_option
@click.option("--decision", default=0, metavar="N", help="The decision that it is about.")
@click.option("--evidence", default=0, metavar="SEQ", help="The look that it rests on.")
@access_options
@json_option
def rule_command(
    text: str,
    match: str,
    rules: tuple[str, ...],
    about: int,
    decision: int,
    evidence: int,
    access: Access,
    as_data: bool,
) -> None:
    """Record the ruling TEXT in MATCH (default: the newest)."""
    _do(
        match, access, as_data, "The ruling was recorded",
        lambda r: r.client.rule(
            r.id, text, rules, about=about, decision=decision, evidence=evidence
        ),
    )  # fmt: skip


@desk_command.command("penalise")
@click.argument("who")
@click.argument("kind")
@match_argument
@click.option("--note", default="", help="What for.")
@rolls_option
@access_options
@json_option
def penalise_command(
    who: str, kind: str, match: str, note: str, rolls: Rolls, access: Access, as_data: bool
) -> None:
    """Penalise player WHO (A, B) by KIND of the event's scheme (warning, game-loss)."""
    _do(
        match, access, as_data, "The penalty was recorded",
        lambda r: r.client.penalise(r.id, seat_of(r, who), kind, note, rolls=rolls),
    )  # fmt: skip


@desk_command.command("note")
@click.argument("text")
@match_argument
@about_option
@click.option("--public", is_flag=True, help="For everybody to read, not for officials only.")
@access_options
@json_option
def note_command(
    text: str, match: str, about: int, public: bool, access: Access, as_data: bool
) -> None:
    """Write TEXT down in MATCH (default: the newest). For scorekeepers as well."""
    _do(
        match, access, as_data, "The note was recorded",
        lambda r: r.client.note(r.id, text, about=about, public=public),
    )  # fmt: skip


@desk_command.command("pause")
@match_argument
@why_option
@access_options
@json_option
def pause_command(match: str, why: str, access: Access, as_data: bool) -> None:
    """Let MATCH (default: the newest) stand still: no player may act, no clock runs."""
    _do(
        match, access, as_data, "The match stands still",
        lambda r: r.client.pause(r.id, True, why),
    )  # fmt: skip


@desk_command.command("resume")
@match_argument
@why_option
@access_options
@json_option
def resume_command(match: str, why: str, access: Access, as_data: bool) -> None:
    """Let MATCH (default: the newest) go on."""
    _do(
        match, access, as_data, "The match goes on",
        lambda r: r.client.pause(r.id, False, why),
    )  # fmt: skip


@desk_command.command("adopt")
@match_argument
@why_option
@access_options
@json_option
def adopt_command(match: str, why: str, access: Access, as_data: bool) -> None:
    """Let MATCH (default: the newest), which an older Kifu recorded, go on under this one.

    Its decision must be one that can be asked anew. What was recorded stands as it is.
    """
    _do(
        match, access, as_data, "The match goes on under the engine at hand",
        lambda r: r.client.adopt(r.id, why),
    )  # fmt: skip


@desk_command.command("flag")
@click.argument("rule")
@click.argument("text")
@match_argument
@click.option("--who", default="", help="The player who broke it: A, B.")
@about_option
@access_options
@json_option
def flag_command(
    rule: str, text: str, match: str, who: str, about: int, access: Access, as_data: bool
) -> None:
    """Flag that RULE was broken, TEXT says how: it has happened, and stands."""
    _do(
        match, access, as_data, "The irregularity was recorded",
        lambda r: r.client.flag(
            r.id, rule, text, seat=seat_of(r, who) if who else None, about=about
        ),
    )  # fmt: skip


@desk_command.command("play")
@click.argument("who")
@click.argument("act")
@match_argument
@click.option("--note", default="", help="What happened, in words.")
@access_options
@json_option
def play_command(who: str, act: str, match: str, note: str, access: Access, as_data: bool) -> None:
    """Record what player WHO did against the rules: ACT, as one types it, with all its picks."""

    def say(r: Reader) -> Recorded:
        seat, p = seat_of(r, who), r.client.position(r.id)
        try:
            meant, names = reading.read(act, p, cast(Rulebook, r.book), seat)
        except notation.BadText as error:
            raise click.BadParameter(str(error), param_hint="ACT") from None
        n = p.decision.n if p.decision is not None else 0
        return r.client.play_anyway(r.id, n, seat, meant, note, names=names)

    _do(match, access, as_data, "The irregularity was recorded, and the game goes on from it", say)


@desk_command.command("correct", epilog=f"\b\n{fixes.__doc__}")
@match_argument
@click.option("-f", "--fix", "typed", multiple=True, required=True, help="What is put right.")
@click.option("--why", required=True, help="The reason, for the record.")
@click.option("--rule", default="", help="The rule that was broken, if one.")
@click.option("--who", default="", help="The player who broke it: A, B.")
@rolls_option
@access_options
@json_option
def correct_command(
    match: str,
    typed: tuple[str, ...],
    why: str,
    rule: str,
    who: str,
    rolls: Rolls,
    access: Access,
    as_data: bool,
) -> None:
    """Put the position of MATCH (default: the newest) right."""
    try:
        wanted = [fixes.read(text) for text in typed]
    except fixes.BadFix as error:
        raise click.BadParameter(str(error), param_hint="--fix") from None

    def say(r: Reader) -> Recorded:
        decision = r.client.position(r.id).decision
        n = decision.n if decision is not None else 0
        seat = seat_of(r, who) if who else None
        return r.client.correct(r.id, n, wanted, why, rule=rule, seat=seat, rolls=rolls)

    _do(match, access, as_data, "The position was put right", say)


for command in desk_back.COMMANDS:
    desk_command.add_command(command)


def _do(
    match: str, access: Access, as_data: bool, text: str, say: Callable[[Reader], Recorded]
) -> None:
    with access.open(adds=True) as client:
        recorded = say(Reader(client, match))
    if as_data:
        as_json(recorded)
        return
    then = f"decision {recorded.decision} is open" if recorded.decision else "nothing is open"
    console().print(f"{text} (entries {recorded.first_seq} to {recorded.last_seq}); {then}.")


def seat_of(reader: Reader, said: str) -> int:
    """The seat that a letter names."""
    letters = [letter(seat) for seat in range(reader.book.manifest.seats)]
    if said.upper() not in letters:
        raise click.BadParameter(f"{said!r} is no player; there are {' and '.join(letters)}")
    return letters.index(said.upper())
