"""Parses a scenario file into statements, line by line.

Only the shape of lines is known here; names and words are resolved when the scenario is run. Every
error carries the number of its line, counted from 1.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from domain.effects.language.spelling import meant
from domain.games import editions, key_of, names, rulebook
from domain.record.entries import TYPES, name_of
from domain.record.views import OFFICIAL, PUBLIC
from domain.words.phrases import joined, message_of, phrase

#: Who may be asked what they see: seats by letter, and these.
VIEWERS = {"public": PUBLIC, "official": OFFICIAL}
EACH = "each"
ALL = "all"
#: Who does what follows `@ desk`.
DESK = "@ desk"
SEATS = "ABCDEFGH"


class BadScenario(ValueError):
    """A scenario that can't be read or set up; `line` says where."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(phrase("line {n}: {fault}", n=line, fault=text))
        self.line, self.text = line, text


class Slips:
    """Slips that are collected, so that all of them are reported at once."""

    def __init__(self) -> None:
        self.found: list[BadScenario] = []

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Keep what is raised within, and go on."""
        try:
            yield
        except BadScenario as bad:
            if (bad.line, bad.text) not in [(one.line, one.text) for one in self.found]:
                self.found.append(bad)

    def tell(self) -> None:
        """Raise all that was gathered, each with its line; nothing if that is nothing."""
        if self.found:
            first, *others = sorted(self.found, key=lambda bad: bad.line)
            raise BadScenario(first.line, joined("\n", [first.text, *map(message_of, others)]))


class Line(Struct, frozen=True):
    """A line with something on it: its number, how far it is indented, what it says."""

    n: int
    indent: int
    text: str


#: How many cards one item of a list may stand for: what is more was meant for a card's id.
MOST_CARDS = 1_000


class Item(Struct, frozen=True):
    """Cards as they are listed: `2 GM [rested, damage 1]`; without a name any cards will do."""

    n: int
    name: str
    traits: tuple[str, ...] = ()


class Zone(Struct, frozen=True):
    """`A hand: GM, 2`. `end` is `top`, `bottom` or "" for the whole zone; `how`: `:`/has/lacks."""

    line: int
    seat: str  # a letter, `each`, or "" for a zone that is shared
    zone: str
    end: str
    how: str
    items: tuple[Item, ...]


class Choice(Struct, frozen=True):
    """`A: attack GM -> player ! gcg:2-11-4`: a choice; with `refusal`, one that is refused so.

    Or what an official does: `@ desk rewind 3`.
    """

    line: int
    row: str  # as it is written
    who: str  # a letter, `all`, `@ desk`, or nobody: the match is opened
    text: str
    refusal: tuple[str, ...] | None
    witness: tuple[str, ...]


class PresetChance(Struct, frozen=True):
    """`chance shuffle 2 0 1`: what chance decides next, for calls of one kind."""

    line: int
    row: str
    kind: str
    values: tuple[int, ...]  # empty: reversed
    witness: tuple[str, ...] = ()


class Expect(Struct, frozen=True):
    """An expectation: its `kind`, the viewer, and its subject."""

    line: int
    row: str  # as it is written
    kind: str
    viewer: int
    about: str
    text: str
    cites: tuple[str, ...] = ()
    witness: tuple[str, ...] = ()
    zone: Zone | None = None

    @property
    def sort(self) -> str:
        """Its kind, whatever the number in it."""
        return "exactly" if self.kind.startswith("exactly") else self.kind


class Unread(Struct, frozen=True):
    """A line that can't be read, and why: it fails, and the rest goes on."""

    line: int
    row: str
    why: str
    witness: tuple[str, ...] = ()


Statement = Choice | PresetChance | Expect | Unread


class Scenario(Struct, frozen=True):
    """A whole scenario: `setting` (a position), `decks` (the lists), or both.

    Without a position, but with lists, the match begins with its opening.
    """

    title: str
    name: str  # of the game
    cards: tuple[dict[str, Any], ...]
    card_lines: Mapping[str, int]  # where it says what of its cards: `X-1`, `X-1: deploy`
    setting: tuple[Line, ...]
    decks: tuple[Line, ...]
    script: tuple[Statement, ...]
    edition: str = ""

    @property
    def game(self) -> str:
        """What is played, in the edition that it is run under; without one, the first."""
        return key_of(self.name, self.edition)


# -- reading ---------------------------------------------------------------------------------------

