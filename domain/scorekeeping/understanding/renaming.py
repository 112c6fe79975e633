"""Giving another name to a card that was named wrongly: `gm = guntank`, `B.shield#2 = gm`.

The card is called by its name and its place, one's own first, or by where it lies. It may be any of
its owner's list, or of no list, which is against the rules; `????` is a card that nobody noted.
"""

from __future__ import annotations

from domain.record.decisions import Act
from domain.scorekeeping.command import NOBODY_KNOWS, Command
from domain.scorekeeping.suggestions import fuzzy, unseen
from domain.scorekeeping.suggestions.suggest import Table
from domain.text import notation
from domain.text.notation import BadText
from domain.words.phrases import phrase

#: What stands between the card and its name.
IS = "="


def read(t: Table, text: str) -> Command | None:
    """The command that a line stands for, if it gives a card another name; raises `BadText`."""
    called, is_, name = (part.strip() for part in text.partition(IS))
    if not is_ or not called or "[" in text:
        return None
    number = _card(t, called)
    card = t.pos.card(number)
    if not name:
        raise BadText(phrase("which card is it? say it after {mark}", mark=IS))
    identity = NOBODY_KNOWS if name.startswith("?") else _identity(t, number, name)
    names = notation.Names(t.pos, t.rules, t.seat)
    was = names.bare(number)
    text = phrase(
        "{card} is {name} (was {was})",
        card=f"@{number}" if card.id == "" else names.name(number),
        name=t.book.name(identity), was=was,
    )  # fmt: skip
    return Command(t.seat, Act(""), text, {number: identity}, renames=True)


def _card(t: Table, called: str) -> int:
    """The card that a text calls, first one's own."""
    names = notation.Names(t.pos, t.rules, t.seat)
    try:
        found = names.find(called, own=True)
    except BadText:
        lying = [n for place in t.pos.zones for n in t.pos.zones[place] if n and t.pos.card(n).id]
        mine = [n for n in lying if t.pos.card(n).controller == t.seat]
        ranked = [
            number
            for some in (mine, lying)
            for score, number in fuzzy.ranked(called, some, names.bare, 1)
            if score >= fuzzy.LETTERS
        ]
        if not ranked:
            raise
        found = ranked[0]
    if not isinstance(found, int):
        raise BadText(phrase("{called} is no card", called=called))
    return found


def _identity(t: Table, number: int, name: str) -> str:
    """The card that a name means: of its owner's list if there is one, else of any."""
    seat, is_ = t.pos.card(number).owner, t.pos.card(number).id
    listed = unseen.cards(t.book, t.pos, seat, number=number)
    for names in (listed, unseen.unlisted(t.book, t.pos, seat)):
        exact = [card for card in names if name.casefold() == card.casefold()]
        found = exact or [card for _, card in fuzzy.ranked(name, names, names.__getitem__, 1)]
        if found and found[0] != is_:
            return found[0]
    raise BadText(phrase("there is no card {name!r}", name=name))
