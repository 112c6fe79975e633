"""Constant effects: which texts are in force, and the numbers that follow from them.

`derive` compares the constant texts that hold now with the modifiers they began, begins and ends
what changed, and records every derived number that differs. It is called whenever the rules settle,
so that the record always has what a reader would otherwise need the rules for. `calculator` applies
modifiers; `Figures` says which figures a game derives, and from what.

As long as no card has a constant text and nothing lasts, numbers follow from the cards of some
zones (`Figures.numbered`): then nothing is looked at before something has touched one of those
(`Due.numbers`, which a new or resumed table begins with).

A text may lean on a number that another changes, and so may the filter of what it reaches: `derive`
goes round until nothing changes any more. Texts that turn each other on and off for ever can't be
settled; they are found by the table coming round to where it was (`_endless`), and stopped by the
rule for what does not end by itself (`house:endless`): each of them is silenced for as long as its
card stays there, the record says so, and the match is paused until an official has seen to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Protocol

from domain.effects.amounts import counted
from domain.effects.conditions import all_hold
from domain.effects.constant.calculator import CONSTANT, TEXTS, applies
from domain.effects.constant.silence import LOST, lost, silenced, silencers, silences
from domain.effects.language.vocabulary import Clause
from domain.effects.select import Running, Terms, works
from domain.engine.table import Table
from domain.record.groups import Group
from domain.record.position import Modifier, Position
from domain.record.values import Change, Ref, Value

#: After so many rounds it is looked at whether texts go round in a circle.
ROUNDS = 4
#: What has not come round to where it was after so many more is taken to go on for ever.
MOST = 60
#: How long a text is silenced that does not settle with others: it is not tried again at the end of
#: a turn, which is repeated until nothing ends any more.
STOPPED = ""

#: Whence a modifier comes (its source and its text), and a card that it acts on (0: none does).
Reach = tuple[Ref, str, Change, int]


class Figures(Terms, Protocol):
    """The functions that a game adds to its terms so that numbers can be derived."""

    #: which rules a constant effect acts by
    constant_cites: tuple[str, ...]
    #: the zones in which all cards lie that have derived numbers or constant texts at work; without
    #: such texts, and what lasts, the numbers follow from those cards alone. None: from anything
    numbered: Collection[str] = ()

    def figure_rule(self, p: Position, number: int, key: str, value: Value) -> str:
        """By which rule a card has this as a derived number."""

    def leaning(self, p: Position) -> Iterable[int]:
        """The `workplaces` that may have a constant text; any others have none."""
        return self.workplaces(p)

    def may_act(self, p: Position) -> bool:
        """Whether a constant text, or something that lasts, may act: then, or whenever it is time.

        If not, that is so until a card of a zone that is `numbered` is touched.
        """
        return True

    def overlaps(self, p: Position, one: tuple[int, str], other: tuple[int, str]) -> bool:
        """Whether texts of two cards are one where only one of several may be in force."""
        return one[1] == other[1]

    def acts_by(self, p: Position, source: Ref) -> tuple[str, ...]:
        """By which rules the constant effects of a card begin to act."""
        return self.constant_cites

    def lapses_by(self, p: Position, sources: Iterable[Ref]) -> tuple[str, ...]:
        """By which rules those of some cards end."""
        return self.constant_cites

    def figures(self, p: Position) -> Iterator[tuple[int, Mapping[str, Value]]]:
        """All derived numbers in force of every card that has any."""


def derive(t: Table, game: Figures) -> None:
    """Bring modifiers of constant texts and derived numbers up to date, until nothing changes."""
    if not t.due.numbers:
        return
    if not any(_round(t, game) for _ in range(ROUNDS)):
        while circle := _endless(t, game):
            for one in circle:
                stop(t, _DOES.get(one.change.op, "modify"), one.source, one.text)
            t.stand_still("texts that lean on each other do not come to rest")
    t.due.numbers = game.may_act(t.pos)


def _round(t: Table, game: Figures) -> bool:
    """Begin and end what constant texts say, note numbers that differ; whether that was all."""
    silenced_anew = _constants(t, game)
    if not (t.due.changed or t.due.silenced):  # what is lost hangs on which cards are at work
        return True
    rule = partial(game.figure_rule, t.pos)
    return not t.stats(_figures(t, game), rule) and not silenced_anew


def _figures(t: Table, game: Figures) -> Iterator[tuple[int, Mapping[str, Value]]]:
    """The derived numbers of cards, and which texts they have lost."""
    p = t.pos
    taking = bool(silencers(p))
    if not taking and t.due.silenced:
        t.due.silenced = any(LOST in p.cards[n].stats for n in game.workplaces(p))
    if not taking and not t.due.silenced:
        return game.figures(p)  # as it nearly always is
    t.due.silenced = True
    return _figures_and_losses(game, p, taking)


def _figures_and_losses(
    game: Figures, p: Position, taking: bool
) -> Iterator[tuple[int, Mapping[str, Value]]]:
    derived = set[int]()
    for number, now in game.figures(p):
        derived.add(number)
        lost_texts = lost(game, p, number) if taking else ""
        yield number, {**now, LOST: lost_texts} if lost_texts else now
    for number in game.workplaces(p):  # those that have no other figures
        was = p.cards[number].stats
        if number not in derived and (taking or LOST in was):
            lost_texts = lost(game, p, number) if taking else ""
            rest = {key: value for key, value in was.items() if key != LOST}
            yield number, {**rest, LOST: lost_texts} if lost_texts else rest


# -- texts that do not come to rest ----------------------------------------------------------------

_HOUSE = "house:endless"
#: The instruction that an operation comes from.
_DOES = {one: one for one in ("lose", "forbid", "allow", "redirect", "reduce", "oblige")}


def _endless(t: Table, game: Figures) -> list[Modifier]:
    """Go on until nothing changes; else what changes for ever, one modifier a text."""
    rounds: list[dict[Reach, Modifier]] = []
    while not _round(t, game):
        now = _reaches(game, t.pos)
        before = [at for at, then in enumerate(rounds) if then.keys() == now.keys()]
        rounds.append(now)
        if before or len(rounds) > MOST:
            turning = rounds[before[-1] + 1 if before else 0 :]
            every = {key: one for then in turning for key, one in then.items()}
            always = frozenset.intersection(*(frozenset(then) for then in turning))
            changing = [one for key, one in every.items() if key not in always]
            found = changing or every.values()  # else they only bar each other
            texts = {(int(one.source), one.text): one for one in found}  # sources are cards
            return [texts[key] for key in sorted(texts)]
    return []


def _reaches(game: Figures, p: Position) -> dict[Reach, Modifier]:
    """The effects of constant texts now, and the cards that they reach."""
    found: dict[Reach, Modifier] = {}
    cards = list(game.workplaces(p))
    for one in p.modifiers.values():
        if one.until == CONSTANT:
            reached = [number for number in cards if applies(game, p, one, number)]
            for number in reached or [0]:
                found[one.source, one.text, one.change, number] = one
    return found


def stop(t: Table, does: str, source: Ref, text: str) -> None:
    """Silence a text that does not settle with what it `does`, and record that."""
    t.not_done(does, source, "endless", _HOUSE, text)
    t.modify(source, (source,), Change(TEXTS, "lose", text), STOPPED, _HOUSE, text)


# -- the texts in force ----------------------------------------------------------------------------


def _constants(t: Table, game: Figures) -> bool:
    """Begin and end what constant texts say; whether other texts are silenced now than before."""
    p = t.pos
    wanted: dict[tuple[Ref, Change, Group | None], list[str]] = {}
    for source, change, scope, cite in _texts(p, game):
        wanted.setdefault((source, change, scope), []).append(cite)  # the same twice adds up
    ended, changed = [], False
    for number, modifier in p.modifiers.items():
        if modifier.until == CONSTANT:
            cites = wanted.get((modifier.source, modifier.change, modifier.scope))
            if cites:
                del cites[0]
            else:
                ended.append(number)
                changed |= silences(modifier.change)
    if ended:
        sources = [p.modifiers[number].source for number in ended]
        t.end_modifiers(ended, CONSTANT, *game.lapses_by(p, sources))
    for (source, change, scope), cites in wanted.items():
        targets = () if scope else (source,)
        rules = game.acts_by(p, source)
        for cite in cites:
            t.modify(source, targets, change, CONSTANT, *rules, cite, scope=scope)
            changed |= silences(change)
    return changed


def _texts(p: Position, game: Figures) -> Iterator[tuple[Ref, Change, Group | None, str]]:
    """The modifiers of every constant text in force: source, change, scope, citation.

    Of texts that silence each other the one that came first stays: a text that is silenced by one
    in force does not begin, and of those that come at once the first to be looked at begins. Of one
    that is limited to a moment, which several cards of a player have, the first alone holds.
    """
    silencing = silencers(p)
    alone = list[tuple[int, str]]()
    for number in game.leaning(p):
        for ref, effect in game.effects(p, number):
            if effect.kind != "constant" or effect.on or not works(game, p, number, effect):
                continue
            run = Running(0, ref, effect, number, p.cards[number].controller, 0)
            if silencing and silenced(game, p, number, ref, effect.kind, silencing):
                continue
            alone_of_all = effect.limit == "moment"
            if alone_of_all and any(
                p.cards[other].controller == run.seat
                and game.overlaps(p, (number, ref), (other, its))
                for other, its in alone
            ):
                continue
            if all_hold(game, p, effect.when, run):
                if alone_of_all:
                    alone.append((number, ref))
                for clause in effect.do:
                    if clause.lasts and all_hold(game, p, clause.when, run):
                        run.per = _times(game, p, run, clause)
                        change, scope = clause.change(run), _scope(clause)
                        if silences(change):
                            targets: list[Ref] = [] if scope else [number]
                            began = Modifier(number, targets, change, CONSTANT, scope, run.text)
                            silencing.append(began)
                        yield number, change, scope, run.text


def _times(game: Figures, p: Position, run: Running, clause: Clause) -> Mapping[int, int]:
    """How many times over a clause counts, for the player whose text it is."""
    if clause.per is None:
        return {}
    return {run.seat: counted(game, p, clause.per, run, run.seat)}


def _scope(clause: Clause) -> Group | None:
    return None if clause.to is None or clause.to.zone == "this" else clause.to