_RULE = r"(?:[a-z]+:[\w./-]+)"
_CHOICE = re.compile(rf"(?:([{SEATS}]|{ALL}): ?|({DESK}) )(.+?)(?:\s+!\s*((?:{_RULE}\s*)+))?")
_WITNESS = re.compile(rf"\s+witness\s+((?:{_RULE}\s*)+)$")
_CITES = re.compile(rf"(?:^|\s)({_RULE})(?=\s|$)")
_ZONE = re.compile(
    rf"(?:([{SEATS}]|{EACH}) )?([a-z][a-z-]*)(?: (top|bottom))?(:| has| lacks)(?: (.*))?"
)
_SEES = re.compile(rf"([{SEATS}]|public|official) sees (.+)")
_EVENTS = frozenset(name_of(event) for event in TYPES.values())
_STATE = "turn|step|winner|lost|why|over|attack|score|game|in force|counters"
#: The kinds that expect an event.
_OF_EVENTS = ("then", "and", "never", "exactly")
#: How each kind of expectation is written: `about` what, and its `text`; the first that fits.
_FORMS = tuple(
    re.compile(form)
    for form in (
        r"(?P<kind>then|and|never|exactly \d+) (?P<about>[a-z]+(?:\.[a-z-]+)?)(?: (?P<text>.*))?",
        rf"(?P<kind>asked) (?P<about>[{SEATS}]) (?P<text>[\w-]+)",
        # what comes before the colon may be a name in quotes that has one, too
        rf"(?P<kind>offered|not offered|only offered|picks) "
        rf"(?P<about>[{SEATS}](?:\"[^\"]*\"|[^\":])*): ?(?P<text>.*)",
        r"(?P<kind>waiting)(?P<about>)(?::(?P<text>.*))?",
        r"(?P<about>.*?) (?P<kind>is) (?P<text>.*)",
        f"(?P<kind>){_ZONE.pattern}",
        rf"(?P<kind>)(?P<text>(?:not )?(?:no )?(?P<about>{_STATE})(?: .*)?)",
    )
)


def load(text: str) -> Scenario:
    """A scenario from its text; raises `BadScenario`."""
    title = game = edition = ""
    cards: tuple[dict[str, Any], ...] = ()
    card_lines: Mapping[str, int] = {}
    setting: tuple[Line, ...] = ()
    decks: tuple[Line, ...] = ()
    script: list[Statement] = []
    rows = text.splitlines()
    at = 0
    while at < len(rows):
        line = _line(at + 1, rows[at])
        at += 1
        if line is None:
            continue
        head, _, rest = line.text.partition(" ")
        if line.text in ("cards", "position", "decks"):
            end = _block(rows, at, line.indent)
            block, at = rows[at:end], end
            if line.text == "cards":
                cards, card_lines = _tables(line.n, block), _places(line.n, block)
            elif line.text == "position":
                setting = _lines(line.n, block)
            else:
                decks = _lines(line.n, block)
        elif head == "scenario":
            title = rest
        elif head == "game" and not game:
            game = rest
        elif head == "edition" and not edition:
            edition = rest
        else:
            script.append(_read(line))
    if not game:
        raise BadScenario(1, phrase("it says no game: `game NAME`"))
    return Scenario(title, game, cards, card_lines, setting, decks, tuple(script), edition)


def in_editions(text: str) -> Iterator[str]:
    """The texts of a scenario: for the edition that it says, else for each that its game has.

    One that says none cites by the numbers of the first. Raises `BadScenario`.
    """
    scenario = load(text)
    yield text
    if not scenario.edition and scenario.name in names():
        for edition in editions(scenario.name)[1:]:
            numbers = rulebook(key_of(scenario.name, edition)).manifest.numbers
            assert numbers is not None
            yield f"{numbers.within(text)}\nedition {edition}\n"


def witnesses(scenario: Scenario) -> Iterator[tuple[str, int]]:
    """The rules that a scenario holds its expectations against, each with the line that does."""
    for statement in scenario.script:
        rules = list(statement.witness)
        if isinstance(statement, Choice):
            rules += statement.refusal or ()
        elif isinstance(statement, Expect) and statement.kind not in ("never", "exactly 0"):
            rules += statement.cites
        for rule in rules:
            yield rule, statement.line


def items(line: int, text: str) -> tuple[Item, ...]:
    """Cards listed with commas between them; `none` is the empty list."""
    if text.strip() in ("", "none"):
        return ()
    if text.count("[") != text.count("]"):
        raise BadScenario(line, phrase("a bracket is missing in {text!r}", text=text))
    return tuple(_item(line, part) for part in listed(text))


def listed(text: str) -> list[str]:
    """The items between commas, ignoring those in quotes and brackets."""
    parts = re.findall(r'(?:"[^"]*"|\[[^\]]*\]|[^,"\[])+', text)
    return [part.strip() for part in parts if part.strip()]


def _item(line: int, text: str) -> Item:
    found = re.fullmatch(r"(?:(\d+)(?:\s+|$))?([^\[\]]*?)\s*(?:\[([^\]]*)\])?", text)
    if found is None:
        raise BadScenario(
            line, phrase("{text!r} is no card: write `2 NAME [rested, damage 1]`", text=text)
        )
    n, name, traits = found.groups()
    if n and int(n) > MOST_CARDS:
        text = phrase(
            "{n} are too many cards; a card that is called by a number is written in quotes", n=n
        )
        raise BadScenario(line, text)
    return Item(int(n or 1), name.strip().strip('"'), tuple(listed(traits or "")))


