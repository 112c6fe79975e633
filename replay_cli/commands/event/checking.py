"""`kifu event check`: decks are drawn to be checked, and how they were is written down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from domain.tournament import manuals
from domain.tournament.acts import rows as acts
from domain.tournament.acts.decks import share
from domain.tournament.state import DeckCheck, State
from domain.words.phrases import phrase
from replay_cli.commands.event.at import At, command, doing
from replay_cli.commands.event.judging import proposed
from replay_cli.output import Misused, console, say, table
from replay_cli.pages import Commands


@click.group("check", cls=Commands, no_args_is_help=True)
def check_command() -> None:
    """Deck checks: 10 % of all decks, and of those who pass to the elimination."""


@doing("draw", acts.DrawDecks, group=check_command)
def draw_command(at: At, _: acts.DrawDecks, done: Any) -> Sequence[str]:
    """Draw decks by chance: as many as are missing to the share of all, or so many."""
    drawn = [phrase("to be checked: {player}", player=at.name(one)) for one in done.players]
    return [*drawn, _counter(at.state)]


@command(
    "deck",
    click.argument("who"),
    click.argument("fault", required=False, default=""),
    click.option("--infraction", default="", metavar="NAME", help="What that is, by its name."),
    click.option("--penalty", "kind", default="", metavar="KIND", help="Instead of the usual one."),
    asks=True,
    group=check_command,
)
def deck_command(at: At, who: str, fault: str, infraction: str, kind: str) -> None:
    """Say how the deck of player WHO was: as his list, or (FAULT) what was wrong with it.

    With --infraction he is penalised for it, as is usual: a game or a match that it costs is lost
    in his match that goes on, else in the next. That is asked first.
    """
    if (infraction or kind) and not fault.strip():
        raise Misused("say what was wrong: FAULT")
    player, name = at.person(who).number, at.person(who).name
    faulty = phrase("{player}: a fault, {fault}", player=name, fault=fault)
    lines: list[str] = [faulty if fault else phrase("{player}: as listed", player=name)]
    if infraction or kind:
        kind, falls = proposed(at, player, kind, infraction)
        lines.append(falls)
    elif fault:
        form = at.state.format
        known = [one for one in manuals.of_decks(form.rules) if form.infraction(one)]
        costs = f"kifu event penalty {name!r} KIND"
        if known:
            costs = f"kifu event penalty {name!r} --infraction {'|'.join(known)}"
        lines.append(phrase("What it costs: {command}", command=costs))
    done = at.client.do(at.id, acts.ReportDeckCheck(player, fault, infraction, kind))
    at.look()
    at.answer(done, *lines, *at.reports(done.tables), _counter(at.state))


@command("list", group=check_command, adds=False)
def list_command(at: At) -> None:
    """List the decks that were drawn or checked, and count them."""
    checks = at.state.checks
    if at.as_data:
        at.answer([{name: getattr(one, name) for name in one.__struct_fields__} for one in checks])
        return
    shown = table("round", "player", "deck", "by", right=("round",))
    for one in checks:
        number: str = str(one.round or "")
        if one.cut:
            number = phrase("{round} (cut)", round=number)
        shown.add_row(number, at.name(one.player), _stage(one), one.by)
    console().print(shown if checks else phrase("no deck was drawn"))
    console().print(_counter(at.state))


def _stage(one: DeckCheck) -> str:
    if not one.checked:
        return phrase("to be checked")
    return phrase("a fault: {fault}", fault=one.fault) if one.fault else phrase("as listed")


def _counter(s: State) -> str:
    """How many decks were checked, of all, as a share."""
    n, of = share(s)
    part = f"{100 * n / of:.1f}" if of else "0"
    text = (
        "{n} deck of {of} checked ({part} %)" if n == 1 else "{n} decks of {of} checked ({part} %)"
    )
    return say(phrase(text, n=n, of=of, part=part))
