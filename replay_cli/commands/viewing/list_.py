"""`kifu list`: the matches of a server or a file."""

from __future__ import annotations

from typing import Any

import click

from replay_cli.output import as_json, console, json_option, table
from replay_cli.reaching.connection import Access, access_options


@click.command("list")
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="NAME=VALUE",
    help="Only matches with this label; may be given several times.",
)
@click.option(
    "--state",
    type=click.Choice(["waiting", "live", "ended"]),
    default=None,
    help="Only matches that have not begun, that are being played, or that are over.",
)
@click.option("--game", default="", help="Only matches of this game.")
@click.option("--forks", is_flag=True, help="Forks as well: matches that were not played so.")
@click.option("-n", "--limit", type=click.IntRange(1), default=50, show_default=True)
@access_options
@json_option
def list_command(
    labels: tuple[str, ...], state: str | None, game: str, forks: bool, limit: int,
    access: Access, as_data: bool,
) -> None:  # fmt: skip
    """List matches, the newest first."""
    wanted = dict(_label(text) for text in labels)
    with access.open() as client:
        found = []
        for one in client.list_matches(wanted, state=state or "", game=game, forks=forks):
            found.append(one)
            if len(found) == limit:
                break
    if as_data:
        as_json(found)
        return
    shown = table("match", "game", "opened", "seats", "state", "score", "entries", "labels",
                  right=("entries",))  # fmt: skip
    for one in found:
        shown.add_row(
            one.id,
            one.game,
            one.open_time.ToDatetime().strftime("%Y-%m-%d %H:%M"),
            " – ".join(one.seats),
            _state(one),
            "–".join(map(str, one.score)),
            str(one.entries),
            ", ".join(f"{label.name} {label.value}" for label in one.labels),
        )
    console().print(shown if found else "no matches")


def _state(match: Any) -> str:
    if match.unofficial:
        over = ", over" if match.state == 2 else ""
        return f"UNOFFICIAL, fork of {match.fork.match}{over}"
    how = ", imported" if match.imported else ", SEEDED" if match.chance == "seed" else ""
    how += ", corrected" if match.superseded else ""
    if match.state != 2:
        return f"{'waiting' if match.state == 3 else 'live'}{how}"
    return f"{match.seats[match.winner]} won{how}" if match.winner >= 0 else f"a draw{how}"


def _label(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--label")
    return name, value
