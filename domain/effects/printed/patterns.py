r"""The grammar of a game's printed texts in one language: rows of a pattern and its data.

A file lists symbols; under each, indented, its rows:

    clause
        draw {n} => { do = "draw", n = $n }
        [return|put] {cards} on top of the deck => { do = "move", with = "cards", place = "deck" }

A pattern is what is printed. `{n}` is a part of the symbol `n`, `{a:n}` the same under another
name, `[x|y]` wordings that mean the same (the first is the one that is written where nothing else
decides), `_` a space at an end, `()` nothing at all, and `\` makes the next character a plain one.
Right of `=>` stands the data in the notation of card files, with `$n` where the data of a part goes
(`shapes`). A row without data means the data of its only part. What is read letter by letter is in
`TERMINALS`. Rows of a symbol may stand in several files.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from domain.words.phrases import phrase


class BadGrammar(ValueError):
    """A row that can't be used; the text names its line."""


class Slot(NamedTuple):
    """A part of a pattern that stands for any row of a symbol."""

    name: str
    symbol: str


class Choice(NamedTuple):
    """Wordings that mean the same."""

    texts: tuple[str, ...]


Part = str | Slot | Choice


class Row(NamedTuple):
    """A pattern, and what it means."""

    symbol: str
    parts: tuple[Part, ...]
    data: Any
    line: str

    @property
    def slots(self) -> list[Slot]:
        return [part for part in self.parts if isinstance(part, Slot)]

    def texts(self) -> Iterator[tuple[str | Slot, ...]]:
        """The pattern with each combination of its wordings."""
        ways = [part.texts if isinstance(part, Choice) else (part,) for part in self.parts]
        return iter(product(*ways))


class Terminal(NamedTuple):
    """What is read letter by letter: its letters, and its data from and to text."""

    regex: str
    read: Callable[[str], Any]
    write: Callable[[Any], str | None]


def _written(kind: type) -> Callable[[Any], str | None]:
    return lambda data: str(data) if type(data) is kind else None


#: A whole number; one with its sign; the words between brackets or quotes.
TERMINALS: Mapping[str, Terminal] = {
    "number": Terminal(r"0|[1-9]\d*", int, _written(int)),
    "signed": Terminal(r"[+-]\d+", int, lambda n: f"{n:+}" if type(n) is int else None),
    "words": Terminal(r"[^\[\]\"()･:;.\n]+", str, _written(str)),
    "name": Terminal(r"[^\[\]\"\n]+", str, _written(str)),
    "title": Terminal(r"[^()\n]+", str, _written(str)),
}

_PART = re.compile(r"\{(?:(\w+):)?([\w-]+)\}|\[([^\[\]{}]*\|[^\[\]{}]*)\]|\\(.)")
_VARIABLE = re.compile(r"\$(\w+)")
_BARE = re.compile(r"\"[^\"]*\"|\$\w+")


class Grammar:
    """The rows of a grammar, from its files by name; `BadGrammar` for one that can't be used."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.rows: list[Row] = [row for file, text in texts.items() for row in _rows(file, text)]
        _check_once(self.rows)
        known = {row.symbol for row in self.rows} | TERMINALS.keys()
        for row in self.rows:
            for slot in row.slots:
                if slot.symbol not in known:
                    raise BadGrammar(phrase("{n}: no symbol {name}", n=row.line, name=slot.symbol))

    @cached_property
    def by_symbol(self) -> Mapping[str, list[Row]]:
        found: dict[str, list[Row]] = {}
        for row in self.rows:
            found.setdefault(row.symbol, []).append(row)
        return found


def _check_once(rows: list[Row]) -> None:
    """Refuse a pattern that a symbol has twice: one of them is not needed, or they contradict."""
    seen = dict[tuple[str, str], str]()
    for row in rows:
        for text in row.texts():
            plain = "".join(f"\n{p.symbol}\n" if isinstance(p, Slot) else p for p in text)
            if (other := seen.setdefault((row.symbol, plain), row.line)) != row.line:
                raise BadGrammar(phrase("{n}: {other} has this pattern", n=row.line, other=other))


def _rows(file: str, text: str) -> Iterator[Row]:
    symbol = ""
    for number, line in enumerate(text.splitlines(), 1):
        n = f"{file}:{number}"
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line[0].isspace():
            symbol = line.strip()
            continue
        pattern, arrow, data = line.strip().partition("=>")
        parts = tuple(_parts(pattern.strip()))
        yield Row(symbol, parts, _data(n, parts, data.strip() if arrow else ""), n)


def _parts(pattern: str) -> Iterator[Part]:
    """The parts of a pattern; `()` has none."""
    at, plain = 0, ""
    if pattern == "()":
        return
    for found in _PART.finditer(pattern):
        plain, at = plain + _spaced(pattern[at : found.start()]), found.end()
        name, symbol, choice, escaped = found.groups()
        if escaped:
            plain += escaped
            continue
        if plain:
            yield plain
        plain = ""
        yield (
            Choice(tuple(map(_spaced, choice.split("|"))))
            if choice is not None
            else Slot(name or symbol, symbol)
        )
    plain += _spaced(pattern[at:])
    if plain:
        yield plain


def _spaced(text: str) -> str:
    return text.replace("_", " ")


def _data(line: str, parts: tuple[Part, ...], text: str) -> Any:
    """The data of a row: what stands right of the arrow, or its only part."""
    slots = [part for part in parts if isinstance(part, Slot)]
    if not text:
        if len(slots) != 1:
            raise BadGrammar(phrase("{n}: it says no data, and has no single part", n=line))
        return f"${slots[0].name}"
    try:
        data = tomllib.loads(f"data = {_BARE.sub(_quoted, text)}")["data"]
    except tomllib.TOMLDecodeError as error:
        raise BadGrammar(phrase("{n}: {error}", n=line, error=error)) from error
    missing = {*_VARIABLE.findall(text)} ^ {slot.name for slot in slots}
    if missing - {*_spread(data)}:
        raise BadGrammar(
            phrase("{n}: {names} on one side alone", n=line, names=", ".join(sorted(missing)))
        )
    return data


def _quoted(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else f'"{found[0]}"'


def _spread(data: Any) -> Iterator[str]:
    """The parts that are named in `with`, and so without a `$`."""
    if isinstance(data, dict):
        yield from str(data.get("with", "")).split()
        for value in data.values():
            yield from _spread(value)
    elif isinstance(data, list):
        for value in data:
            yield from _spread(value)
            if isinstance(value, str) and value.startswith("..."):
                yield value[3:]
