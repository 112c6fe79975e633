"""`kifu cards check`: whether the cards of a game are as lists of printed cards have them today.

A text is compared by its digest (`domain.games.kit.lists.sources`): where it is another than the
one that the data were made of, the card has an erratum, and is to be compiled again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct

from domain import games
from domain.effects.printed.normal import digest
from domain.games.kit.lists import sources
from domain.games.kit.lists.printed import Printed
from domain.words.phrases import phrase
from replay_cli.output import Failed, FilePath, as_json, console, json_option, say, table
from replay_cli.reaching import completing
from replay_cli.typed import prints
from replay_cli.typed.games import chosen

#: What of a card its text says, and not its figures.
_OF_TEXTS = frozenset({"effect", "keywords", "names", "unread"})


class Difference(Struct, frozen=True):
    """What of a card is not as it is printed."""

    id: str
    name: str
    what: str


@click.command("check")
@click.argument(
    "files", nargs=-1, required=True, type=FilePath(exists=True, dir_okay=False), metavar="FILE…"
)
@completing.game_option
@json_option
def check_command(files: tuple[Path, ...], game: str, as_data: bool) -> None:
    """Compare lists of printed cards (CSV or JSON) with the card data: errata, new cards.

    Cards that no list has are not looked at. Fails if anything differs.
    """
    game = chosen(game)
    listed = prints.read(files, game)
    found = [one for card in listed for one in _differences(game, card)]
    if as_data:
        as_json(found)
    elif found:
        shown = table("card", "name", "")
        for one in found:
            shown.add_row(one.id, one.name, say(one.what))
        console().print(shown)
    if found:
        raise Failed(
            phrase("{n} of {n2} cards differ", n=len({one.id for one in found}), n2=len(listed))
        )
    if not as_data:
        click.echo(say(phrase("{n} cards are as they are printed.", n=len(listed))))


def _differences(game: str, printed: Printed) -> Iterator[Difference]:
    name = str(printed.table["name"])
    card = games.rulebook(game).cards.get(printed.id)
    if card is None:
        yield Difference(printed.id, name, phrase("no such card is known"))
        return
    known = msgspec.to_builtins(card)
    for what in (*_figures(known, printed.table), *_text(game, printed)):
        yield Difference(printed.id, name, what)


def _figures(known: Mapping[str, Any], printed: Mapping[str, Any]) -> Iterator[str]:
    for key in (key for key in known if key not in _OF_TEXTS):
        here, now = known[key] or None, printed.get(key)
        here = [*here] if isinstance(here, tuple) else here
        if now != here:
            text = "{key}: {printed!r} in print, {known!r} here"
            yield phrase(text, key=key, printed=now or "", known=here or "")


def _text(game: str, printed: Printed) -> Iterator[str]:
    source = sources.known(games.folder(game)).get(printed.id)
    lines = games.reading(game).compiler().normal(printed.text) if printed.text else []
    if source is None or source.digest != (digest(lines) if printed.text else ""):
        yield phrase("its text is another than the one that its data were made of")