def _line(n: int, row: str) -> Line | None:
    text = re.sub(r"(?:^|\s)#(\s.*)?$", "", row).rstrip()
    bare = text.lstrip()
    return Line(n, len(text) - len(bare), bare) if bare else None


def _lines(first: int, block: list[str]) -> tuple[Line, ...]:
    found = (_line(first + 1 + at, row) for at, row in enumerate(block))
    return tuple(line for line in found if line is not None)


def _block(rows: list[str], at: int, indent: int) -> int:
    """Where the lines end that are indented further than the one that opened the block."""
    while at < len(rows):
        bare = rows[at].lstrip()
        if bare and len(rows[at]) - len(bare) <= indent:
            return at
        at += 1
    return at


def _tables(line: int, block: list[str]) -> tuple[dict[str, Any], ...]:
    try:
        data = tomllib.loads("\n".join(block))
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"at line (\d+)", message_of(error))
        raise BadScenario(
            line + (int(where[1]) if where else len(block)), message_of(error)
        ) from None
    if set(data) - {"card"}:
        raise BadScenario(line, phrase("only [[card]] tables are expected"))
    return tuple(data.get("card", ()))


def _places(line: int, block: list[str]) -> dict[str, int]:
    """The lines at which cards and their effects begin, by `id` and `id: effect`."""
    places: dict[str, int] = {}
    card = ""
    for n, row in enumerate(block, line + 1):
        found = re.fullmatch(r"\s*(id|name)\s*=\s*[\"'](.*?)[\"']\s*(?:#.*)?", row)
        if found is not None and found[1] == "id":
            card = found[2]
            places.setdefault(card, n)
        elif found is not None and card:
            places.setdefault(f"{card}: {found[2]}", n)
    return places


# -- statements ------------------------------------------------------------------------------------


def zone(line: Line) -> Zone | None:
    """A line about a zone: `A hand: 3`, `each deck top: GM`, `A battle has GM [rested]`."""
    found = _ZONE.fullmatch(line.text)
    if found is None:
        return None
    seat, name, end, how, rest = found.groups()
    return Zone(line.n, seat or "", name, end or "", how.strip(), items(line.n, rest or ""))


def _read(line: Line) -> Statement:
    try:
        return _statement(line)
    except BadScenario as bad:
        return Unread(line.n, line.text, bad.text)


def _statement(line: Line) -> Statement:
    text, witness = line.text, ()
    found = _WITNESS.search(text)
    if found is not None:
        text, witness = text[: found.start()], tuple(found[1].split())
    choice = _CHOICE.fullmatch(text)
    if choice is not None:
        who, desk, act, rules = choice.groups()
        return Choice(
            line.n, line.text, who or desk, act, tuple(rules.split()) if rules else None, witness
        )
    if text.startswith("chance "):
        return _preset_chance(line, text, witness)
    opening = re.fullmatch(rf"(open(?: *{{[^{{}}]*}})*)(?:\s+!\s*((?:{_RULE}\s*)+))?", text)
    if opening is not None:
        act, rules = opening.groups()
        return Choice(line.n, line.text, "", act, tuple(rules.split()) if rules else None, witness)
    return _expect(Line(line.n, line.indent, text), witness)


def _preset_chance(line: Line, text: str, witness: tuple[str, ...]) -> PresetChance:
    _, kind, *values = text.split()
    if values == ["reversed"]:
        return PresetChance(line.n, line.text, kind, (), witness)
    if not values or not all(value.isdigit() for value in values):
        raise BadScenario(line.n, phrase("chance is a kind and numbers, or `reversed`"))
    return PresetChance(line.n, line.text, kind, tuple(map(int, values)), witness)


def _expect(line: Line, witness: tuple[str, ...]) -> Expect:
    viewer, text = OFFICIAL, line.text
    sees = _SEES.fullmatch(text)
    if sees is not None:
        viewer = VIEWERS.get(sees[1], SEATS.find(sees[1]))
        text = sees[2]
    found = next(filter(None, (form.fullmatch(text) for form in _FORMS)), None)
    if found is None:
        raise BadScenario(line.n, phrase("what is {text!r}?", text=line.text))
    given = found.groupdict()
    if "about" not in given:
        there = zone(Line(line.n, line.indent, text))
        return Expect(line.n, line.text, "zone", viewer, "", "", (), witness, there)
    kind, about, rest = given["kind"] or "state", given["about"], given["text"] or ""
    cites: tuple[str, ...] = ()
    if kind.startswith(_OF_EVENTS):
        if about not in _EVENTS:
            near = meant(about, _EVENTS) or phrase(
                "; there are {known}", known=joined(", ", sorted(_EVENTS))
            )
            raise BadScenario(line.n, phrase("{about!r} is no event{near}", about=about, near=near))
        cites, rest = tuple(_CITES.findall(rest)), _CITES.sub("", rest)
    return Expect(line.n, line.text, kind, viewer, about, rest.strip(), cites, witness)
