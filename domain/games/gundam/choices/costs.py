"""What is to be done before the colon of an effect, beside paying with Resources (10-1-7-2).

The same goes for the ways to play a card that cost something. A kind of cost is an instruction that
is done to cards (`WAYS`): those that are picked with the act, or the card of the text itself. No
act is offered of which not all can be done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy

from domain.effects.instructions import cards
from domain.effects.language.vocabulary import Clause, Cost, Group
from domain.effects.select import Running, Texts, members
from domain.engine.rulebook import Refusal
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.effects.texts import TERMS, rest
from domain.games.kit.choices.legality import refuse
from domain.games.kit.choices.rows import Asking
from domain.record.decisions import Part
from domain.record.values import Ref

RULE = "gcg:9-1-7-2"
#: What is done to the cards that are given for each kind of cost.
WAYS: Mapping[str, Clause] = {
    "rest": cards.Rest(),
    "discard": cards.Move(place="trash"),
    "exile": cards.Move(place="removal"),
    "destroy": cards.Destroy(),
    "return": cards.Move(place="hand"),
    "bottom": cards.Move(place="deck", at="bottom"),
}
#: Of which cards a cost is, where it does not say.
USUAL: Mapping[str, Group] = {"discard": Group("hand", "yours")}
#: The rules of the instructions, as they are done for a cost.
_AS_COST = copy(TERMS)
_AS_COST.words = {
    word: tuple(RULE if rule == "gcg:9-3-1-4" else rule for rule in rules)
    for word, rules in TERMS.words.items()
}


def _given(run: Running) -> Iterator[Cost]:
    """The costs that are done to cards."""
    return (cost for cost in run.effect.cost if cost.do in WAYS)


def _of(cost: Cost) -> Group | None:
    return cost.of if cost.of is not None else USUAL.get(cost.do)


def _able(t: Table, run: Running, cost: Cost, number: int) -> bool:
    clause = WAYS[cost.do]
    able = TERMS.permits(t.pos, run, clause, number) and not TERMS.unaffected(
        t.pos, number, run.this, clause.do
    )
    return able and not clause.done_already(t, TERMS, number)


def _pool(t: Table, run: Running, cost: Cost) -> tuple[int, ...]:
    """The cards that may be given; not the one that is played or given itself."""
    group, p = _of(cost), t.pos
    assert group is not None
    itself = run.effect.kind == "play" or any(
        one.do != "pay" and _of(one) is None for one in run.effect.cost
    )
    return tuple(
        n
        for n in members(TERMS, p, group, run, guess=True)
        if not (itself and n == run.this) and _able(t, run, cost, n)
    )


def parts(asking: Asking, run: Running) -> Iterator[Part]:
    """The picks for the costs of a text, in their order, as parts of an option."""
    for cost in _given(run):
        if _of(cost) is not None:
            yield asking.part(cost.do, _pool(asking.t, run, cost), cost.n)


def lacking(t: Table, run: Running) -> Refusal | None:
    """The first of the costs that can't be met; None if all can."""
    for cost in _given(run):
        if _of(cost) is not None:
            if len(_pool(t, run, cost)) < cost.n:
                return refuse("there are too few cards to do what comes first", RULE, run.text)
        elif cost.do == "rest" and t.pos.cards[run.this].orient != "active":
            return refuse("it is rested already", "gcg:1-3-2-1", RULE)
        elif not _able(t, run, cost, run.this):
            return refuse("what comes first can't be done with it", RULE, run.text)
    return None


def meet(t: Table, run: Running, cost: Cost, picks: Iterator[Sequence[Ref]]) -> Play:
    """Do one of them, with the first of the `picks` that are left if it asks for some.

    To rest its own card is done as it stands; what another text lets be done instead of anything
    else counts (10-1-9-1).
    """
    if _of(cost) is None and cost.do == "rest":
        rest(t, [run.this], RULE, run.text)
        return
    numbers = run.itself(t.pos)
    if _of(cost) is not None:
        picked = next(picks, ())
        run.it = numbers = [n for n in picked if isinstance(n, int) and t.pos.present(n)]
    texts: Texts = t.game.texts
    clause = WAYS[cost.do]
    yield from texts.instructions[clause.do](clause, t, _AS_COST, run, numbers)
    yield from TERMS.settle(t)
