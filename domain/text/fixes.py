"""Fixes as they are typed: one line each, verb first, cards by their numbers.

    move 57 58 to trash/0 [at 0] [up|down] [lying rested]     draw 2 from deck/0 to hand/0
    turn 57 up | down | lying rested       show 57 [to A]      name 57=ST01-001
    define 57 power=3 type=character       (what it counts as face down; nothing: itself)
    counters damage 2 to 57 | from 57      mark seat/0 hit [yes|no|3|word]     (none: erased)
    order trash/0 57 58 59                 shuffle deck/0      control 57 by A
    attach 58 to 57 as pilot               link 58 to 57 as pilot       (without `to`: no longer)
    remove 57                              make T-001 at battle/0 [by A]
    depart 57 to trash/0 for destroyed [by 60]                          (57 alone: it stays)
    modify 57 ap 2 [until turn]            modify base/0 forbid damage  end 3
        before the figure: original, late, last; set, multiply, swap, lose, forbid, allow
    trigger 57 ST01-001/deploy [by A]      void 4        (what waits, what is scheduled)
    schedule ST01-001/later|draw for A with turn [from 7] [in A] [about 57] [times 2]
    retarget 57|seat/1 [by 60]

A card that nobody has named yet is named along: `move 57=ST01-001 to trash/0`. What they mean is
`domain.officials.corrections.fixes.Fix`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from domain.effects.constant.calculator import LAYERS, OPERATIONS
from domain.officials.corrections.fixes import Fix
from domain.record.values import Ref, Value

_SEATS = "abcdefghijklmnopqrstuvwxyz"
#: What a lasting effect does, beside adding to a figure.
_OPS = OPERATIONS | {"forbid", "allow"}


class BadFix(ValueError):
    """A fix that can't be read; the text says why."""


