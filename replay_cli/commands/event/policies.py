"""`kifu event policy`: the manuals that an event's file can name, and what they settle.

They are in `domain.tournament.manuals`; the file that names one is read in
`replay_cli.tournament.reading.event`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from domain.record.schema.citations import manuals as sections
from domain.tournament import manuals
from domain.words.phrases import GISTS, joined, phrase, word
from replay_cli.output import MISSING, Failed, as_json, console, json_option, say

#: What the tables of a manual are about.
_TABLES = {
    "format": phrase("The format"),
    "end": phrase("Once time is called"),
    "pools": phrase("Sealed and draft"),
    "stages": phrase("Stages of their own"),
    "penalty": phrase("Penalties"),
    "sections": phrase("By which acts are refused"),
    "infraction": phrase("Infractions, and their usual penalties"),
}


@click.command("policy")
@click.argument("name", default="")
@click.option("--game", default="", help="As it is for this game.")
@json_option
def policy_command(name: str, game: str, as_data: bool) -> None:
    """Show the manual NAME, or (no NAME) which manuals there are.

    An event's file names one: rules = "NAME". What the file says itself takes its place.
    """
    try:
        found = manuals.manual(name, game) if name else {}
    except manuals.NoSuchManual as error:
        raise Failed(str(error), MISSING) from error
    known = {one: str(manuals.manual(one)["title"]) for one in manuals.names()}
    if as_data:
        as_json(found or known)
        return
    out = console()
    if not found:
        for one, title in known.items():
            out.print(f"{one:<20} {title}", markup=False, highlight=False)
        return
    out.print(found["title"], style="bold", markup=False)
    for line in _lines(found):
        out.print(line, markup=False, highlight=False, soft_wrap=True)


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    """All that a manual settles, a setting a line, under the tables that it is in."""
    if found["games"]:
        yield phrase("for {games}", games=joined(", ", found["games"]))
    for table, title in _TABLES.items():
        if table in found:
            yield from ("", title)
            yield from _settings(found[table], "  ")
    if found.get("decks"):
        yield from ("", phrase("What checks of decks find"))
        yield f"  {_written(found['decks'])}"
    cited = dict.fromkeys(_cited(found))
    if cited:
        yield from ("", phrase("Sections"))
        yield from (f"  {one:<12} {say(word(sections()[one], GISTS))}" for one in cited)
    if found["about"]:
        yield from ("", phrase("How it is read"))
        yield from (f"  {line}" for line in found["about"])


def _settings(value: Any, indent: str) -> Iterator[str]:
    rows = value.items() if isinstance(value, dict) else ((one["name"], one) for one in value)
    for key, one in rows:
        if isinstance(one, dict):
            yield f"{indent}{key}"
            yield from _settings({k: v for k, v in one.items() if k != "name"}, f"{indent}  ")
        else:
            yield f"{indent}{key:<12} {_written(one)}"


def _written(value: Any) -> str:
    if isinstance(value, list):
        nested = any(isinstance(one, list) for one in value)
        return ("; " if nested else ", ").join(map(_written, value))
    return say(phrase("yes") if value else phrase("no")) if isinstance(value, bool) else str(value)


def _cited(value: Any) -> Iterator[str]:
    """The sections that are named anywhere in a manual."""
    if isinstance(value, str) and value in sections():
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _cited(one)
