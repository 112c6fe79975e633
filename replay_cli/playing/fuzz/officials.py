"""A random official: rules, notes, corrects, penalises, rewinds, records irregular plays.

Of a match that is over he corrects the result, or takes its end back.
What he does depends only on a random number generator and the state of the match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from domain.effects.constant.calculator import TEXTS
from domain.engine.match import Match
from domain.engine.rulebook import Refused
from domain.engine.signals import NameRequired, RollRequired
from domain.officials import clocks, irregular, results, rewind, rulings, ways
from domain.officials.acts import ACTS
from domain.officials.carrying import Past, carry_out
from domain.officials.corrections import correcting
from domain.officials.corrections.fixes import Fix
from domain.officials.corrections.verbs import VERBS
from domain.officials.frame import Official
from domain.record.decisions import Act
from domain.record.entries import Entry, active
from domain.record.events import DecisionOpened
from domain.record.schema.manifest import Zone
from domain.record.values import EVERYONE, Ref, Value
from domain.text.desk import TYPED, WITH_STORE, meant
from domain.words.fields import Kind, Typed
from replay_cli.playing.fuzz.cards import bare, printed


class RandomOfficial:
    """Does random things to a match and counts their outcomes."""

    def __init__(self, rng: Random, resume: Callable[[list[Entry]], Match]) -> None:
        """`resume` gives the match that a log stands at, where one in memory is of no use."""
        self.rng, self.resume = rng, resume
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    def act(self, match: Match, log: list[Entry], what: str = "") -> Match:
        """Do one thing (any, or `what`); the match to go on with. `log` gets the entries."""
        what = what or self.rng.choice(AFTER_END if match.pos.over else LIVE)
        try:
            match = KINDS[what](self, match, log)
        except irregular.Impossible as impossible:  # the match in memory is thrown away
            self.refused[impossible.refusal.fault] += 1
            match = self.resume(log)
        except (NameRequired, RollRequired):  # at a real table: he does not know the revealed cards
            self.refused["CARD_UNNAMED"] += 1
            match = self.resume(log)
        except Refused as refused:
            self.refused[refused.refusal.fault] += 1
            assert match.collect() == []
        else:
            self.done[what] += 1
            log += match.collect()
        return match

    def by(self, match: Match, *rolls: tuple[int, ...]) -> Official:
        """Somebody who speaks now."""
        return Official("judge", match.pos.time + self.rng.randrange(5000), "because", rolls=rolls)


def places(match: Match, like: Callable[[Zone], bool], seat: int | None = None) -> list[str]:
    """The places with cards of such zones: of a seat, or of any."""
    own = "" if seat is None else f"/{seat}"
    return [
        place for place in match.pos.zones
        if match.pos.zone(place) and place.endswith(own) and like(match.rules.manifest.zone(place))
    ]  # fmt: skip


def deck(zone: Zone) -> bool:
    """Whether it is drawn from: nobody sees its cards, and they are not all the same."""
    return zone.faces == zone.follow == "none" and not zone.alike


def hand(zone: Zone) -> bool:
    """Whether cards are played from it: only its owner sees them."""
    return zone.faces == zone.follow == "owner" and zone.style == "cards"


def pile(zone: Zone) -> bool:
    """Whether it is where cards end up, for all to see."""
    return zone.style == "pile" and not zone.shared


def _words(official: RandomOfficial, match: Match, log: list[Entry]) -> Match:
    """An act that may be recorded at any point of a match, with any fields of its row."""
    rng, real = official.rng, match.pos.heading.mode == "table"
    act = rng.choice([
        one for name, one in ACTS.items()
        if name not in WITH_STORE and not one.goes_back and one.when in ("", "table" * real)
    ])  # fmt: skip
    found = {one.name: _drawn(rng, one, match) for one in TYPED[act.name]}
    requested = meant(act.name, found, match)
    return carry_out(match, official.by(match), requested, Past(log, match.dice))


def _drawn(rng: Random, one: Typed, match: Match) -> Any:
    """Something that may stand in a field; None where it may be left out."""
    named = one.needed or one.field.kind == Kind.PENALTY  # which only an event has a usual one for
    if not named and rng.random() < 0.5:
        return None
    p = match.pos
    match one.field.kind:
        case Kind.TEXT:
            return "so it is"
        case Kind.NAME:
            return "house:concede"
        case Kind.PRINT:
            table = bare(rng.choice([*match.rules.cards.values()]))
            return (printed({**table, "id": f"F-{rng.randrange(9)}", "name": "Found"}),)
        case Kind.RULES:
            return ["house:open"]
        case Kind.PENALTY:
            return rng.choice(["caution", "warning"])
        case Kind.NUMBER if one.name != "evidence":  # of which there is seldom some
            return rng.randint(0, p.decisions if one.name == "decision" else p.seq)
        case Kind.SEAT | Kind.PERSON:
            return rng.randrange(2)
        case Kind.YES:
            return True
    return None


def _pause(official: RandomOfficial, match: Match, log: list[Entry]) -> Match:
    clocks.pause(match, official.by(match))
    clocks.go_on(match, official.by(match))
    return match


def _correct(official: RandomOfficial, match: Match, log: list[Entry]) -> Match:
    rng = official.rng
    fixes = [_fix(rng, match) for _ in range(rng.choice((1, 1, 2)))]
    correcting.correct(match, official.by(match), fixes, "house:concede", rng.randrange(2))
    official.done.update(f"fix {fix.verb}" for fix in fixes)
    return match


def _fix(rng: Random, match: Match) -> Fix:
    p = match.pos
    decks, seat = places(match, deck), rng.randrange(2)
    bots, piles = places(match, hand, seat), places(match, pile, seat)
    field = [n for n, card in p.cards.items() if card.orient and card.up]
    damage = next(word.name for word in match.rules.manifest.counters)

    def top() -> Fix:
        src = rng.choice(decks)
        (kept,) = [zone.name for zone in match.rules.manifest.zones if hand(zone)][:1]
        return Fix("draw", src=src, n=1, place=f"{kept}/{src[-1]}")

    def turn() -> Fix:
        number = rng.choice(field)
        lies = match.rules.manifest.zone(p.cards[number].place).orients
        return Fix("turn", (number,), orient=rng.choice(lies))

    def order() -> Fix:
        place = rng.choice(piles)
        return Fix("order", tuple(rng.sample(p.zone(place), len(p.zone(place)))), place=place)

    kinds: list[Callable[[], Fix]] = [
        top,
        turn,
        lambda: Fix("move", (rng.choice(p.zone(rng.choice(bots))),), place=rng.choice(piles)),
        lambda: Fix("move", (rng.choice(p.zone(rng.choice(piles))),), place=rng.choice(bots)),
        lambda: Fix("counters", kind=damage, n=1, dst=rng.choice(field)),
        order,
        *[lambda: _any(rng, match)] * 2,
        *[lambda: _lasting(rng, match, field)] * 3,
        *[lambda: _tie(rng, match, field)] * 3,
        *[lambda: _waiting(rng, match, field)] * 3,
    ]  # fmt: skip
    try:
        return rng.choice(kinds)()
    except IndexError:
        return Fix("shuffle", place=decks[0] if decks else "nowhere")


#: Something that may stand in a field that a verb needs, whatever the verb.
_DRAWN: Mapping[str, Callable[[Random, Match], Any]] = {
    "cards": lambda rng, match: (rng.choice([*match.pos.cards]),),
    "names": lambda rng, match: (rng.choice([*match.rules.cards]),),
    "place": lambda rng, match: rng.choice([*match.rules.manifest.places()]),
    "src": lambda rng, match: rng.choice([*match.rules.manifest.places()]),
    "n": lambda rng, match: rng.randint(1, 3),
    "kind": lambda rng, match: rng.choice(
        [word for some in ("counters", "marks") for word in match.rules.manifest.words(some)]
    ),
    "subject": lambda rng, match: rng.choice(["seat/0", "seat/1", *match.pos.cards]),
    "seat": lambda rng, match: rng.randrange(2),
    "until": lambda rng, match: rng.choice([*match.rules.manifest.words("durations")]),
    "effect": lambda rng, match: rng.choice(
        [f"{id_}/{text.name}" for id_, card in match.rules.cards.items() for text in card.effects]
    ),
    "ids": lambda rng, match: (rng.choice([*match.pos.modifiers, *match.pos.pending]),),
}
if undrawn := {field for row in VERBS.values() for field in row.needs} - _DRAWN.keys():
    raise TypeError(f"nothing makes up what a fix needs in {sorted(undrawn)}")


def _any(rng: Random, match: Match) -> Fix:
    """Any verb with no more than it needs, sensible or not; the lists stay whole (`invariants`)."""
    verb = rng.choice([verb for verb in VERBS if verb not in ("remove", "make")])
    return Fix(verb, **{field: _DRAWN[field](rng, match) for field in VERBS[verb].needs})


def _lasting(rng: Random, match: Match, field: list[int]) -> Fix:
    """A change of any kind, of a card or of all that lies somewhere; or the end of one."""
    p, manifest = match.pos, match.rules.manifest
    if p.modifiers and rng.random() < 0.2:
        return Fix("end", ids=(rng.choice([*p.modifiers]),))
    stats, until = [word.name for word in manifest.stats], "turn"
    op = rng.choice(("add", "set", "multiply", "swap", "lose", "forbid", "allow"))
    card = rng.choice(field)
    place = p.cards[card].place
    on: dict[str, Any] = {"place": place} if rng.random() < 0.2 else {"cards": (card,)}
    if op in ("forbid", "allow"):
        return Fix("modify", kind=rng.choice(sorted(match.rules.barrable)), op=op, **on)
    figures = [key for key, now in p.cards[card].stats.items() if type(now) is int] or stats
    key = rng.choice(figures)
    values: dict[str, Value] = {
        "multiply": rng.choice((2, 0, "1/2")), "swap": rng.choice(stats), "lose": True,
    }  # fmt: skip
    if op == "lose" and rng.random() < 0.5:
        return Fix("modify", kind=TEXTS, op=op, until=until, **on)
    layer = rng.choice(("", "", "original", "late", "last"))
    value = values.get(op, rng.choice((-2, -1, 0, 1, 3)))
    return Fix("modify", kind=key, op=f"{layer} {op}".strip(), value=value, until=until, **on)


def _tie(rng: Random, match: Match, field: list[int]) -> Fix:
    """A fix that ties a card to another one, to a place it goes to, to an identity."""
    p, manifest = match.pos, match.rules.manifest
    card, other = rng.choice(field), rng.choice(field)
    role = rng.choice([word.name for word in manifest.roles])
    down = [n for n, one in p.cards.items() if not one.up and one.follow == EVERYONE]
    away = f"{next(zone.name for zone in manifest.zones if pile(zone))}/{p.cards[card].owner}"
    reason = rng.choice([word.name for word in manifest.reasons])
    kinds: list[Callable[[], Fix]] = [
        lambda: Fix("link", (card,), host=other, role=role),
        lambda: Fix("link", (rng.choice([*p.links]),)),
        lambda: Fix("attach", (card,), host=other, role=role),
        lambda: Fix("control", (card,), seat=rng.randrange(2)),
        lambda: Fix("depart", (card,), kind=reason, place=away, subject=other),
        lambda: Fix("define", (rng.choice(down),), figures={"type": "character", "power": 2}),
    ]
    return rng.choice(kinds)()


def _waiting(rng: Random, match: Match, field: list[int]) -> Fix:
    """The effects that wait, or are to come; the target of an attack."""
    p, cards = match.pos, match.rules.known(match.pos.heading.prints)
    card, due = rng.choice(field), sorted(match.rules.schedules) or ["turn"]
    of_card = getattr(cards.get(p.cards[card].id), "effects", ())
    texts = [f"{p.cards[card].id}/{text.name}" for text in of_card if text.kind == "triggered"]
    target: Ref = rng.choice(["seat/0", "seat/1"]) if rng.random() < 0.5 else card
    kinds: list[Callable[[], Fix]] = [
        lambda: Fix("trigger", (card,), effect=rng.choice(texts)),
        lambda: Fix("schedule", (card,), effect=rng.choice(texts), seat=0, until=rng.choice(due)),
        lambda: Fix("void", ids=(rng.choice([*p.pending, *p.scheduled]),)),
        lambda: Fix("retarget", subject=target),
    ]
    return rng.choice(kinds)()


def _play_anyway(official: RandomOfficial, match: Match, log: list[Entry]) -> Match:
    decision, rng = match.pos.decision, official.rng
    assert decision is not None
    seat = rng.choice([*decision.seats, rng.randrange(2)])
    kind = rng.choice(sorted(irregular.kinds(match, decision)))
    held = [n for place in places(match, hand, seat) for n in match.pos.zone(place)]
    field = [n for n, card in match.pos.cards.items() if card.controller == seat and card.up]
    card = rng.choice([0, *held, *field])
    offer = decision.offers.get(seat)
    pools = [*(offer.pools if offer is not None else ()), tuple(match.pos.cards), ("seat/0", 0)]
    picked = (rng.choice(pools) for _ in range(rng.randint(0, 2)))
    picks = tuple(tuple(rng.sample(pool, min(rng.randint(0, 2), len(pool)))) for pool in picked)
    irregular.play(match, official.by(match), decision.n, seat, Act(kind, card, picks or ((),)))
    return match


def _rewind(official: RandomOfficial, match: Match, log: list[Entry]) -> Match:
    opened = (e.event for e in active(log) if isinstance(e.event, DecisionOpened))
    n = official.rng.choice([event.n for event in opened][-12:])
    way = official.rng.choice(ways.WAYS)
    back = rewind.rewind(match.rules, log, n, official.by(match), match.dice, way)
    official.done[way] += 1
    return back


def _lose(official: RandomOfficial, match: Match, log: list[Entry]) -> Match:
    if official.rng.random() < 0.2:
        kind, p = official.rng.choice(["game-loss", "match-loss"]), match.pos
        seat = official.rng.randrange(2)
        last = kind == "match-loss" or p.score[1 - seat] + 1 > p.heading.best_of // 2
        real = p.heading.mode == "table" and not last and p.game < p.heading.best_of
        real = real and not p.over
        by = official.by(match, (official.rng.randrange(2),)) if real else official.by(match)
        rulings.penalise(match, by, seat, kind)
    return match


def _result(official: RandomOfficial, match: Match, log: list[Entry]) -> Match:
    """Correct the result, to another one or at random; a penalty may supersede it as well."""
    rng, by, p = official.rng, official.by(match), match.pos
    if rng.random() < 0.3:
        kind = rng.choice(["game-loss", "match-loss", "disqualification"])
        rulings.penalise(match, by, rng.randrange(2), kind, "seen later")
    elif rng.random() < 0.8:
        other = rng.choice([seat for seat in (-1, 0, 1) if seat != p.winner])
        results.correct_result(match, by, other, p.score, "mixed up")
    else:
        score = rng.randint(-1, 3), rng.randint(0, 2)
        results.correct_result(match, by, rng.randint(-2, 2), score, "mixed up")
    return match


KINDS: dict[str, Callable[[RandomOfficial, Match, list[Entry]], Match]] = {
    "words": _words,
    "pause": _pause,
    "correct": _correct,
    "irregular": _play_anyway,
    "rewind": _rewind,
    "lose": _lose,
    "result": _result,
}
#: What he does to a live match; to one that is over, and tries though it makes no sense then.
LIVE = [kind for kind in KINDS if kind != "result"]
AFTER_END = ("words", "words", "result", "result", "rewind", "rewind", "pause", "correct")
