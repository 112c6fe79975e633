"""Texts that cards have lost: which of a card's texts are as though they were not printed.

A modifier takes texts away as `lose texts`: all of them, those of a kind, or one by its name. From
then on, and as long as it is in force, they do not hold, trigger, replace or be activated; when it
ends they are back. Texts that riders lend a card are its texts too. Of constant texts that take
each other's the one that was there first stays (`constant`).
A card that is gone had what it had last: that is derived (`lost`), like any figure.

In some games lost texts (negated, as their books say) still trigger and are activated, and do
nothing when they are carried out: `Terms.still`.

Effects that wait already, and acts that were declared, are handled by their queue and their window
(`games.kit.effects.triggers`, `games.kit.effects.negation`): books differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from domain.effects.constant.calculator import TEXTS, applies
from domain.effects.language.vocabulary import Effect
from domain.effects.select import Terms
from domain.record.position import Modifier, Position
from domain.record.values import Change, Value

#: The derived figure that says what a card has lost.
LOST = "lost"
#: What stands between the things it lists.
_PLUS = " + "
#: Texts that a keyword stands for are lost with the keyword alone.
_KEYWORD = "keyword/"


def silences(change: Change) -> bool:
    """Whether a change takes texts away."""
    return change.key == TEXTS and change.op == "lose"


def silencers(p: Position) -> list[Modifier]:
    """The modifiers by which cards have lost texts, oldest first."""
    if not p.modifiers:
        return []
    return [modifier for modifier in p.modifiers.values() if silences(modifier.change)]


def silencing(
    game: Terms, p: Position, number: int, ref: str, kind: str, by: Iterable[Modifier] | None = None
) -> Iterator[Modifier]:
    """The modifiers that have taken a text (`X-01/name`) of a card.

    `by`: those that may have (default: those in force).
    """
    if ref.startswith(_KEYWORD):
        return
    for modifier in silencers(p) if by is None else by:
        if _takes(modifier.change.value, ref, kind) and applies(game, p, modifier, number):
            yield modifier


def silenced(
    game: Terms, p: Position, number: int, ref: str, kind: str, by: Iterable[Modifier] | None = None
) -> bool:
    """Whether one of a card's texts is as though it were not there; of one that left: was."""
    if p.present(number):
        return next(silencing(game, p, number, ref, kind, by), None) is not None
    value_lost = p.card(number).stats.get(LOST)
    values = (
        value_lost.split(_PLUS)
        if isinstance(value_lost, str) and not ref.startswith(_KEYWORD)
        else []
    )
    return any(_takes(True if one == TEXTS else one, ref, kind) for one in values)


def _takes(value: Value, ref: str, kind: str) -> bool:
    if value is True:
        return True
    named = isinstance(value, str) and value.startswith("/") and ref.endswith(value)
    return named or value in (kind, f"card:{ref}")


def in_force(game: Terms, p: Position, number: int) -> Sequence[tuple[str, Effect]]:
    """The effects that a card has, or had as it left, less the texts that it has lost."""
    found = game.effects(p, number)
    if not found or not (silencers(p) if number in p.cards else p.card(number).stats.get(LOST)):
        return found
    return [
        (ref, effect)
        for ref, effect in found
        if effect.kind in game.still or not silenced(game, p, number, ref, effect.kind)
    ]


def lost(game: Terms, p: Position, number: int) -> str:
    """The lost texts of a card, for all to read: `texts`, `triggered + /deploy`; empty if none.

    Texts stopped because they do not settle (`house:endless`) are not lost by a text.
    """
    found = [m.change.value for m in silencers(p) if applies(game, p, m, number)]
    if True in found:
        return TEXTS
    names = (str(value) for value in found if not str(value).startswith("card:"))
    return _PLUS.join(dict.fromkeys(names))
