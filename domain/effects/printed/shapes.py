"""Data with gaps: filled with the data of parts (`build`), and compared to find them (`match`).

A shape is data as in a card file in which `"$n"` stands for the data of the part `n`. More than
that can be said of it:

- `"<=$n"` is a word with a part in it;
- in a list, `"...x"` is all of the list `x`;
- in a table, `with = "x y"` is all of the tables `x` and `y`;
- `{ each = {…}, of = "$x" }` is the list `x`, each of whose tables says that, too; what is a list
  there goes before the list that a table has;
- `{ first = {…}, of = "$x" }` says it of the first alone;
- `{ optional = true, of = "$x" }` is the list `x`, the first table of which may be declined;
- `{ not = "$c" }` is the condition `c` turned around;
- `{ aim = "$s", of = "$x" }` is the list `x`, whose first table is done to what is chosen by `s`,
  where it says `to = { zone = "?" }`: "choose a card. Rest it."

`match` undoes exactly what `build` does, and yields every way to fill the gaps. Filters keep the
order in which they are printed, so a table is divided in its order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

Parts = Mapping[str, Any]
_WHOLE, _GAP = re.compile(r"\$\w+"), re.compile(r"\$(\w+)")
#: What is not written as it is usual.
USUAL: Mapping[str, Any] = {"n": 1, "least": 1, "over": 1, "match": {}}
#: Of what has been mentioned before.
MENTIONED = {"zone": "?"}


class Unfit(Exception):
    """The parts cannot be put together that way."""


def build(shape: Any, parts: Parts) -> Any:
    """The data of a shape with its gaps filled; `Unfit` if they don't go together."""
    if isinstance(shape, str):
        if _WHOLE.fullmatch(shape):
            return parts[shape[1:]]
        return _GAP.sub(lambda gap: str(parts[gap[1]]), shape)
    if isinstance(shape, list):
        return [one for item in shape for one in _items(item, parts)]
    if not isinstance(shape, dict):
        return shape
    if "of" in shape and (kind := next((k for k in _LISTS if k in shape), "")):
        return _LISTS[kind][0](build(shape[kind], parts), build(shape["of"], parts))
    if "not" in shape:
        return _turned(build(shape["not"], parts))
    made: dict[str, Any] = {}
    for key, value in shape.items():
        if key == "with":
            _merge(made, _united([parts[name] for name in value.split()]))
        else:
            _merge(made, {key: build(value, parts)})
    return made


def _united(tables: list[Mapping[str, Any]]) -> dict[str, Any]:
    """One table of several, each of which says something else."""
    made: dict[str, Any] = {}
    for table in tables:
        if made.keys() & table.keys():
            raise Unfit(*made.keys() & table.keys())
        made |= table
    return made


def _turned(condition: Mapping[str, Any]) -> dict[str, Any]:
    """A condition that holds where this one does not."""
    rest = {key: value for key, value in condition.items() if key != "unless"}
    return rest if condition.get("unless") else {**rest, "unless": True}


def _items(item: Any, parts: Parts) -> list[Any]:
    if isinstance(item, str) and item.startswith("..."):
        found = parts[item[3:]]
        return found if isinstance(found, list) else [found]
    if _is_list(item):
        made: list[Any] = build(item, parts)
        return made
    return [build(item, parts)]


def _is_list(shape: Any) -> bool:
    """Whether a shape is a list that is made of another."""
    return isinstance(shape, dict) and "of" in shape and any(kind in shape for kind in _LISTS)


