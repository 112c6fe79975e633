"""Which card "it" is: the one place where a text's back-references are resolved.

A grammar writes `{ zone = "?" }` for "it" or "them", `{ zone = "that" }` for "that Unit", and the
condition `"?"` for "if it is …". What was mentioned last is meant: in order, the card that sets the
effect off, those that conditions are about, and those that each clause names. Of an occurrence
between two cards "it" is the one whose occurrence it is, and "that Unit" the other one: "when this
Unit is blocked by a Unit, it …". A filter with `"<=?"` compares with "that Unit".

`resolve` puts the cards in; `forget` takes them out again for printing, in each way in which the
text may have said it. A text that mentions nothing they could mean is not understood (`Unclear`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from domain.effects.printed.shapes import MENTIONED

#: The word for what was mentioned before, as a zone and as a condition.
IT = "?"
#: The word for the other one of what was mentioned.
THAT = "that"
#: What can be mentioned and meant.
_MEANT = ("this", "it", "cause", "against", "chosen")
_LISTS = ("when", "provided")


class Unclear(ValueError):
    """A text refers to something that it has not mentioned."""


class Last(NamedTuple):
    """What was mentioned last: what "it" means, and what "that Unit" does."""

    it: str
    that: str

    def words(self, zone: str) -> Iterator[str]:
        """The words that mean this card."""
        yield from ([IT] if zone == self.it else [])
        yield from ([THAT] if zone == self.that else [])


def resolve(effect: Mapping[str, Any]) -> dict[str, Any]:
    """An effect with every "it" resolved; `Unclear` if one can't be.

    A clause that is done to "it" as soon as it has been chosen states the choice itself (`aim` of
    `shapes`): that it could also come after a choice is no second reading.
    """
    _check_aims(effect.get("do", ()))

    def known(group: Mapping[str, Any], last: Last) -> Mapping[str, Any]:
        zone = {IT: last.it, THAT: last.that}.get(group.get("zone", ""))
        if zone == "":
            raise Unclear
        return _compared({**group, "zone": zone} if zone else group, IT, last.that)

    def named(condition: Mapping[str, Any], last: Last) -> Mapping[str, Any]:
        if IT not in condition:
            return condition
        if last.it == "cause":
            count = {"zone": last.it, "match": condition[IT]}
            return {"count": count, **{k: v for k, v in condition.items() if k != IT}}
        if last.it not in ("this", "it"):
            raise Unclear
        return {(last.it if k == IT else k): v for k, v in condition.items()}

    return _walk(effect, known, named)


def _compared(group: Mapping[str, Any], old: str, new: str) -> Mapping[str, Any]:
    """A group whose filter compares with another card."""
    filters = {
        key: f"{test[: -len(old)]}{new}"
        for key, test in group.get("match", {}).items()
        if isinstance(test, str) and test[:1] in "<>" and test.lstrip("<>=") == old
    }
    if filters and not new:
        raise Unclear
    return {**group, "match": {**group["match"], **filters}} if filters else group


def _check_aims(clauses: Sequence[Mapping[str, Any]]) -> None:
    for n, after in enumerate(clauses):
        for option in after.get("options", ()):
            _check_aims(option)
        one = [before["do"] == "target" for before in clauses[max(n - 2, 0) : n]]
        alone = one in ([True], [False, True])
        if alone and after.get("to") == MENTIONED and "when" not in after:
            raise Unclear


def forget(effect: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """An effect as it may be printed, each card that was mentioned last by name or as "it"."""
    ways = list[list[Mapping[str, Any]]]()

    def note_group(group: Mapping[str, Any], last: Last) -> Mapping[str, Any]:
        named = [group, *({**group, "zone": word} for word in last.words(group.get("zone", "")))]
        if last.that:
            named += [_compared(one, last.that, IT) for one in named]
        ways.append([one for n, one in enumerate(named) if one not in named[:n]])
        return group

    def note_condition(condition: Mapping[str, Any], last: Last) -> Mapping[str, Any]:
        ways.append([condition, *_forgotten(condition, last)])
        return condition

    _walk(effect, note_group, note_condition)
    for way in product(*ways):
        yield _walk(effect, *[_in_turn(iter(way))] * 2)


def _in_turn(ways: Iterator[Mapping[str, Any]]) -> Group:
    return lambda _one, _last: next(ways)


def _forgotten(one: Mapping[str, Any], last: Last) -> Iterator[Mapping[str, Any]]:
    """A condition about what was mentioned last, as one about "it"."""
    about = _about(one)
    if about == last.it == "cause":
        yield {IT: one["count"]["match"], **{k: v for k, v in one.items() if k != "count"}}
    elif about == last.it:
        yield {(IT if k == about else k): v for k, v in one.items()}


def _about(condition: Mapping[str, Any]) -> str:
    """The card that a condition is about, if it is of one that was mentioned."""
    for one in ("this", "it"):
        if one in condition:
            return one
    count = condition.get("count", {})
    one_card = set(condition) <= {"count", "unless"} and set(count) == {"zone", "match"}
    return "cause" if one_card and count["zone"] == "cause" else "-"


Group = Callable[[Mapping[str, Any], Last], Mapping[str, Any]]


def _walk(effect: Mapping[str, Any], group: Group, condition: Group) -> dict[str, Any]:
    """An effect with its groups and conditions replaced, each given what was mentioned last."""
    it = "cause" if "about" in effect else "this"
    last = Last(it, "against" if "against" in effect else it if it == "cause" else "")
    if effect.get("kind") == "command":
        last = Last("", "")
    made = dict(effect)
    for key in _LISTS:
        if key in made:
            made[key], last = _conditions(made[key], last, condition)
    if "do" in made:
        made["do"], _ = _clauses(made["do"], last, group, condition)
    return made


def _conditions(
    conditions: list[Any], last: Last, condition: Group
) -> tuple[list[Mapping[str, Any]], Last]:
    made = [condition(one, last) for one in conditions]
    for before, one in zip(conditions, made, strict=True):
        about = _about(one)
        if about in _MEANT and IT not in before:
            last = _named(about, last)
    return made, last


def _clauses(
    clauses: list[Any], last: Last, group: Group, condition: Group
) -> tuple[list[dict[str, Any]], Last]:
    made = list[dict[str, Any]]()
    for clause in clauses:
        one = dict(clause)
        if "when" in one:
            one["when"], last = _conditions(one["when"], last, condition)
        for key in ("to", "onto", "against", "using"):
            if isinstance(one.get(key), Mapping):
                one[key] = group(one[key], last)
        for key in ("choose", "per"):
            if isinstance(one.get(key), Mapping) and isinstance(one[key].get("of"), Mapping):
                one[key] = {**one[key], "of": group(one[key]["of"], last)}
        if "options" in one:
            parts = [_clauses(option, last, group, condition) for option in one["options"]]
            one["options"] = [part for part, _ in parts]
            last = parts[0][1] if len(parts) == 1 else last
        both = one["do"] == "target" and made and made[-1]["do"] == "target"
        last = Last("chosen", "chosen") if both else _mentioned(one, last)
        made.append(one)
    return made, last


def _mentioned(one: Mapping[str, Any], last: Last) -> Last:
    """What a clause leaves mentioned last: of two that choose alone, all that were chosen."""
    if "choose" in one:
        return Last("it", "it")
    named = one.get("to")
    if isinstance(named, Mapping) and named.get("zone") not in (IT, THAT):
        return _named(str(named.get("zone", "")), last)
    return last


def _named(zone: str, last: Last) -> Last:
    """What is mentioned last once this card is: "that Unit" is never the one with the text."""
    zone = zone if zone in _MEANT else ""
    return Last(zone, last.that if zone == "this" else zone)
