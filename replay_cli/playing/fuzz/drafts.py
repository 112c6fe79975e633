"""Scenario files made from a failure: the position shortly before it, and the choices since.

`drafts` looks for decisions before the failure at which nothing was under way, so that the position
can be set up. If what a draft leaves out (lasting effects, notes on cards) matters, the scenario
does not fail, and the next earlier decision is tried. `Draft.text` is the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from domain.engine.checks.invariants import quiet
from domain.games.kit.game import Game
from domain.record.entries import active
from domain.record.folding.fold import fold
from domain.record.position import SEATS, Card, Position, decoded, seat_of, zone_of
from domain.record.schema.manifest import Zone
from domain.text.notation import BadText, write
from domain.text.scenario.terms import card_id
from domain.text.scenario.text import BadScenario
from replay_cli.playing.fuzz.match import DealtMatch, LoggedCommand
from replay_cli.playing.fuzz.texts import Data

#: How many starting points are tried, the latest first.
STARTS = 12


class Draft(Struct):
    """A scenario that is being made: its cards, what lies where, and what is chosen."""

    title: str
    game: str
    tables: list[Data]
    lines: list[str]
    zones: dict[str, list[str]]
    script: list[str]

    def text(self) -> str:
        """The scenario file."""
        rows = [f"scenario {self.title}", *_named(self.game), ""]
        if self.tables:
            rows.append("cards")
            for table in self.tables:
                rows += [f"    {row}".rstrip() for row in card_rows(table)]
        rows.append("position")
        rows += [f"    {line}" for line in self.lines]
        rows += [f"    {zone}: {', '.join(items) or 'none'}" for zone, items in self.zones.items()]
        return "\n".join([*rows, "", *self.script, ""])

    def copy(self) -> Draft:
        """The same, to be changed."""
        return msgspec.convert(msgspec.to_builtins(self), Draft)


# -- cards as text ---------------------------------------------------------------------------------


def card_rows(table: Data) -> Iterator[str]:
    """A card as it stands in a card file."""
    yield "[[card]]"
    yield from (f"{key} = {toml(value)}" for key, value in table.items() if key != "effect")
    yield ""
    for effect in table.get("effect", []):
        yield "[[card.effect]]"
        yield from (f"{key} = {toml(value)}" for key, value in effect.items())
        yield ""


def toml(value: Any) -> str:
    """A value as TOML, in one line."""
    match value:
        case bool():
            return str(value).lower()
        case dict():
            inner = ", ".join(f"{key} = {toml(one)}" for key, one in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        case list() | tuple():
            return f"[{', '.join(map(toml, value))}]"
        case _:
            return msgspec.json.encode(value).decode()


# -- a table as text -------------------------------------------------------------------------------


def drafts(play: DealtMatch, upto: int = 0) -> Iterator[Draft]:
    """Scenarios that may show what went wrong, the shortest first; `upto`: an entry it is in."""
    commands = [logged for logged in play.commands if not upto or logged.at < upto]
    line = {entry.seq: at for at, entry in enumerate(active(play.log))}
    script: list[str] = []
    tried = 0
    for logged in reversed(commands):
        if logged.act is None or (logged.at and play.log[logged.at - 1].seq not in line):
            return  # an official's, or abandoned: no choice of a scenario leads past it
        p = position_at(play, logged.at)
        try:
            script.insert(0, choice_line(logged, p, play.rules))
        except (BadText, LookupError):
            return
        if can_begin(p):
            tried += 1
            yield draft_of(p, play, script)
        if tried >= STARTS:
            return


def position_at(play: DealtMatch, at: int) -> Position:
    """The position after so many entries."""
    p = Position()
    for entry in active(play.log[:at]):
        fold(p, entry)
    return decoded(p.encoded())


def can_begin(p: Position) -> bool:
    """Whether a scenario can begin here."""
    decision = p.decision
    return decision is not None and decision.rest and quiet(p) and p.attack is None and p.turn > 0


def choice_line(logged: LoggedCommand, p: Position, rules: Game) -> str:
    """A choice as a line of a scenario."""
    decision = p.decision
    assert decision is not None
    assert logged.act is not None
    offer = decision.offers.get(logged.seat) if logged.how == "choose" else None
    return f"{SEATS[logged.seat]}: {write(logged.act, p, rules, logged.seat, offer)}"


def draft_of(p: Position, play: DealtMatch, script: list[str]) -> Draft:
    """The table as it stands, and what is chosen then."""
    rules = play.rules
    lines = [f"turn {p.turn} {SEATS[p.turn_seat]}", f"step {p.step}"]
    for holder, counters in p.holders.items():
        if holder.startswith("seat/"):
            letter = SEATS[seat_of(holder)]
            lines += [f"counters {letter}: {kind} {n}" for kind, n in counters.items() if n]
    zones: dict[str, list[str]] = {}
    for place in rules.manifest.places():
        zone = rules.manifest.zone(place)
        numbers = p.zone(place)
        for seat in range(rules.manifest.seats) if zone.shared else (seat_of(place),):
            mine = [n for n in numbers if not zone.shared or p.cards[n].controller == seat]
            words = [card_text(p, number, zone, play.cards) for number in mine]
            zones[f"{SEATS[seat]} {zone_of(place)}"] = words
    tables = [dict(table) for table in play.made.tables]
    title = "Something goes wrong"
    return Draft(title, rules.manifest.game, tables, lines, zones, list(script))


def card_text(p: Position, number: int, zone: Zone, cards: Mapping[str, Any]) -> str:
    """A card as a position lists it."""
    card = p.cards[number]
    traits = []
    if card.orient and card.orient != (zone.orients or ("",))[0]:
        traits.append(card.orient)
    if card.up != (zone.faces == "all"):
        traits.append("up" if card.up else "down")
    if card.came == p.turn and zone.faces == "all":
        traits.append("new")
    traits += [f"{kind} {n}" for kind, n in card.counters.items()]
    traits += [attached_text(p, card, p.cards[other], cards) for other in card.attached]
    named = name(card.id, cards)
    return f"{named} [{', '.join(traits)}]" if traits else named


def attached_text(p: Position, host: Card, card: Card, cards: Mapping[str, Any]) -> str:
    """A card laid with another one."""
    whose = f"{SEATS[card.controller]}." if card.controller != host.controller else ""
    return f"with {card.role} {whose}{name(card.id, cards)}"


def name(id_: str, cards: Mapping[str, Any]) -> str:
    """The name of a card in a scenario: its printed name, if that is unique."""
    facts = cards.get(id_)
    if facts is None:
        return "????"
    try:
        plain = re.fullmatch(r"[\w' ☆Ⅱ.-]+", facts.name) and card_id(cards, facts.name, 0) == id_
    except BadScenario:
        plain = None
    if plain:
        return str(facts.name)
    return f'"{id_}"' if id_.isdecimal() else id_  # a bare number says how many cards there are


def _named(game: str) -> list[str]:
    """The lines that name a game, in a later edition of its book or in the first alone."""
    name, _, edition = game.partition("@")
    return [f"game {name}", *([f"edition {edition}"] if edition else [])]