def _merge(made: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add what a table says; lists that both have are joined, anything else must not be twice."""
    for key, value in more.items():
        if key not in made:
            made[key] = value
        elif isinstance(value, list) and isinstance(made[key], list):
            made[key] = [*made[key], *value]
        elif isinstance(value, dict) and isinstance(made[key], dict):
            made[key] = dict(made[key])
            _merge(made[key], value)
        else:
            raise Unfit(key)


def _each(common: dict[str, Any], items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [_joined(common, item) for item in items]


def _first(common: dict[str, Any], items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [_joined(common, items[0]), *items[1:]]


def _joined(common: Mapping[str, Any], item: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(common)
    _merge(made, item)
    return made


def _aim(choice: Any, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if items[0].get("to") != MENTIONED or "choose" in items[0]:
        raise Unfit("to")
    return [_with_key(items[0], "to", "choose", choice), *items[1:]]


def _with_key(item: Mapping[str, Any], old: str, new: str, value: Any) -> dict[str, Any]:
    """A table with another key and value in the place of one."""
    return {(new if k == old else k): value if k == old else v for k, v in item.items()}


def _optional(_common: Any, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Who may choose none, may do nothing: he is not asked twice."""
    item = items[0]
    if "choose" not in item:
        return _first({"may": True}, items)
    return [{**item, "choose": _joined({"may": True}, item["choose"])}, *items[1:]]


# -- taking apart ----------------------------------------------------------------------------------


def match(shape: Any, data: Any, found: Parts | None = None) -> Iterator[Parts]:
    """Every way to fill the gaps of a shape so that it is these data."""
    found = found if found is not None else {}
    if isinstance(shape, str) and "$" in shape:
        yield from _match_text(shape, data, found)
    elif isinstance(shape, list):
        if isinstance(data, list):
            yield from _match_list(shape, data, found)
    elif not isinstance(shape, dict):
        if type(shape) is type(data) and shape == data:
            yield found
    elif "of" in shape and (kind := next((k for k in _LISTS if k in shape), "")):
        for common, items in _LISTS[kind][1](shape[kind], data):
            for more in match(shape[kind], common, found):
                yield from match(shape["of"], items, more)
    elif isinstance(data, dict):
        if "not" in shape:
            yield from match(shape["not"], _turned(data), found)
        else:
            yield from _match_table(shape, data, found)


def _match_text(shape: str, data: Any, found: Parts) -> Iterator[Parts]:
    """A gap, or a word with one number or word in it: `"<=$n"`."""
    if _WHOLE.fullmatch(shape):
        yield from _known(shape[1:], data, found)
    elif isinstance(data, str) and (gap := _GAP.search(shape)):
        before, after = shape[: gap.start()], shape[gap.end() :]
        inner = data[len(before) : len(data) - len(after)]
        if data == f"{before}{inner}{after}" and inner:
            yield from _known(gap[1], int(inner) if inner.isdecimal() else inner, found)


def _known(name: str, data: Any, found: Parts) -> Iterator[Parts]:
    if name not in found:
        yield {**found, name: data}
    elif found[name] == data:
        yield found


def _match_list(shape: list[Any], data: list[Any], found: Parts) -> Iterator[Parts]:
    if not shape:
        if not data:
            yield found
        return
    head, *rest = shape
    if isinstance(head, str) and head.startswith("..."):
        for n in range(len(data) + 1):
            for more in _known(head[3:], data[:n], found):
                yield from _match_list(rest, data[n:], more)
    elif _is_list(head):
        for n in range(1, len(data) + 1):
            for more in match(head, data[:n], found):
                yield from _match_list(rest, data[n:], more)
    elif data:
        for more in match(head, data[0], found):
            yield from _match_list(rest, data[1:], more)


def _match_table(shape: dict[str, Any], data: dict[str, Any], found: Parts) -> Iterator[Parts]:
    named = [key for key in shape if key != "with"]
    spread = str(shape.get("with", "")).split()
    if not spread and data.keys() - set(named):
        return

    def go(keys: list[str], left: dict[str, Any], found: Parts) -> Iterator[Parts]:
        if not keys:
            yield from _spread(spread, left, found)
            return
        key, *others = keys
        for here, value in _shares(shape[key], left.get(key, USUAL.get(key))):
            kept = {k: v for k, v in left.items() if k != key}
            if value is not None:
                kept = {k: (value if k == key else v) for k, v in left.items()}
            for more in match(shape[key], here, found):
                yield from go(others, kept, more)

    def _shares(part: Any, value: Any) -> Iterator[tuple[Any, Any]]:
        """What of a value is this part's, and what is left for others."""
        yield value, None
        if not spread:
            return
        if isinstance(value, list) and isinstance(part, list | str):
            for n in range(1, len(value)):
                yield value[:n], value[n:]
        elif isinstance(value, dict) and isinstance(part, str):
            for n in range(1, len(value)):
                keys = list(value)
                yield {k: value[k] for k in keys[:n]}, {k: value[k] for k in keys[n:]}
        elif isinstance(value, dict) and isinstance(part, dict) and "with" not in part:
            mine = {k: v for k, v in value.items() if k in part}
            rest = {k: v for k, v in value.items() if k not in part}
            if rest and mine:
                yield mine, rest

    yield from go(named, data, found)


def _spread(names: list[str], left: dict[str, Any], found: Parts) -> Iterator[Parts]:
    """Every way to divide a table among parts, each in its order."""
    if not names:
        if not left:
            yield found
        return
    name, *others = names
    if not others:
        yield from _known(name, left, found)
        return
    keys = list(left)
    for n in range(len(keys) + 1):
        for mine in combinations(keys, n):
            for more in _known(name, {k: left[k] for k in mine}, found):
                yield from _spread(others, {k: left[k] for k in keys if k not in mine}, more)


def _less(common: Mapping[str, Any], item: Mapping[str, Any]) -> dict[str, Any] | None:
    """A table without what is stated of it elsewhere; None if it does not say it."""
    rest = dict(item)
    for key, value in common.items():
        had = rest.get(key)
        if isinstance(value, list) and isinstance(had, list) and had[: len(value)] == value:
            rest[key] = had[len(value) :]
            if rest[key]:
                continue
        elif had != value:
            return None
        del rest[key]
    return rest


def _candidates(shape: Any, item: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What of a table a shape may say: its keys, with as much of a list as may be."""
    keys = [key for key in shape if key != "with"] if isinstance(shape, dict) else list(item)
    if isinstance(shape, dict) and "with" in shape:
        keys = [*keys, *(key for key in item if key not in keys and key not in ("do", "to"))]
    if not isinstance(shape, dict):
        keys = [key for key in ("when", "until", "whose", "join") if key in item]
        for n in range(1, len(keys) + 1):
            for some in combinations(keys, n):
                yield from _lists({key: item[key] for key in some})
        return
    if all(key in item for key in keys):
        yield from _lists({key: item[key] for key in keys})


def _lists(common: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield common
    for key, value in common.items():
        if isinstance(value, list):
            for n in range(1, len(value)):
                yield {**common, key: value[:n]}


def _unlist(shape: Any, data: Any, several: bool) -> Iterator[tuple[Any, Any]]:
    if not isinstance(data, list) or not data or not isinstance(data[0], dict):
        return
    for common in _candidates(shape, data[0]):
        stripped = [_less(common, item) for item in (data if several else data[:1])]
        if all(item is not None for item in stripped):
            yield common, [*stripped, *(() if several else data[1:])]


def _each_apart(shape: Any, data: Any) -> Iterator[tuple[Any, Any]]:
    yield from _unlist(shape, data, several=True)


def _first_apart(shape: Any, data: Any) -> Iterator[tuple[Any, Any]]:
    yield from _unlist(shape, data, several=False)


def _aim_apart(shape: Any, data: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(data, list) and data and isinstance(data[0], dict) and "choose" in data[0]:
        item = data[0]
        yield item["choose"], [_with_key(item, "choose", "to", MENTIONED), *data[1:]]


def _optional_apart(shape: Any, data: Any) -> Iterator[tuple[Any, Any]]:
    if not isinstance(data, list) or not data or not isinstance(data[0], dict):
        return
    item = data[0]
    if "choose" not in item:
        yield from ((True, rest) for _, rest in _unlist({"may": True}, data, several=False))
    elif item["choose"].get("may"):
        choose = {k: v for k, v in item["choose"].items() if k != "may"}
        yield True, [{**item, "choose": choose}, *data[1:]]


_LISTS: Mapping[str, Any] = {
    "optional": (_optional, _optional_apart),
    "each": (_each, _each_apart),
    "first": (_first, _first_apart),
    "aim": (_aim, _aim_apart),
}
