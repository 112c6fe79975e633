"""Nobody learns from an answer what he may not know: not from refusals, nor from what stands open.

The twins of `twins` are asked the same questions: every act that a seat can think of, about every
number there is, at some decision that looks the same to it in both. Every answer must be the same,
word for word. Leaks are planted one by one, and the questions have to find them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.effects import declared
from domain.engine.match import Match, Refused, Stale
from domain.engine.rulebook import Refusal
from domain.engine.signals import NameRequired
from domain.engine.table import Table
from domain.games import names, rulebook
from domain.games.kit.choices import acts, legality
from domain.record.decisions import Act
from domain.record.position import Position
from domain.record.values import Ref
from tests.playouts import Setup, cuts, play, resume
from tests.properties.secrecy.twins import Case, noticed, twins
from tests.properties.strategies import examples, seeds, setups
from tests.support.marks import each

#: Acts that nobody offers, but that people try.
TRIED = ("unpair", "swap", "trigger", "look", "take", "peek")
#: A question and its answer.
Answered = tuple[str, Any]


def answers_about(match: Match, seat: int, rng: Random) -> Iterator[Answered]:
    """A match's answers to a seat: to every act about some numbers, to some acts about all."""
    p, rules = match.pos, match.rules
    kinds = [word.name for word in rules.manifest.acts] + list(TRIED)
    refs: list[Ref] = [*range(1, p.next_card + 2), *rules.manifest.places(), "seat/0", "seat/1"]
    yield "open_acts", rules.open_acts(p, seat)
    asked = [Act(kind, ref) for kind in kinds for ref in rng.sample(refs, 12)]
    asked += [Act(kind, ref) for kind in rng.sample(kinds, 4) for ref in refs]
    asked += [Act(a.kind, rng.choice(refs), ((a.card,),)) for a in rng.sample(asked, 60)]
    for act in asked:
        yield f"why not {act}", _answer(lambda act=act: match.why_not(seat, act))
    n = p.decision.n if p.decision is not None else 0
    for act in rng.sample(asked, 80):
        if match.why_not(seat, act) is not None:
            yield f"do {act}", _answer(lambda act=act: match.choose(seat, n, act, p.time))


def _answer(question: Callable[[], Any]) -> Any:
    try:
        return question()
    except Refused as refused:
        return refused.refusal
    except (Stale, NameRequired) as error:
        return str(error)


def distinguished(case: Case) -> tuple[Answered, Answered] | None:
    """The first answers by which a seat can tell two matches apart; None if there are none."""
    setup, log, twin, seat, seed = case
    at = [cut for cut in cuts(log) if cut <= twin.same and cut <= len(twin.log)]
    if not at:
        return None
    cut = Random(seed).choice(at)
    answers = [
        answers_about(resume(setup, one[:cut]), seat, Random(seed)) for one in (log, twin.log)
    ]
    return next((pair for pair in zip(*answers, strict=True) if pair[0] != pair[1]), None)


@examples(9)
@given(setups(), st.sampled_from([0, 1]), seeds)
def test_no_answer_tells_hidden_cards_apart(setup: Setup, seat: int, seed: int) -> None:
    log = play(setup)
    for twin in twins(setup, log, seat, seed):
        assert distinguished(Case(setup, log, twin, seat, seed)) is None


# -- planted leaks ---------------------------------------------------------------------------------

Plant = Callable[[pytest.MonkeyPatch], None]


def _leaky(patch: pytest.MonkeyPatch, answer: Callable[[Table, int, Act], Refusal | None]) -> None:
    """Let a judge say something first."""
    forbidden = acts.Acts.forbidden

    def leaky(self: acts.Acts, t: Table, seat: int, act: Act) -> Refusal | None:
        return answer(t, seat, act) or forbidden(self, t, seat, act)

    patch.setattr(acts.Acts, "forbidden", leaky)


