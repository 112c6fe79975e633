"""Nonsense in the words of the real games: a refusal with a rule, never an unforeseen error."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from domain.games import names
from domain.record.decisions import Act
from domain.record.schema.manifest import Manifest
from domain.record.values import Ref
from service.client.client import CallError, Client
from tests.support.marks import each

REFUSALS = {"FAILED_PRECONDITION", "INVALID_ARGUMENT", "ABORTED"}
WORDS: list[Ref] = [0, -1, 1, 2**31 - 1, "seat/0", "seat/9", "", "match", "🂡"]


def refusal(call: Callable[..., object], *args: object) -> CallError | None:
    try:
        call(*args)
    except CallError as error:
        return error
    return None


def nonsense(rng: Random, manifest: Manifest) -> Act:
    """An act in the words of the game that hardly ever means anything."""
    refs = [*WORDS, rng.randrange(200), *rng.sample(list(manifest.places()), 4)]
    picks = tuple(tuple(rng.choices(refs, k=rng.randrange(4))) for _ in range(rng.randrange(4)))
    kind = rng.choice([*(word.name for word in manifest.acts), "", "concede!", "x" * 80])
    return Act(kind, rng.choice(refs), picks, rng.choice(["", "", "0", "x"]))


@pytest.mark.parametrize("game", each(2, names()))
def test_nonsense_is_refused_by_rule(organiser: Client, game: str) -> None:
    rng = Random(game)
    decks = list(organiser.decks(game))
    opened = organiser.open_match(game, ["A", "B"], [decks[0], decks[-1]], seed=3)
    seats = [organiser.with_token(token) for token in opened.seats]
    manifest = organiser.manifest(game)
    for _ in range(15):
        decision = seats[0].position(opened.id).decision
        if decision is None:
            break
        for _ in range(8):
            seat, act = rng.choice(seats), nonsense(rng, manifest)
            n = decision.n + rng.choice([0, 0, 0, 1, -1])
            found = [refusal(seat.why_not, opened.id, act)]
            found.append(refusal(seat.choose, opened.id, n, act))
            if act.kind != "concede":
                found.append(refusal(seat.interject, opened.id, act))
            seen = [(error.code, error.text) for error in found if error is not None]
            assert {code for code, _ in seen} <= REFUSALS, (act, seen)
            for error in found:
                if error is not None and error.code == "FAILED_PRECONDITION":
                    assert error.rules, (act, error)
        decision = seats[0].position(opened.id).decision
        if decision is None:
            break
        chooser = seats[decision.seats[0]]
        position = chooser.position(opened.id).decision
        assert position is not None
        offer = position.offers[position.seats[0]]
        assert offer is not None
        chooser.choose(opened.id, position.n, rng.choice(offer.options).act())
    assert organiser.verify(opened.id).verdict == 1
