"""Read a text by a grammar: every reading that there is, as data (`Reader`).

The parsing is lark's (Earley, all ambiguities asked for): it takes any grammar as it stands, and a
text with two readings is an error of the grammar that has to be found, not settled by the order of
rows. What the readings mean is put together by `shapes`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from domain.effects.printed.patterns import TERMINALS, Choice, Grammar, Row, Slot
from domain.effects.printed.shapes import Unfit, build


class Unread(ValueError):
    """No row goes on from here; `at` is how far the text was understood."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class Reader:
    """The readings of texts by a grammar, from one of its symbols."""

    def __init__(self, grammar: Grammar, start: str) -> None:
        self._rows = grammar.rows
        self._start = start
        self._parser = Lark(
            "\n".join(_lines(grammar)),
            start=_name(start),
            parser="earley",
            lexer="dynamic_complete",
            ambiguity="explicit",
        )

    def readings(self, text: str) -> list[Any]:
        """What a text may mean, each meaning once; `Unread` if nothing."""
        try:
            tree = self._parser.parse(text)
        except UnexpectedInput as error:
            at = error.pos_in_stream
            raise Unread(at if at is not None and at >= 0 else len(text)) from error
        return self._values(tree, {})

    def _values(self, node: Tree[Token] | Token, seen: dict[int, list[Any]]) -> list[Any]:
        if isinstance(node, Token):
            return [TERMINALS[node.type[2:].lower()].read(str(node))]
        if id(node) not in seen:
            if node.data == "_ambig":
                found = [value for child in node.children for value in self._values(child, seen)]
            else:
                row = self._rows[int(str(node.data)[1:])]
                found = list(self._built(row, [self._values(c, seen) for c in node.children]))
            seen[id(node)] = _different(found)
        return seen[id(node)]

    def _built(self, row: Row, children: list[list[Any]]) -> Iterator[Any]:
        names = [slot.name for slot in row.slots]
        for values in product(*children):
            parts = dict(zip(names, values, strict=True))
            if [parts[name] for name in names] != [*values]:
                continue  # what has the same name twice says the same twice
            try:
                yield build(row.data, parts)
            except Unfit:
                continue


def _different(values: list[Any]) -> list[Any]:
    return list({json.dumps(value, sort_keys=True): value for value in values}.values())


def _lines(grammar: Grammar) -> Iterator[str]:
    """The grammar in lark's notation: a rule a symbol, an alias a row."""
    numbers = {id(row): n for n, row in enumerate(grammar.rows)}
    for symbol, rows in grammar.by_symbol.items():
        ways = [f"{_sequence(row)} -> r{numbers[id(row)]}" for row in rows]
        yield f"{_name(symbol)}: " + "\n    | ".join(ways)
    for name, terminal in TERMINALS.items():
        yield f"T_{name.upper()}: /{terminal.regex}/"


def _sequence(row: Row) -> str:
    return " ".join(map(_part, row.parts))


def _part(part: str | Slot | Choice) -> str:
    if isinstance(part, str):
        return _quoted(part)
    if isinstance(part, Choice):
        return "(" + " | ".join(map(_quoted, part.texts)) + ")"
    return f"T_{part.symbol.upper()}" if part.symbol in TERMINALS else _name(part.symbol)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False) if text else ""


def _name(symbol: str) -> str:
    """What lark calls a symbol: its rules have small letters alone."""
    small = (f"big_{c.lower()}" if c.isupper() else c for c in symbol.replace("-", "_"))
    return "s_" + "".join(small)
