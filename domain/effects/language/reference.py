"""The tables of instructions on the pages, made from their classes, and all words of a game.

`kifu cards --words` prints the words of a game; a test holds the pages against the tables. What a
class says of itself is in `instruction`, the words are a game's `words.Words`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from inspect import cleandoc
from typing import Any, get_args, get_type_hints

import msgspec

from domain.effects.language.asked import Field, fields_of
from domain.effects.language.instruction import Instruction
from domain.effects.language.words import Words

#: Fields that every instruction has, or every one with a number.
_ALWAYS = frozenset({"when", "join", "may", "times", "per"})
HEAD = ("| `do` | fields | example | what happens |", "|---|---|---|---|")


def reference(words: Words) -> str:
    """All words that texts of a game may use, in Markdown."""
    rows = (
        f"| {name.replace('_', ' ')} | {', '.join(f'`{word}`' for word in listed)} |"
        for name in words.__struct_fields__
        if (listed := _listed(name, getattr(words, name)))
    )
    return "\n".join([*table(words.instructions.values(), words), "", "| | |", "|---|---|", *rows])


def table(classes: Iterable[type[Instruction]], words: Words | None = None) -> Iterator[str]:
    """Instructions, a row each; of their fields those that a game's texts may state, if given."""
    yield from HEAD
    for one in classes:
        word = one.__struct_config__.tag
        example = ", ".join(filter(None, (f'do = "{word}"', one.example)))
        cells = f"`{word}`", _fields(one, words), f"`{{ {example} }}`", meaning(one)
        yield f"| {' | '.join(cells)} |"


def meaning(one: type[Instruction]) -> str:
    """The meaning of an instruction, from its docstring."""
    return " ".join(cleandoc(one.__doc__ or "").split())


def stateable(cls: type, words: Words) -> tuple[Field, ...]:
    """The fields of a struct that texts of a game may state: they speak that part of the language.

    How they are checked is in `asked`.
    """
    return tuple(one for one in fields_of(cls) if one.of.newer in ("", *words.speaks))


def _fields(one: type[Instruction], words: Words | None) -> str:
    """The fields of a clause besides those of all; required ones in bold."""
    cls: Any = one
    found = fields_of(cls) if words is None else stateable(cls, words)
    hints = get_type_hints(cls, include_extras=True)
    required = {field.name for field in msgspec.structs.fields(cls) if field.required}
    cells = []
    for field in found:
        name = f"**`{field.name}`**" if field.name in required else f"`{field.name}`"
        listed = ", ".join(f"`{word}`" for word in literals(hints[field.name]))
        kind = listed or (field.of.kind if field.of.kind != field.name else "")
        cells += [f"{name}: {kind}" if kind else name] if field.name not in _ALWAYS else []
    return " · ".join(cells)


def literals(hint: Any) -> list[str]:
    """The words that the type of a field lists, if it does."""
    inner = (get_args(part) for part in (hint, *get_args(hint)))
    return [one for some in inner for one in some if isinstance(one, str) and one]


#: Words described elsewhere in the table, or without a list.
_NO_LISTS = frozenset({"instructions", "values", "layout", "early"})


def _listed(name: str, some: Any) -> list[str]:
    """The words of one of a game's lists; of occurrences those that something can replace."""
    if name in _NO_LISTS or not isinstance(some, Collection):
        return []
    if name == "replaceable" and isinstance(some, Mapping):
        some = [word for word, why in some.items() if not why]
    return sorted(filter(None, some))
