"""Constant effects and the numbers in force.

`derive` compares the constant texts that hold now with the modifiers they began, begins and ends
what changed, and records every derived number that differs. It is called whenever the rules settle,
so that the record always has what a reader would otherwise need the rules for. Which figures a game
derives, and from what, is `Figures`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from domain.effects.select import Running, Terms, all_hold, asks_for_riders, fits, works
from domain.effects.vocabulary import Clause, Group, as_text, from_text
from domain.engine.table import Table
from domain.record.events import Change, Ref, Value
from domain.record.position import Modifier, Position

#: `Modifier.until` of what lasts as long as its text holds.
CONSTANT = "constant"
#: How often at most texts that change each other's conditions are looked at again.
ROUNDS = 4


class Figures(Terms, Protocol):
    """What a game adds to its terms so that numbers can be derived."""

    #: which rules a constant effect acts by
    constant_cites: tuple[str, ...]
    #: which rule each derived number is derived by
    figure_cites: Mapping[str, str]

    def figures(self, p: Position) -> Iterator[tuple[int, dict[str, Value]]]:
        """All derived numbers in force of every card that has any."""


def derive(t: Table, game: Figures) -> None:
    """Bring modifiers of constant texts and derived numbers up to date.

    A text may lean on a number that another changes, and so may the filter of what it reaches:
    again until nothing does. Two that undo each other are left after a few rounds.
    """
    for _ in range(ROUNDS):
        _constants(t, game)
        if not t.stats(game.figures(t.pos), game.figure_cites):
            return


def _constants(t: Table, game: Figures) -> bool:
    """Begin and end what constant texts say; whether any did."""
    p = t.pos
    wanted: dict[tuple[Ref, Change, str], list[str]] = {}
    for source, change, scope, cite in _texts(p, game):
        wanted.setdefault((source, change, scope), []).append(cite)  # the same twice adds up
    ended = []
    for number, modifier in p.modifiers.items():
        if modifier.until == CONSTANT:
            cites = wanted.get((modifier.source, modifier.change, modifier.scope))
            if cites:
                del cites[0]
            else:
                ended.append(number)
    if ended:
        t.end_modifiers(ended, CONSTANT, *game.constant_cites)
    for (source, change, scope), cites in wanted.items():
        targets = () if scope else (source,)
        for cite in cites:
            t.modify(source, targets, change, CONSTANT, *game.constant_cites, cite, scope=scope)
    return bool(ended) or any(wanted.values())


def _texts(p: Position, game: Figures) -> Iterator[tuple[Ref, Change, str, str]]:
    for number in game.workplaces(p):
        for ref, effect in game.effects(p, number):
            if effect.kind != "constant" or not works(game, p, number, effect):
                continue
            run = Running(0, ref, effect, number, p.cards[number].controller, 0)
            if all_hold(game, p, effect.when, run):
                for clause in effect.do:
                    if all_hold(game, p, clause.when, run):
                        yield number, change_of(clause, run), _scope(clause), run.text


def change_of(clause: Clause, run: Running) -> Change:
    """What a clause that modifies, gives or forbids comes to."""
    if clause.do == "modify":
        return Change(clause.key, "add", run.amount(clause))
    if clause.do == "gain":
        numeric = isinstance(clause.value, int) and not isinstance(clause.value, bool)
        return Change(clause.key, "add" if numeric else "set", clause.value if numeric else True)
    if clause.do == "lose":
        return Change(clause.key, "lose", True)
    value = True if clause.against is None else as_text(clause.against)
    return Change(clause.key, clause.do, value)


def _scope(clause: Clause) -> str:
    return "" if clause.to is None or clause.to.zone == "this" else as_text(clause.to)


def applies(game: Terms, p: Position, modifier: Modifier, number: int) -> bool:
    """Whether a modifier acts on a card: by name, by its place, or by its scope's filter."""
    if number in modifier.targets or p.cards[number].place in modifier.targets:
        return True
    if not modifier.scope:
        return False
    source = modifier.source
    if not isinstance(source, int) or not p.present(source):
        return False
    return in_group(game, p, from_text(modifier.scope), number, p.cards[source].controller, source)


def in_group(game: Terms, p: Position, group: Group, number: int, seat: int, this: Ref = 0) -> bool:
    """Whether a card belongs to a group, seen from a seat."""
    card = p.cards[number]
    if group.zone and game.place(group.zone, card.controller) != card.place:
        return False
    if not group.zone and game.place("", card.controller) != card.place:
        return False
    if group.whose != "any" and (card.controller == seat) != (group.whose == "yours"):
        return False
    if card.host and not asks_for_riders(group):
        return False
    return not (group.other and number == this) and fits(game, p, number, group.match)


def barred(game: Terms, p: Position, number: int, act: str, other: int = 0) -> bool:
    """Whether a "cannot" in force stops an act of this card, or one done to it by another."""
    return next(barring(game, p, number, act, other), None) is not None


def barring(game: Terms, p: Position, number: int, act: str, other: int = 0) -> Iterator[Modifier]:
    """Each "cannot" in force that stops an act of this card, or one done to it by another."""
    return _acting(game, p, number, "forbid", act, other)


def allowed(game: Terms, p: Position, number: int, act: str, other: int) -> bool:
    """Whether a text allows what the rules would not."""
    return next(permitting(game, p, number, act, other), None) is not None


def permitting(
    game: Terms, p: Position, number: int, act: str, other: int = 0
) -> Iterator[Modifier]:
    """Each text in force that allows an act of this card, or one done to another."""
    return _acting(game, p, number, "allow", act, other)


def texts(modifiers: Iterable[Modifier]) -> list[str]:
    """The card texts that lasting effects come from, to be cited."""
    return list(dict.fromkeys(modifier.text for modifier in modifiers if modifier.text))


def _acting(
    game: Terms, p: Position, number: int, op: str, act: str, other: int
) -> Iterator[Modifier]:
    for modifier in p.modifiers.values():
        change = modifier.change
        meant = change.op == op and change.key == act and applies(game, p, modifier, number)
        if meant and towards(game, p, change, number, other):
            yield modifier


def towards(game: Terms, p: Position, change: Change, number: int, other: int) -> bool:
    """Whether what a card may not, or may, concerns another card, as the text narrows it."""
    if change.value is True:
        return True
    group = from_text(str(change.value))
    if (group.other and other == number) or not (p.present(other) or other in p.departed):
        return False
    seat = p.cards[number].controller
    if group.whose != "any" and (p.card(other).controller == seat) != (group.whose == "yours"):
        return False
    return fits(game, p, other, group.match)