class _Words:
    """The words of a fix, taken one after the other."""

    def __init__(self, text: str) -> None:
        self.left = text.split()

    def take(self, what: str) -> str:
        if not self.left:
            raise BadFix(f"{what} is missing")
        return self.left.pop(0)

    def number(self, what: str) -> int:
        word = self.take(what)
        try:
            return int(word)
        except ValueError:
            raise BadFix(f"{what}: {word!r} is no number") from None

    def after(self, *leads: str) -> bool:
        """Whether one of these words comes next; it is taken then."""
        if self.left and self.left[0] in leads:
            self.left.pop(0)
            return True
        return False

    def next_in(self, words: Collection[str]) -> bool:
        """Whether the next word is one of these."""
        return bool(self.left) and self.left[0] in words

    def expect(self, lead: str) -> None:
        if not self.after(lead):
            raise BadFix(f"{lead!r} is missing")

    def cards(self) -> dict[str, Any]:
        cards: list[int] = []
        names: list[str] = []
        while self.left and self.left[0].partition("=")[0].lstrip("@").isdecimal():
            number, _, name = self.left.pop(0).lstrip("@").partition("=")
            cards.append(int(number))
            names += [name] if name else []
        if not cards:
            raise BadFix("a card's number is missing")
        return {"cards": tuple(cards), "names": tuple(names)}

    def ref(self, what: str) -> Ref:
        word = self.take(what).lstrip("@")
        return int(word) if word.isdecimal() else word

    def seat(self) -> int:
        word = self.take("a player").lower()
        if word.isdecimal():
            return int(word)
        if len(word) != 1 or word not in _SEATS:
            raise BadFix(f"{word!r} is no player")
        return _SEATS.index(word)

    def lies(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self.left:
            if self.after("up"):
                found["up"] = True
            elif self.after("down"):
                found["up"] = False
            elif self.after("lying"):
                found["orient"] = self.take("how it lies")
            elif self.after("at"):
                found["at"] = self.number("where in the place")
            else:
                break
        return found


def read(text: str) -> Fix:
    """The fix that a line means; raises `BadFix`."""
    words = _Words(text)
    verb = words.take("a verb")
    if verb not in _READ:
        raise BadFix(f"there is no {verb!r}; there are: {', '.join(_READ)}")
    fields = _READ[verb](words)
    if words.left:
        raise BadFix(f"{' '.join(words.left)!r} is too much")
    return Fix(verb, **fields)


def _move(words: _Words) -> dict[str, Any]:
    cards = words.cards()
    words.expect("to")
    return {**cards, "place": words.take("a place"), **words.lies()}


def _draw(words: _Words) -> dict[str, Any]:
    n = words.number("how many")
    words.expect("from")
    src = words.take("a place")
    words.expect("to")
    return {"n": n, "src": src, "place": words.take("a place")}


def _show(words: _Words) -> dict[str, Any]:
    cards = words.cards()
    return {**cards, "seats": (words.seat(),) if words.after("to") else ()}


def _counters(words: _Words) -> dict[str, Any]:
    kind, n = words.take("which counters"), words.number("how many")
    found: dict[str, Any] = {"kind": kind, "n": n}
    while words.left:
        if words.after("from"):
            found["src"] = words.ref("from where")
        elif words.after("to"):
            found["dst"] = words.ref("to where")
        else:
            break
    return found


def _mark(words: _Words) -> dict[str, Any]:
    subject, kind = words.ref("on what"), words.take("which mark")
    return {"subject": subject, "kind": kind, "value": _value(words) if words.left else None}


def _value(words: _Words) -> Value:
    return _read_value(words.take("a value"))


def _read_value(word: str) -> Value:
    if word in ("yes", "no"):
        return word == "yes"
    return int(word) if word.lstrip("+-").isdecimal() else word


def _attach(words: _Words) -> dict[str, Any]:
    cards = words.cards()
    if not words.after("to"):
        return cards
    host = int(words.ref("a host") or 0)
    return {**cards, "host": host, "role": words.take("a role") if words.after("as") else ""}


def _make(words: _Words) -> dict[str, Any]:
    names = []
    while words.left and words.left[0] != "at":
        names.append(words.take("a card"))
    words.expect("at")
    place = words.take("a place")
    return {
        "names": tuple(names),
        "place": place,
        **({"seat": words.seat()} if words.after("by") else {}),
    }


def _define(words: _Words) -> dict[str, Any]:
    cards, figures = words.cards(), {}
    while words.left:
        key, sign, value = words.left.pop(0).partition("=")
        if not sign:
            raise BadFix(f"{key!r} is no figure: write `power=3`")
        figures[key] = _read_value(value)
    return {**cards, "figures": figures}


def _depart(words: _Words) -> dict[str, Any]:
    cards = words.cards()
    if not words.after("to"):
        return cards
    place = words.take("a place")
    words.expect("for")
    found = {**cards, "place": place, "kind": words.take("a reason")}
    return {**found, "subject": words.ref("who is to blame")} if words.after("by") else found


def _modify(words: _Words) -> dict[str, Any]:
    at_place = bool(words.left) and "/" in words.left[0]
    found = {"place": words.take("a place")} if at_place else words.cards()

    op = " ".join(words.take("how") for one in (LAYERS, _OPS) if words.next_in(one))
    kind = words.take("which figure")
    value = _value(words) if words.left and words.left[0] != "until" else None
    until = words.take("until when") if words.after("until") else ""
    return {**found, "kind": kind, "op": op, "value": value, "until": until}


def _trigger(words: _Words) -> dict[str, Any]:
    found = {**words.cards(), "effect": words.take("a text")}
    return {**found, "seat": words.seat()} if words.after("by") else found


def _schedule(words: _Words) -> dict[str, Any]:
    what = words.take("a text or a kind of act")
    found: dict[str, Any] = {"effect" if "/" in what else "kind": what}
    words.expect("for")
    found["seat"] = words.seat()
    words.expect("with")
    found["until"] = words.take("when it comes due")
    while words.left:
        if words.after("from"):
            found["turn"] = words.number("which turn")
        elif words.after("in"):
            found["seats"] = (words.seat(),)
        elif words.after("about"):
            found |= words.cards()
        elif words.after("times"):
            found["n"] = words.number("how many")
        else:
            break
    return found


def _retarget(words: _Words) -> dict[str, Any]:
    found: dict[str, Any] = {"subject": words.ref("what is attacked")}
    if words.after("by"):
        found["host"] = words.ref("who takes it on itself")
    return found


def _control(words: _Words) -> dict[str, Any]:
    cards = words.cards()
    words.expect("by")
    return {**cards, "seat": words.seat()}


_READ: Mapping[str, Callable[[_Words], dict[str, Any]]] = {
    "move": _move,
    "draw": _draw,
    "turn": lambda words: {**words.cards(), **words.lies()},
    "show": _show,
    "name": lambda words: words.cards(),
    "counters": _counters,
    "mark": _mark,
    "order": lambda words: {"place": words.take("a place"), **words.cards()},
    "shuffle": lambda words: {"place": words.take("a place")},
    "control": _control,
    "attach": _attach,
    "link": _attach,
    "remove": lambda words: words.cards(),
    "make": _make,
    "define": _define,
    "depart": _depart,
    "modify": _modify,
    "end": lambda words: {"ids": words.cards()["cards"]},
    "trigger": _trigger,
    "schedule": _schedule,
    "void": lambda words: {"ids": words.cards()["cards"]},
    "retarget": _retarget,
}
