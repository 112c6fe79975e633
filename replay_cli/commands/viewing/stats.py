"""`kifu stats`: what the matches of stores, archives and exported files add up to.

The figures are those of `domain.statistics`; matches that are not over, and forks, are not counted.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from domain import games
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.schema.citations import without_edition
from domain.record.views import OFFICIAL, PUBLIC
from domain.statistics import rows
from domain.statistics.facts import Facts, Zones, facts
from domain.statistics.figures import Figures, Rate, Wanted, added, chosen
from domain.telling.book import Book
from domain.telling.names import clock, count
from domain.words.phrases import joined, phrase, word
from replay_cli import record
from replay_cli.output import (
    MISSING,
    BadValue,
    Failed,
    Misused,
    as_file,
    as_json,
    json_option,
    language,
    say,
    table,
    write_table,
)
from replay_cli.reaching import completing, stores
from replay_cli.reaching.connection import DATA, event_option
from replay_cli.reaching.source import STORE
from service.store.opening import is_address
from service.store.records import StoreError

#: What exported files are called.
FILES = (".jsonl", ".kifu-proof", ".txt")
FORMATS = {"bo1": 1, "bo3": 3}
#: The headings of what is counted.
KINDS = {
    "turn": phrase("Player"),
    "seat": phrase("Seat"),
    "deck": phrase("Deck"),
    "end": phrase("Ended by"),
    "against": phrase("Deck"),
    "listed": phrase("In the list"),
    "opening": phrase("In the opening hand"),
    "drawn": phrase("Drawn"),
    "played": phrase("Played from hand"),
}


@click.command("stats")
@click.argument("where", nargs=-1)
@click.option(
    "--by", type=click.Choice(rows.TABLES), default=rows.SUMMARY, show_default=True,
    help="The table: all but cards in short, decks, deck against deck, cards.",
)  # fmt: skip
@click.option(
    "--as", "eyes", type=click.Choice(["official", "public"]), default="public",
    show_default=True, help="From all there is, or from what everybody may know.",
)  # fmt: skip
@click.option(
    "--game", default="", shell_complete=completing.games, help="Only matches of this game."
)
@click.option("--edition", default="", help="Only matches by this edition of the rulebook.")
@event_option("Only matches of this event of organisers, by its id.", named=False)
@click.option("--format", "kind", type=click.Choice([*FORMATS]), help="Only matches of this form.")
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="Only those opened on or after.")
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), help="Only those opened before.")
@click.option(
    "--label", "labels", multiple=True, metavar="NAME=VALUE",
    help="Only matches with this label; may be given several times.",
)  # fmt: skip
@click.option("--csv", "as_csv", is_flag=True, help="Answer in CSV.")
@json_option
def stats_command(
    where: tuple[str, ...], by: str, eyes: str, game: str, edition: str, event: str,
    kind: str | None, since: datetime | None, until: datetime | None, labels: tuple[str, ...],
    as_csv: bool, as_data: bool,
) -> None:  # fmt: skip
    """Add up the matches of WHERE: stores, archives, exported files, folders of them.

    Win rates with their 95 % intervals (Wilson), of games that somebody won; how games ended and
    how long they took. Cards are counted once a game: in the list, in the hand as the first turn
    began, in the hand at any time from then on, played from there.
    """
    if as_csv and as_data:
        raise Misused("it is either --csv or --json")
    wanted = Wanted(
        game=game, edition=edition, event=event, best_of=FORMATS.get(kind or "", 0),
        since=_ms(since), until=_ms(until), labels=dict(map(_label, labels)),
    )  # fmt: skip
    viewer = PUBLIC if eyes == "public" else OFFICIAL
    by_game = dict[str, list[Facts]]()
    for _, one in chosen(_all(where or (str(DATA),), viewer), wanted):
        by_game.setdefault(without_edition(one.game), []).append(one)
    found = {name: added(many, cards=by == rows.CARDS) for name, many in sorted(by_game.items())}
    if as_data:
        as_json({name: _data(figures, by) for name, figures in found.items()})
    elif as_csv:
        as_file(_csv(found, by))
    elif not found:
        click.echo(say("no matches"))
    else:
        for name, figures in found.items():
            _print(name, figures, by)


def _ms(day: datetime | None) -> int:
    return int(day.replace(tzinfo=UTC).timestamp() * 1000) if day is not None else 0


def _label(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise BadValue("a label is NAME=VALUE", param_hint="--label")
    return name, value


# -- reading ---------------------------------------------------------------------------------------


def _all(where: Iterable[str], viewer: int) -> Iterator[tuple[str, Facts]]:
    """The facts of the matches there, each once."""
    seen = set[str]()
    for match, log in (one for place in where for one in _logs(place)):
        found = _facts(log, viewer) if match not in seen else None
        seen.add(match)
        if found is not None:
            yield match, found


def _facts(log: list[Entry], viewer: int) -> Facts | None:
    """The facts of a match; None: it is not over, a fork, or of a game that is not here."""
    opened = log[0].event if log else None
    if not isinstance(opened, ev.MatchOpened) or opened.origin or opened.game not in games.every():
        return None
    rules = games.rulebook(opened.game)
    return facts(log, viewer, Zones.of(rules.manifest, rules.tallies))


def _logs(where: str) -> Iterator[tuple[str, list[Entry]]]:
    """The matches of a place, with their ids; raises `Failed` if there is nothing to read."""
    path = Path(where)
    if not is_address(where) and not where.startswith("@"):
        if not path.exists():
            raise Failed(phrase("there is no file {where}", where=where), MISSING)
        if path.is_dir():
            for one in sorted(path.iterdir()):
                if one.suffix in (*FILES, STORE):
                    yield from _logs(str(one))
            return
        if not record.is_store(path):
            yield path.stem, record.read(path)
            return
    try:
        with closing(stores.read(where)) as records:
            for match in records.ids():
                yield match, list(records.entries(match))
    except StoreError as error:
        raise Failed(str(error)) from error


# -- writing ---------------------------------------------------------------------------------------


def _data(f: Figures, by: str) -> dict[str, Any]:
    """The figures of a game, for programs; times are in milliseconds."""
    return {
        "matches": f.matches, "games": f.games, "undecided": f.undecided, "turns": f.turns,
        "ms": f.ms, "decisions": f.answers, "decision_ms": f.answer_ms,
        "rows": [_row(row) for row in rows.rows(f, by)],
    }  # fmt: skip


def _row(row: rows.Row) -> dict[str, Any]:
    found: dict[str, Any] = {
        "kind": row.kind, "name": row.name, "other": row.other, "games": row.games,
        "won": None, "decided": None, "rate": None, "low": None, "high": None,
    }  # fmt: skip
    if row.rate is not None:
        low, high = row.rate.interval
        found |= {
            "won": row.rate.won, "decided": row.rate.of, "rate": round(row.rate.value, 4),
            "low": round(low, 4), "high": round(high, 4),
        }  # fmt: skip
    return found


def _csv(found: dict[str, Figures], by: str) -> str:
    out = io.StringIO()
    names = ["game", *_row(rows.Row("", "", "", 0, None))]
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    for game, figures in found.items():
        writer.writerows({"game": game, **_row(row)} for row in rows.rows(figures, by))
    return out.getvalue()


def _print(game: str, f: Figures, by: str) -> None:
    """The figures of a game, for people."""
    book = Book.of(games.rulebook(games.chosen(game)), language())
    games_, decided = max(f.games, 1), max(f.answers, 1)
    click.echo(say(joined("; ", [
        book.manifest.called,
        count(f.matches, "{n} match", "{n} matches"),
        count(f.games, "{n} game", "{n} games"),
        phrase("{n} without a winner", n=f.undecided),
        phrase("{n} turns and {time} a game", n=f"{f.turns / games_:.1f}",
               time=clock(f.ms // games_)),
        phrase("{seconds} s a decision", seconds=f"{f.answer_ms / decided / 1000:.1f}"),
    ])))  # fmt: skip
    of_kind = dict[str, list[rows.Row]]()
    for row in rows.rows(f, by):
        of_kind.setdefault(row.kind, []).append(row)
    for kind, some in of_kind.items():
        click.echo()
        right = ("games", "won", "rate", "95 %")
        if kind == "end":
            sheet = table(say(KINDS[kind]), "games", right=right)
        elif kind == "against":
            sheet = table(say(KINDS[kind]), "against", "games", "won", "rate", "95 %", right=right)
        else:
            sheet = table(say(KINDS[kind]), "games", "won", "rate", "95 %", right=right)
        for row in some:
            other = (row.other,) if kind == "against" else ()
            cells = _rate(row.rate) if kind != "end" else ()
            sheet.add_row(_name(book, row), *other, str(row.games), *cells)
        write_table(sheet)


def _name(book: Book, row: rows.Row) -> str:
    """What a row is about, for people."""
    if row.kind == "end":
        return say(book.manifest.label("reasons", row.name))
    if row.kind == "turn":
        return say(phrase("first player") if row.name == "first" else phrase("second player"))
    if row.kind in ("deck", "seat", "against"):
        return row.name
    return say(joined(" ", [row.name, word(book.name(row.name), "cards")]))


def _rate(rate: Rate | None) -> tuple[str, str, str]:
    if rate is None:
        return "", "", ""
    low, high = rate.interval
    return str(rate.won), f"{rate.value:.1%}", f"{low:.1%} – {high:.1%}"
