"""Sheets of an event as text of 80 columns, for terminals and printers that have nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from domain.words.phrases import joined, labelled, phrase
from replay_cli.cells import cut, pad, width, wrap
from replay_cli.output import say
from replay_cli.tournament.printing.pages import WORDS, games_of
from replay_cli.tournament.printing.sheets import (
    Heading,
    Seats,
    Sitting,
    Slip,
    Standings,
    by_name,
)

WIDTH = 80


def pairings(heading: Heading, tables: Sequence[Seats]) -> str:
    """The pairings, by the number of the table."""
    with_results = any(table.result for table in tables)
    rows = [
        (
            str(table.table),
            table.first.name,
            str(table.first.points),
            f"({_word('bye')})" if table.second is None else table.second.name,
            "" if table.second is None else str(table.second.points),
            *[table.result] * with_results,
        )
        for table in tables
    ]
    heads = [_word("table"), _word("player"), "", _word("player"), ""]
    heads += [_word("result")] * with_results
    return _sheet(heading, "by_table", _rows(heads, rows, right={0, 2, 4}))


def pairings_by_name(heading: Heading, tables: Sequence[Seats]) -> str:
    """The pairings, by name."""
    rows = [
        (one.name, str(one.table) if one.table else "-", one.opponent or f"({_word('bye')})")
        for one in by_name(tables)
    ]
    heads = (_word("player"), _word("table"), _word("opponent"))
    return _sheet(heading, "by_name", _rows(heads, rows, right={1}))


def pods(heading: Heading, found: Sequence[Sitting]) -> str:
    """The pods, seat by seat."""
    rows = [
        (
            str(one.pod),
            str(one.seat),
            f"{one.name} ({_word('dropped')})" if one.dropped else one.name,
            one.left,
            one.right,
        )
        for one in found
    ]
    heads = [_word(key) for key in ("pod", "seat", "player", "left", "right")]
    lines = _rows(heads, rows, right={0, 1})
    return _sheet(heading, "pods", [*lines, "", *wrap(_word("passed"), WIDTH)])


def standings(heading: Heading, found: Standings) -> str:
    """The standings, with what their columns mean."""
    rows = [
        (
            one.rank,
            f"{one.name} ({_word('dropped')})" if one.dropped else one.name,
            one.points,
            one.record,
            *one.figures,
        )
        for one in found.places
    ]
    heads = ("", _word("player"), _word("points"), say(phrase("W-L-D")), *found.heads)
    lines = [*_rows(heads, rows, right={0, 2, *range(4, len(heads))})]
    explained = zip(found.heads, found.labels, strict=True)
    meant = say(joined("; ", (labelled(head, label) for head, label in explained)))
    return _sheet(heading, "standings", [*lines, "", *wrap(meant, WIDTH)])


def slips(heading: Heading, found: Sequence[Slip]) -> str:
    """Slips for results, one below the other, to be cut apart."""
    texts = ["\n".join(_slip(heading, slip)) for slip in found]
    return f"\n{'- ' * (WIDTH // 2)}\n\n".join(texts) + "\n" * bool(texts)


def _slip(heading: Heading, slip: Slip) -> Iterator[str]:
    yield _apart(f"{_word('table').upper()} {slip.table}", _top(heading))
    if slip.match:
        yield f"{_word('match')} {slip.match}"
    yield ""
    blank = "[   ]"
    games = [*map(say, games_of(slip))]
    heads = ("", _word("player"), *games, _word("won"), _word("drop"), _word("signature"))
    rows = [
        (letter, name, *[blank] * len(games), blank, blank, "_" * 14)
        for letter, name in (("A", slip.first), ("B", slip.second))
    ]
    for n, line in enumerate(_rows(heads, rows)):
        yield from [line] if n == 0 else [line, ""]
    yield f"{_word('drawn')} {blank}   {_word('more_time')} [        ]"
    for code in slip.codes:
        yield f"{_word('join')} {code.code}" + f" ({code.who})" * bool(code.who)
    if slip.head:
        yield f"{_word('head')} {slip.head}"


def _word(key: str) -> str:
    return say(WORDS[key])


def _top(heading: Heading) -> str:
    return " · ".join(filter(None, (heading.event, heading.where, heading.note)))


def _sheet(heading: Heading, title: str, lines: Iterable[str]) -> str:
    top = _top(heading)
    first = _apart(top, _word(title)) if width(top) < WIDTH - 22 else f"{top}\n{_word(title)}"
    return "\n".join([first, "", *lines]) + "\n"


def _apart(left: str, right: str) -> str:
    """Two texts at the ends of a line, the right one cut off if there is no room for both."""
    room = WIDTH - width(left) - 2
    right = cut(right, max(room, 0))
    return left + " " * (WIDTH - width(left) - width(right)) + right


def _rows(
    heads: Sequence[str], rows: Sequence[Sequence[str]], right: Iterable[int] = ()
) -> Iterator[str]:
    """A table whose widest columns give way until it fits."""
    right = {*right}
    widths = [max(map(width, column)) for column in zip(heads, *rows, strict=True)]
    while sum(widths) + 2 * (len(widths) - 1) > WIDTH:
        widths[widths.index(max(widths))] -= 1
    for row in (heads, *rows):
        cells = [cut(cell, room) for cell, room in zip(row, widths, strict=True)]
        padded = [
            " " * (room - width(cell)) + cell if n in right else pad(cell, room)
            for n, (cell, room) in enumerate(zip(cells, widths, strict=True))
        ]
        yield "  ".join(padded).rstrip()
