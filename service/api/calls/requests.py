"""Convert gRPC requests to domain values; enforce size limits.

A bad field is named with what is wrong with it (`errors.malformed`). Whether the values make sense
is for the domain to say.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from kifu.v1 import match_service_pb2 as pb
from kifu.v1.values_pb2 import Fact
from msgspec.structs import replace

from domain.engine import timekeeping
from domain.engine.match import Deck, Opening
from domain.engine.opening import terms
from domain.engine.passes.autopass import STEPS as MOST_STEPS
from domain.engine.passes.autopass import AutoPass
from domain.engine.passes.switches import ABLE, MARKED, Switch
from domain.engine.rulebook import SEEDED, Rulebook
from domain.record.decisions import Act
from domain.record.events import MatchOpened
from domain.record.proof import draws
from domain.record.schema.policy import Policy
from domain.record.values import Value
from domain.text import decklists
from domain.words.phrases import message_of, phrase
from service import wire
from service.api.calls import tickets
from service.api.calls.errors import malformed
from service.api.calls.tickets import Ticket
from service.api.reading import LABELS
from service.store import delay

#: How much of anything a request may bring.
NAME, CARDS, PICKS, TEXT = 80, 400, 400, 8000
#: When a seat is asked, as messages number it; the first two: always.
ASKS = ("", "", ABLE, MARKED)


def ticket_of(request: Any) -> Ticket:
    """The ticket of a request, by which a repeat finds the first answer."""
    return tickets.of(request, short(request.request_id, "request_id", 64))


def short(text: str, field: str, most: int = NAME) -> str:
    """A name or a label, which must be short and printable."""
    if len(text) > most:
        raise malformed(field, phrase("must be at most {most} characters", most=most))
    if not text.isprintable():
        raise malformed(field, "must be printable")
    return text


def few(request: Any, field: str, most: int) -> None:
    """Make sure that a field has no more than so many of what it has."""
    if len(getattr(request, field)) > most:
        raise malformed(field, phrase("must be at most {most}", most=most))


def act_of(request: Any) -> Act:
    """The act of a request; how many picks and letters it has is all that is looked at."""
    if not request.HasField("act") or not request.act.kind:
        raise malformed("act", "is missing")
    message = request.act
    if len(message.picks) > LABELS or sum(len(part.refs) for part in message.picks) > PICKS:
        raise malformed(
            "act",
            phrase("must be at most {picks} picks in {labels} parts", picks=PICKS, labels=LABELS),
        )
    act = wire.act_of(message)
    for word in (act.kind, act.effect, str(act.card)):
        short(word, "act")
    if any(len(ref) > TEXT for part in act.picks for ref in part if isinstance(ref, str)):
        raise malformed(
            "act", phrase("must have no text of more than {text} characters", text=TEXT)
        )
    assert isinstance(act, Act)
    return act


def auto_pass_of(request: Any) -> AutoPass:
    """The auto-pass of a request; whether there are such steps is for the domain to say."""
    if not request.HasField("auto_pass"):
        raise malformed("auto_pass", "is missing")
    message = request.auto_pass
    if len(message.steps) > MOST_STEPS:
        raise malformed("auto_pass", phrase("must name at most {most} steps", most=MOST_STEPS))
    steps = tuple(short(step, "auto_pass") for step in message.steps)
    return AutoPass(message.until_turn_ends, message.until_rival_acts, steps)


def switch_of(request: Any) -> Switch | None:
    """The switch of a request, with a secret of its own; None: the seat is asked always."""
    message = request.pass_switch
    if len(message.marked) > MOST_STEPS or not 0 <= message.asks < len(ASKS):
        raise malformed("pass_switch", phrase("must name at most {most} steps", most=MOST_STEPS))
    if not ASKS[message.asks]:
        return None
    marked = tuple(short(kind, "pass_switch") for kind in message.marked)
    return Switch(ASKS[message.asks], marked, secrets.randbits(63))


# -- opening a match -------------------------------------------------------------------------------


def opening_of(request: pb.OpenMatchRequest, rules: Rulebook, now: int) -> Opening:
    """The terms for opening a match, at this time."""
    if len(request.labels) > LABELS or len(request.options) > LABELS:
        raise malformed("labels", phrase("and options must be at most {labels}", labels=LABELS))
    if len(request.rolls) > LABELS:
        raise malformed("rolls", phrase("must be at most {labels}", labels=LABELS))
    if any(not label.name for label in request.labels):
        raise malformed("labels", "need a name each")
    seeded, mode = request.HasField("seed"), short(request.mode, "mode") or "dealer"
    chance = _chance(request, mode)
    return Opening(
        seats=tuple(short(name, "seats") for name in request.seats),
        decks=tuple(deck_of(choice, rules) for choice in request.decks),
        at=now,
        best_of=request.best_of or 1,
        mode=mode,
        labels={
            short(label.name, "labels"): short(label.value, "labels") for label in request.labels
        },
        options=options_of(request.options) | ({SEEDED: True} if seeded else {}),
        ticket=str(ticket_of(request)),
        policy=policy_of(request.policy, rules) if request.HasField("policy") else Policy(),
        prints=prints(request),
        rolls=tuple(tuple(roll.outcome[:CARDS]) for roll in request.rolls),
        chance=chance,
        waits=terms.OFFICIAL if request.wait else terms.SEEDS if chance == draws.SHARED else "",
    )


def _chance(request: pb.OpenMatchRequest, mode: str) -> str:
    """Where chance is to come from."""
    asked = short(request.chance, "chance")
    if request.HasField("seed") or mode == "table":
        only = draws.TABLE if mode == "table" else draws.SEED
        if asked not in ("", only):
            raise malformed("chance", phrase("can only come from {only} here", only=only))
        return only
    if asked not in ("", draws.SYSTEM, draws.SHARED):
        raise malformed("chance", phrase("must be system or shared"))
    return asked or draws.SYSTEM


def imported(opened: MatchOpened) -> None:
    """Make sure that a transcript files its match under no more than a request could."""
    if len(opened.labels) > LABELS or len(opened.options) > LABELS:
        raise malformed(
            "transcript", phrase("must have at most {labels} labels and options", labels=LABELS)
        )
    try:
        delay.parse(opened.policy.delay)
    except delay.BadDelay as error:
        raise malformed(
            "transcript", phrase("has a policy that can't be: {error}", error=message_of(error))
        ) from None
    options = (value for value in opened.options.values() if isinstance(value, str))
    for word in (*opened.seats, *opened.labels, *opened.labels.values(), *opened.options, *options):
        short(word, "transcript")


def options_of(facts: Iterable[Fact]) -> dict[str, Value]:
    """The given options."""
    options: dict[str, Value] = {}
    for fact in facts:
        kind = fact.value.WhichOneof("kind")
        if not fact.key or kind in (None, "numbers"):
            raise malformed("options", "need a name and a value each")
        value = getattr(fact.value, kind)
        options[short(fact.key, "options")] = (
            short(value, "options") if isinstance(value, str) else value
        )
    return options


def policy_of(message: Any, rules: Rulebook, field: str = "policy") -> Policy:
    """The settings of an event, if a game knows them; raises `Fault` about the field."""
    policy: Policy = wire.policy_of(message)
    policy = replace(policy, replay_evidence=policy.replay_evidence or "none")
    playable(policy, rules, field)
    try:
        delay.parse(policy.delay)
    except delay.BadDelay as error:
        raise malformed(field, phrase("delay: {error}", error=message_of(error))) from None
    return policy


def playable(policy: Policy, rules: Rulebook, field: str) -> None:
    """Make sure that a policy fits a game; raises `Fault` about the field."""
    for fault in timekeeping.faults(policy, rules.manifest):
        raise malformed(field, fault)


def prints(request: Any) -> tuple[str, ...]:
    """The cards that a request brings to a match; raises `Fault` for too many."""
    if len(request.prints) > CARDS or any(len(text) > TEXT for text in request.prints):
        raise malformed(
            "prints",
            phrase(
                "must be at most {cards} cards of {text} characters each", cards=CARDS, text=TEXT
            ),
        )
    return tuple(request.prints)


def lists_of(choices: Sequence[pb.DeckChoice], rules: Rulebook) -> dict[int, Deck]:
    """The given decks, by seat; one without a name and parts is left out."""
    given = ((seat, one) for seat, one in enumerate(choices[:LABELS]) if one.name or one.parts)
    return {seat: deck_of(one, rules) for seat, one in given}


def deck_of(choice: pb.DeckChoice, rules: Rulebook) -> Deck:
    """A given deck: a ready-made one, or a list."""
    name = short(choice.name, "decks")
    if not choice.parts:
        if name not in rules.decks:
            known = ", ".join(rules.decks)
            raise malformed(
                "decks",
                phrase(
                    "there is no ready-made deck {name!r}; there are: {known}",
                    name=name,
                    known=known,
                ),
            )
        return Deck(name, rules.decks[name])
    if len(choice.parts) > LABELS or sum(len(part.cards) for part in choice.parts) > CARDS:
        raise malformed(
            "decks",
            phrase("must be at most {cards} cards in {labels} parts", cards=CARDS, labels=LABELS),
        )
    parts: dict[str, list[str]] = {}
    for part in choice.parts:
        if part.part in parts:
            raise malformed("decks", phrase("part {part!r} is there twice", part=part.part))
        parts[short(part.part, "decks")] = listed(part.cards)
    if sum(map(len, parts.values())) > CARDS:
        raise malformed(
            "decks",
            phrase("must be at most {cards} cards in {labels} parts", cards=CARDS, labels=LABELS),
        )
    return Deck(name, parts)


def listed(rows: Sequence[str]) -> list[str]:
    """The cards of a part of a list; those of a row too many are enough to refuse it."""
    try:
        return list(islice(decklists.cards(short(row, "decks") for row in rows), CARDS + 1))
    except ValueError as error:
        raise malformed("decks", message_of(error)) from None
