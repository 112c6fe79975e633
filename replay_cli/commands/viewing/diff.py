"""`kifu diff`: the difference of two positions of a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click
from msgspec import Struct
from msgspec.structs import replace

from domain.record.position import Position
from domain.telling.board.tiles import Tiles
from domain.telling.book import Book
from domain.telling.names import Names, cards, clock, counted
from domain.words.phrases import joined, labelled, phrase
from replay_cli.output import Misused, as_json, console, json_option, say, table
from replay_cli.reaching.connection import (
    Access,
    Reader,
    access_options,
    parse_point,
    view_option,
    viewer_of,
)
from replay_cli.reaching.looking import Look, look_options

EXAMPLES = """\b
kifu diff 40 57               from decision 40 to decision 57
kifu diff seq:300 seq:420     from entry to entry
kifu diff 2:00 now            from a time to the end
"""


class Change(Struct, frozen=True):
    """One difference: whose or what, before and after."""

    what: str
    before: str
    after: str


@click.command("diff", epilog=EXAMPLES)
@click.argument("args", nargs=-1, metavar="[MATCH] FROM TO")
@view_option
@look_options
@access_options
@json_option
def diff_command(
    args: tuple[str, ...], eyes: str, look: Look, access: Access, as_data: bool
) -> None:
    """Compare two positions of MATCH (default: the newest)."""
    if not 2 <= len(args) <= 3:
        raise Misused("say from where to where: kifu diff [MATCH] FROM TO")
    with access.open() as client:
        reader = Reader(client, args[0] if len(args) == 3 else "")
        book = reader.book
        viewer = viewer_of(eyes, book)
        look.warn(reader, viewer)
        old, new = (
            client.position(reader.id, parse_point(point), viewer, look.why) for point in args[-2:]
        )
    found = list(changes(book, old, new))
    if as_data:
        as_json([{"what": c.what, "before": c.before, "after": c.after} for c in found])
        return
    out = console()
    heads = (say(phrase("entry {seq}", seq=one.seq)) for one in (old, new))
    shown = table("", *heads)
    for change in found:
        shown.add_row(say(change.what), say(change.before), say(change.after))
    out.print(shown if found else say(phrase("nothing is different")))


def changes(book: Book, old: Position, new: Position) -> Iterator[Change]:
    """The differences that people would point out, the match first, then zone by zone."""
    manifest = book.manifest
    plain = [
        (phrase("time"), clock(old.time), clock(new.time)),
        (phrase("turn"), str(old.turn), str(new.turn)),
        (phrase("step"), manifest.label("steps", old.step), manifest.label("steps", new.step)),
        (phrase("score"), "–".join(map(str, old.score)), "–".join(map(str, new.score))),
        (phrase("over"), _answer(old.over), _answer(new.over)),
    ]
    yield from (Change(*one) for one in plain if one[1] != one[2])
    before, after = Tiles(book, old), Tiles(book, new)
    for place in manifest.places():
        yield from _zone(place, before, after)
    changed = Counter(
        Change(_called(after, number), was, now)
        for number in sorted(old.cards.keys() & new.cards.keys())
        if (was := _state(before, number)) != (now := _state(after, number))
    )
    for change, n in changed.items():
        what = phrase("{name} ×{n}", name=change.what, n=n) if n > 1 else change.what
        yield replace(change, what=what)


def _answer(value: bool) -> str:
    return phrase("yes") if value else phrase("no")


def _called(names: Names, number: int) -> str:
    """A card that stays: distinguished from others, or with its place."""
    card = names.pos.cards[number]
    name = names.card(number, apart=True)
    return name if card.stats else labelled(names.place(card.place), name)


def _zone(place: str, before: Names, after: Names) -> Iterator[Change]:
    """A zone whose cards are others than before: what left it, and what came."""
    old, new = before.pos.zone(place), after.pos.zone(place)
    gone = [number for number in old if number and number not in new]
    come = [number for number in new if number and number not in old]
    unknown = old.count(0), new.count(0)
    if not gone and not come and unknown[0] == unknown[1]:
        return
    yield Change(after.place(place), _listed(before, old, gone), _listed(after, new, come))


def _listed(names: Names, zone: list[int], changed: list[int]) -> str:
    """How many cards lie there, and those that do so at one of the two points only."""
    named = counted(names.card(number) for number in changed)
    return labelled(cards(len(zone)), named) if named else cards(len(zone))


def _state(names: Tiles, number: int) -> str:
    """The values that may change on a card that stays the same object."""
    card = names.pos.cards[number]
    manifest = names.book.manifest
    parts: list[str] = [one.words for one in names.figures(number, card)]
    parts += [manifest.lying(card.orient) if card.orient else "", *names.traits(number, card)]
    parts += [
        phrase("{n} {counters}", n=n, counters=manifest.label("counters", kind))
        for kind, n in card.counters.items()
    ]
    parts += [names.card(rider) for rider in card.attached]
    return joined(", ", [part for part in parts if part])
