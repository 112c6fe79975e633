"""Read printed cards of this game: a row of a list of them, as its figures and its text.

The figures are those of chapter 3 (1.9): type, color, Lv, cost, AP, HP, zone, traits, link
condition. A link condition names Pilots in brackets and traits in parentheses, with a slash between
what is enough; where both are named, there is a filter for each. Tokens and EX cards have no color,
Lv or cost; a figure that is not printed is 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from domain.effects.catalogue import BadCard
from domain.games.gundam.lists.cards import CATALOGUE
from domain.games.gundam.lists.texts import compiler as compiler
from domain.games.kit.lists.printed import BadPrint, Printed
from domain.words.phrases import phrase

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "card_number": ("number", "id", "card"),
    "name": ("card name",),
    "card_type": ("type",),
    "color": ("colour",),
    "level": ("lv",),
    "cost": (),
    "ap_raw": ("ap",),
    "hp_raw": ("hp",),
    "zone": ("terrain",),
    "traits": ("trait",),
    "link": ("link condition",),
    "effect": ("text", "effects"),
}
NEEDED = ("card_number", "name", "card_type")

#: What is printed as a card's type, as card data say it, and whether it is a token.
_TYPES: Mapping[str, tuple[str, bool]] = {
    "UNIT": ("unit", False),
    "PILOT": ("pilot", False),
    "COMMAND": ("command", False),
    "BASE": ("base", False),
    "RESOURCE": ("resource", False),
    "UNIT TOKEN": ("unit", True),
    "EX BASE": ("base", True),
    "EX RESOURCE": ("resource", True),
}
_COLORS = frozenset({"blue", "green", "red", "white", "purple"})
_TERRAIN = frozenset({"space", "earth"})
#: What stands where nothing is printed.
_NOTHING = frozenset({"", "-", "–", "—", "―"})
_NUMBER = re.compile(r"[A-Z]+\d*-\d+")
_FIGURE = re.compile(r"\+?(\d{1,2})")
_LINK = re.compile(r"\[(?P<name>[^\[\]]+)\]|\((?P<trait>[^()]+)\)(?: Traits?)?")
_PILOT = re.compile(r"^【Pilot】\s*\[(.+)\]\s*$", re.MULTILINE)
_PREFIX = re.compile(r"([A-Z]+\d+)-\d+")


def read(row: Mapping[str, Any]) -> Printed:
    """A row, by column; raises `BadPrint`."""
    number = _text(row, "card_number").upper()
    if not _NUMBER.fullmatch(number):
        raise BadPrint("card_number", phrase("{given!r} is no card number", given=number))
    printed = _text(row, "card_type").upper()
    if printed not in _TYPES:
        known = ", ".join(_TYPES)
        fault = phrase("there is no type {given!r}; there are {known}", given=printed, known=known)
        raise BadPrint("card_type", fault)
    type_, token = _TYPES[printed]
    text = _effect(row) if type_ != "resource" and not (token and type_ == "base") else ""
    pilot = _PILOT.search(text) if type_ == "command" else None
    found: dict[str, Any] = {
        "id": number,
        "name": _name(row),
        "type": type_,
        "color": _color(row),
        "lv": _figure(row, "level"),
        "cost": _figure(row, "cost"),
        "ap": _figure(row, "ap_raw"),
        "hp": _figure(row, "hp_raw"),
        "traits": _traits(row),
        "terrain": _terrain(row),
        "link": _link(row),
        "token": token,
        "pilot": {"name": _plain(pilot[1])} if pilot else None,
    }
    return Printed({key: value for key, value in found.items() if value not in _USUAL}, text)


#: What is left out of a table.
_USUAL: tuple[Any, ...] = ("", 0, [], None, False)


def file_of(card: str) -> str:
    """The file of a card: that of its set, or that of what belongs to none."""
    of_set = _PREFIX.fullmatch(card)
    if of_set is not None:
        return of_set[1].lower()
    return "tokens" if card.startswith("T-") else "resources"


def by_hand() -> Mapping[str, Mapping[str, Any]]:
    """What is written by hand of cards, by id."""
    return {str(table["id"]): table for some in CATALOGUE.by_hand.values() for table in some}


def fault(table: Mapping[str, Any]) -> str:
    """Why the game can't use a card; empty if it can."""
    try:
        CATALOGUE.parse([table], printed=True)
    except BadCard as bad:
        return str(bad)
    return ""


def _text(row: Mapping[str, Any], column: str) -> str:
    return _plain(str(row.get(column) if row.get(column) is not None else ""))


def _plain(text: str) -> str:
    """A text on one line, with straight apostrophes and without what can't be seen."""
    shown = "".join(c for c in text.replace("\u2019", "'") if c.isprintable() or c.isspace())
    return " ".join(shown.split())


def _name(row: Mapping[str, Any]) -> str:
    name = _text(row, "name")
    if name in _NOTHING:
        raise BadPrint("name", phrase("a card has a name"))
    return name


def _effect(row: Mapping[str, Any]) -> str:
    text = str(row.get("effect") or "").replace("\r\n", "\n").strip()
    return "" if text in _NOTHING else text


def _figure(row: Mapping[str, Any], column: str) -> int:
    text = _text(row, column)
    if text in _NOTHING:
        return 0
    found = _FIGURE.fullmatch(text)
    if found is None:
        raise BadPrint(column, phrase("{given!r} is no figure", given=text))
    return int(found[1])


def _word(row: Mapping[str, Any], column: str, known: frozenset[str]) -> Iterator[str]:
    for word in _text(row, column).lower().replace("/", " ").replace(",", " ").split():
        if word in _NOTHING:
            continue
        if word not in known:
            there = ", ".join(sorted(known))
            text = phrase("{given!r} is none of {known}", given=word, known=there)
            raise BadPrint(column, text)
        yield word


def _color(row: Mapping[str, Any]) -> str:
    colors = [*_word(row, "color", _COLORS)]
    if len(colors) > 1:
        raise BadPrint("color", phrase("a card has one color, not {n}", n=len(colors)))
    return "".join(colors)


def _terrain(row: Mapping[str, Any]) -> list[str]:
    return [*_word(row, "zone", _TERRAIN)]


def _traits(row: Mapping[str, Any]) -> list[str]:
    """The traits: a list, or one text with each in parentheses, or with slashes or commas."""
    given = row.get("traits")
    if isinstance(given, list):
        return [_plain(str(one)).strip("()") for one in given]
    text = _text(row, "traits")
    if text in _NOTHING:
        return []
    within = re.findall(r"\(([^()]+)\)", text)
    return within or [one.strip() for one in re.split(r"[/,;]", text) if one.strip()]


def _link(row: Mapping[str, Any]) -> Any:
    """The filter of a link condition, or several where names and traits are alternatives."""
    text = _text(row, "link")
    if text in _NOTHING:
        return None
    found: dict[str, list[str]] = {}
    for part in text.split(" / "):
        one = _LINK.fullmatch(part.strip())
        if one is None:
            fault = phrase("{given!r} is no [name] and no (trait)", given=part)
            raise BadPrint("link", fault)
        key = str(one.lastgroup)
        found.setdefault(key, []).append(_plain(one[key]))
    filters = [{key: names} for key, names in found.items()]
    return filters[0] if len(filters) == 1 else filters
