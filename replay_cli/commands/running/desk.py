"""`kifu desk`: rulings, penalties, notes, pauses, irregularities and corrections.

What each of them takes is a row of `domain.text.desk`. Going back, undoing and forking are in
`desk_rewind`, what becomes of results in `desk_result`; the time of a match is `kifu time`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import click

from domain.engine.rulebook import Rulebook
from domain.officials.corrections.fixes import Fix
from domain.record.values import BY_OFFICIAL
from domain.record.views import PUBLIC
from domain.text import fixes, notation, reading
from replay_cli.commands.running import desk_result, desk_rewind
from replay_cli.commands.running.desk_result import won
from replay_cli.commands.running.recording import (
    Consequence,
    Option,
    Recorded,
    recording,
    seat_of,
)
from replay_cli.output import console
from replay_cli.pages import Commands
from replay_cli.reaching.connection import Reader
from replay_cli.typed import desk as typed
from replay_cli.typed.rolls import rolls_option
from service.client.convert import Rolls


@click.group("desk", cls=Commands)
def desk_command() -> None:
    """Rule, penalise, correct, go back, fork. For officials of the match, and organisers."""


def _command(
    name: str,
    text: str,
    *options: Option,
    example: str,
    consequence: Consequence | None = None,
    looks: bool = False,
) -> Option:
    """A command that prints this text, and which decision is open by then, or how it ended.

    What it takes is in the table of acts; `options` are what only a client is told.
    """

    def show(r: Reader, recorded: Recorded) -> None:
        then = f"decision {recorded.decision} is open"
        if not recorded.decision:
            p = r.client.position(r.id, view=PUBLIC)
            then = f"the match is over: {won(p.winner, p.score)}" if p.over else "nothing is open"
        console().print(f"{text} (entries {recorded.first_seq} to {recorded.last_seq}); {then}.")

    return recording(
        desk_command, name, show, *typed.words(name), *options,
        consequence=consequence, looks=looks,
        example=f"kifu desk {name} {example}".rstrip(),
    )  # fmt: skip


@_command("begin", "The match has begun", rolls_option, example='--why "all are seated"')
def begin_command(r: Reader, why: str, rolls: Rolls) -> Recorded:
    """Have MATCH (default: the live one) begin, which was opened to wait."""
    return r.client.begin(r.id, why, rolls=rolls)


@_command(
    "rule",
    "The ruling was recorded",
    example='"A die decides who chooses." --rule RULE --decision 1',
)
def rule_command(r: Reader, text: str, rules: tuple[str, ...], **about: Any) -> Recorded:
    """Record the ruling TEXT in MATCH (default: the live one)."""
    return r.client.rule(r.id, text, rules, **about)


@_command(
    "penalise",
    "The penalty was recorded",
    rolls_option,
    consequence=desk_result.penalty_consequence,
    example='B slow-play --note "a minute over a mulligan"',
)
def penalise_command(r: Reader, who: str, kind: str, note: str, rolls: Rolls) -> Recorded:
    """Penalise player WHO (A, B) by KIND of the event's scheme (warning, game-loss).

    If MATCH is over, a game or a match that is lost so makes another result of it.
    """
    result = desk_result.standing(r)
    return r.client.penalise(r.id, seat_of(r, who), kind, note, rolls=rolls, result=result)


@_command(
    "result",
    "The result was corrected",
    consequence=desk_result.correction_consequence,
    example='A 2-1 --note "entered the wrong way round"',
)
def result_command(r: Reader, winner: str, score: str, note: str) -> Recorded:
    """Correct the result of MATCH, which is over: WINNER (A, B, draw), SCORE.

    The result before it is superseded, and stays readable: kifu desk result A 2-1 --note "…".
    """
    seat, games = desk_result.typed(r, winner, score)
    return r.client.correct_result(r.id, seat, games, note, result=desk_result.standing(r))


@_command(
    "note",
    "The note was recorded",
    example='"A spilled a drink; sleeves were changed" --public',
)
def note_command(r: Reader, text: str, about: int, public: bool) -> Recorded:
    """Write TEXT down in MATCH (default: the live one). For scorekeepers as well."""
    return r.client.note(r.id, text, about=about, public=public)


@_command(
    "shuffle",
    "It was written down",
    example='A --cut B --checked "six cards were counted"',
)
def shuffle_command(r: Reader, whose: str, by: str, cut: str, checked: str) -> Recorded:
    """Write down how the real cards of player WHOSE (A, B) were shuffled. For scorekeepers too."""
    seat = seat_of(r, whose)
    shuffler = _person(r, by) if by else seat
    cutter = None if cut == "nobody" else _person(r, cut) if cut else 1 - seat
    return r.client.shuffle(r.id, seat, shuffler, cutter, checked)


def _person(r: Reader, who: str) -> int:
    return BY_OFFICIAL if who == "official" else seat_of(r, who)


@_command("pause", "The match stands still", example='--why "deck check"')
def pause_command(r: Reader, why: str) -> Recorded:
    """Let MATCH (default: the live one) stand still: no player may act, no clock runs."""
    return r.client.pause(r.id, True, why)


@_command("resume", "The match goes on", example="")
def resume_command(r: Reader, why: str) -> Recorded:
    """Let MATCH (default: the live one) go on."""
    return r.client.pause(r.id, False, why)


@_command(
    "adopt",
    "The match goes on under the engine at hand",
    example='--why "recorded by last year\'s Kifu"',
)
def adopt_command(r: Reader, why: str) -> Recorded:
    """Let MATCH (default: the live one), which an older Kifu recorded, go on under this one.

    Its decision must be one that can be asked anew. What was recorded stands as it is.
    """
    return r.client.adopt(r.id, why)


@_command(
    "accept",
    "The match goes on as it stands",
    example='--why "the file was put back from a copy"',
)
def accept_command(r: Reader, why: str) -> Recorded:
    """Let MATCH (default: the live one) go on, though its entries are not those that were chained.

    They were altered, cut or exchanged. That is said in the record, for all to read, and it is
    chained anew from here.
    """
    return r.client.accept(r.id, why)


@_command(
    "flag",
    "The irregularity was recorded",
    example='RULE "drew two cards for one" --who B --about 1200',
)
def flag_command(r: Reader, rule: str, text: str, who: str, about: int) -> Recorded:
    """Flag that RULE was broken, TEXT says how: it has happened, and stands."""
    return r.client.flag(r.id, rule, text, seat=seat_of(r, who) if who else None, about=about)


@_command(
    "play",
    "The irregularity was recorded, and the game goes on from it",
    example='B "attack ???? -> player" --note "it had been rested already"',
    looks=True,
)
def play_command(r: Reader, who: str, act: str, note: str) -> Recorded:
    """Record what player WHO did against the rules: ACT, as one types it.

    Cards may be named that are in no list: kifu desk play A "deploy Zaku II".
    """
    seat, p = seat_of(r, who), r.client.position(r.id)
    try:
        meant, names = reading.read(act, p, cast(Rulebook, r.book), seat, any_card=True)
    except notation.BadText as error:
        raise click.BadParameter(str(error), param_hint="ACT") from None
    n = p.decision.n if p.decision is not None else 0
    return r.client.play_anyway(r.id, n, seat, meant, note, names=names)


@_command(
    "correct",
    "The position was put right",
    rolls_option,
    example="-f 'move 57 to trash/1' --why \"it was destroyed\" --rule RULE",
)  # fmt: skip
def correct_command(
    r: Reader, wanted: Sequence[Fix], why: str, rule: str, who: str, rolls: Rolls
) -> Recorded:
    """Put the position of MATCH (default: the live one) right."""
    decision = r.client.position(r.id, view=PUBLIC).decision
    n = decision.n if decision is not None else 0
    seat = seat_of(r, who) if who else None
    return r.client.correct(r.id, n, wanted, why, rule=rule, seat=seat, rolls=rolls)


for part in (fixes.__doc__ or "").split("\n\n"):
    correct_command.epilog += f"\n\n{chr(8)}\n{part}" if part[:1] == " " else f"\n\n{part}"
for command in desk_rewind.COMMANDS:
    desk_command.add_command(command)