def _unredacted(patch: pytest.MonkeyPatch, answer: Callable[[Table, int, Act], str | None]) -> None:
    """Judge acts by the real identities of the cards that they name, for any asker."""

    def objection(t: Table, seat: int, act: Act) -> Refusal | None:
        text = answer(t, seat, act)
        return legality.refuse(text, "rule") if text else None

    patch.setattr(acts, "seen_by", lambda t, seat, act: (t, act))
    _leaky(patch, objection)


def what_it_is(patch: pytest.MonkeyPatch) -> None:
    """A card that the seat can follow and not see is described by its identity."""

    def answer(t: Table, seat: int, act: Act) -> str | None:
        card = t.pos.cards.get(act.card) if isinstance(act.card, int) else None
        hidden = card is not None and card.place.startswith("shield")
        return f"not with {card.id}" if hidden and card is not None else None

    _unredacted(patch, answer)


def where_it_is(patch: pytest.MonkeyPatch) -> None:
    """A number that the seat can't follow is described by its place."""

    def answer(t: Table, seat: int, act: Act) -> str | None:
        theirs = t.pos.zone("hand", 1 - seat)
        return "it is in the rival's hand" if act.card in theirs else None

    _unredacted(patch, answer)


def a_rule(patch: pytest.MonkeyPatch) -> None:
    """The rule that is cited depends on the rival's hand."""

    def answer(t: Table, seat: int, act: Act) -> Refusal | None:
        theirs = t.pos.zone("hand", 1 - seat)
        ids = {t.pos.cards[n].id for n in theirs}
        return legality.refuse("no", f"rule:{len(ids)}") if act.kind == "attack" else None

    _leaky(patch, answer)


def a_sentence(patch: pytest.MonkeyPatch) -> None:
    """The sentence names what lies on top of the deck."""

    def answer(t: Table, seat: int, act: Act) -> Refusal | None:
        deck = t.pos.zone("deck", seat) or t.pos.zone("main", seat)
        top = t.pos.cards[deck[-1]].id if deck else ""
        return legality.refuse(f"not with {top} on top", "rule") if act.kind == "attack" else None

    _leaky(patch, answer)


def what_stands_open(patch: pytest.MonkeyPatch) -> None:
    """An act stands open only while the rival holds two of a kind."""
    open_acts = declared.open_acts

    def leaky(p: Position, seat: int, *rest: Any) -> list[Act]:
        theirs = [p.cards[n].id for n in p.zone("hand", 1 - seat)]
        return [
            *open_acts(p, seat, *rest),
            *([Act("declare")] if len(set(theirs)) < len(theirs) else []),
        ]

    patch.setattr(declared, "open_acts", leaky)


LEAKS: dict[str, Plant] = {
    "what a face-down card is": what_it_is,
    "where a hidden card is": where_it_is,
    "a rule": a_rule,
    "a sentence": a_sentence,
    "an open act": what_stands_open,
}


@pytest.mark.parametrize("leak", each(8, LEAKS))
def test_a_planted_oracle_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[leak](monkeypatch)
    assert noticed(distinguished, (0, 1))


# -- the oracle that there was ---------------------------------------------------------------------


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize(
    "kind", each(6, ["activate", "play", "deploy", "command", "attack", "defend"])
)
def test_face_down_cards_of_ones_own_all_get_the_same_answer(game: str, kind: str) -> None:
    rules = rulebook(game)
    decks = tuple(rules.decks)[:2]
    setup = Setup(4, (decks[0], decks[1]))
    log = play(setup)
    for cut in cuts(log)[10:60:7]:
        match = resume(setup, log[:cut])
        p = match.pos
        for place in ("deck", "main", "shield", "energy"):
            for seat in (0, 1):
                hidden = [n for n in p.zone(place, seat) if not p.cards[n].seen & 1 << seat]
                answers = {repr(match.why_not(seat, Act(kind, n))) for n in hidden}
                assert len(answers) <= 1, (place, answers)
