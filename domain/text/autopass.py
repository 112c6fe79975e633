"""Auto-passes as short text, as typed and shown (fields: `engine.passes.autopass`).

    pass until the turn ends            pass until the rival acts or the turn ends
    pass in battle/action, end          pass until withdrawn            withdraw

What stands after `in` are steps of the game, one of which includes those within it.
"""

from __future__ import annotations

import re

from domain.engine.passes.autopass import AutoPass
from domain.engine.passes.switches import MARKED, Switch
from domain.record.schema.manifest import Manifest
from domain.text.names import BadText
from domain.words.phrases import Phrase, joined, phrase

WITHDRAW = "withdraw"
_LINE = re.compile(r"pass(?:\s+in\s+(?P<steps>.+?))?(?:\s+until\s+(?P<until>.+))?")
#: What may follow `until`, by its first letters.
_UNTIL = {
    "turn": ("the turn ends", "turn", "turn ends", "end of turn"),
    "rival": ("the rival acts", "rival", "rival acts"),
    "": ("withdrawn", "the game ends", "game"),
}


def parse(typed: str, manifest: Manifest) -> AutoPass | None:
    """The auto-pass that a line sets; None if it says something else.

    Raises `BadText` for one that says what can't be: another end, a step that there is not.
    """
    found = _LINE.fullmatch(" ".join(typed.split()))
    if found is None or (found["steps"] is None and found["until"] is None):
        return None
    ends = {_end(one) for one in found["until"].split(" or ")} if found["until"] else set()
    steps = tuple(_step(one, manifest) for one in (found["steps"] or "").split(",") if one.strip())
    return AutoPass("turn" in ends, "rival" in ends, steps)


def write(left: AutoPass, manifest: Manifest) -> str:
    """An auto-pass as `parse` reads it."""
    ends = [_UNTIL[end][0] for end, names in (("turn", left.turn), ("rival", left.rival)) if names]
    where = f" in {', '.join(left.steps)}" if left.steps else ""
    return f"pass{where} until {' or '.join(ends) or _UNTIL[''][0]}"


def write_switch(switch: Switch, manifest: Manifest) -> Phrase:
    """When a seat is asked, in words."""
    kinds = joined(", ", [manifest.label("decisions", kind) for kind in switch.marked])
    if switch.asks == MARKED:
        return phrase("asked only at: {kinds}", kinds=kinds or phrase("nothing"))
    if switch.marked:
        return phrase("asked where it could do something, and always at: {kinds}", kinds=kinds)
    return phrase("asked where it could do something")


def _end(typed: str) -> str:
    for end, names in _UNTIL.items():
        if typed.strip() in names:
            return end
    known = joined(", ", (names[0] for names in _UNTIL.values()))
    raise BadText(phrase("until {end!r} is not one of: {known}", end=typed.strip(), known=known))


def _step(typed: str, manifest: Manifest) -> str:
    step = typed.strip()
    known = [word.name for word in manifest.steps]
    if not any(one == step or one.startswith(f"{step}/") for one in known):
        raise BadText(
            phrase(
                "{step!r} is not one of the steps: {steps}", step=step, steps=joined(", ", known)
            )
        )
    return step
