"""A random official: what the property tests have done to random matches.

Everything is a function of a random number generator and of where the match stands. `act` does one
thing, or is refused; `spoil` asks for something that must be refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from domain.decisions import Act
from domain.events import DecisionOpened, Entry
from domain.fold import active
from domain.match import Match, Stale
from domain.officials import corrections, desk, irregular, rewind
from domain.officials.corrections import Fix
from domain.officials.frame import Official
from domain.rulebook import Refused
from domain.table import Unnamed
from tests.playouts import Setup, resume

#: Zones that a hand is filled from, in either game.
DECKS = ("deck", "main")


class Judge:
    """Does random things to a match and counts what came of them."""

    def __init__(self, setup: Setup, rng: Random) -> None:
        self.setup, self.rng = setup, rng
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    def act(self, match: Match, log: list[Entry]) -> Match:
        """Do one thing; the match to go on with. `log` gets the entries."""
        what = self.rng.choice(list(DEEDS))
        try:
            match = DEEDS[what](self, match, log)
        except irregular.Impossible as impossible:  # the match in memory is thrown away
            self.refused[impossible.refusal.fault] += 1
            match = resume(self.setup, log)
        except Unnamed:  # at a real table: nobody told him which card it is
            self.refused["CARD_UNNAMED"] += 1
            match = resume(self.setup, log)
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

    def decks(self, match: Match) -> list[str]:
        """The decks that cards are drawn from."""
        return [
            place for zone in DECKS for seat in (0, 1)
            if match.pos.zones.get(place := f"{zone}/{seat}")
        ]  # fmt: skip


def _words(judge: Judge, match: Match, log: list[Entry]) -> Match:
    by, rng = judge.by(match), judge.rng
    if rng.random() < 0.3:
        desk.rule(match, by, "so it is", ("house:open",), about=rng.randint(0, len(log)))
    elif rng.random() < 0.5:
        desk.note(match, by, "hm", public=rng.random() < 0.5)
    elif rng.random() < 0.5:
        irregular.flag(match, by, "house:concede", "spoke out of turn", rng.randrange(2))
    else:
        desk.penalise(match, by, rng.randrange(2), rng.choice(["caution", "warning"]))
    return match


def _pause(judge: Judge, match: Match, log: list[Entry]) -> Match:
    desk.pause(match, judge.by(match))
    desk.go_on(match, judge.by(match))
    return match


def _correct(judge: Judge, match: Match, log: list[Entry]) -> Match:
    rng, decks = judge.rng, judge.decks(match)
    fixes = [_fix(rng, match, decks) for _ in range(rng.randint(1, 3))]
    corrections.correct(match, judge.by(match), fixes, "house:concede", rng.randrange(2))
    return match


def _fix(rng: Random, match: Match, decks: list[str]) -> Fix:
    p = match.pos
    seat = rng.randrange(2)
    hand, trash = p.zone("hand", seat), p.zone("trash", seat)
    field = [n for n, card in p.cards.items() if card.orient in ("active", "rested", "asleep")]
    kinds: list[Callable[[], Fix]] = [
        lambda: Fix("draw", src=(src := rng.choice(decks)), n=1, place=f"hand/{src[-1]}"),
        lambda: Fix("shuffle", place=rng.choice(decks)),
        lambda: Fix("move", (rng.choice(hand),), place=f"trash/{seat}"),
        lambda: Fix("move", (rng.choice(trash),), place=f"hand/{seat}"),
        lambda: Fix("show", (rng.choice(hand),)),
        lambda: Fix("turn", (rng.choice(field),), orient="active"),
        lambda: Fix("counters", kind="damage", n=1, dst=rng.choice(field)),
        lambda: Fix("order", tuple(rng.sample(trash, len(trash))), place=f"trash/{seat}"),
    ]
    try:
        return rng.choice(kinds)()
    except IndexError:
        return Fix("shuffle", place=rng.choice(decks))


def _play_anyway(judge: Judge, match: Match, log: list[Entry]) -> Match:
    decision, rng = match.pos.decision, judge.rng
    assert decision is not None
    seat = rng.choice([*decision.seats, rng.randrange(2)])
    kind = rng.choice(sorted(irregular.kinds(match, decision)))
    hand = match.pos.zone("hand", seat)
    field = [n for n, card in match.pos.cards.items() if card.controller == seat and card.up]
    card = rng.choice([0, *hand, *field])
    offer = decision.offers.get(seat)
    pools = [*(offer.pools if offer is not None else ()), tuple(match.pos.cards), ("seat/0", 0)]
    picked = (rng.choice(pools) for _ in range(rng.randint(0, 2)))
    picks = tuple(tuple(rng.sample(pool, min(rng.randint(0, 2), len(pool)))) for pool in picked)
    irregular.play(match, judge.by(match), decision.n, seat, Act(kind, card, picks or ((),)))
    return match


def _rewind(judge: Judge, match: Match, log: list[Entry]) -> Match:
    opened = (e.event for e in active(log) if isinstance(e.event, DecisionOpened))
    n = judge.rng.choice([event.n for event in opened][-12:])
    way = judge.rng.choice(rewind.WAYS)
    back = rewind.rewind(match.rules, log, n, judge.by(match), match.dice, way)
    judge.done[way] += 1
    return back


def _lose(judge: Judge, match: Match, log: list[Entry]) -> Match:
    if judge.rng.random() < 0.2:
        kind, p = judge.rng.choice(["game-loss", "match-loss"]), match.pos
        seat = judge.rng.randrange(2)
        last = kind == "match-loss" or p.score[1 - seat] + 1 > p.heading.best_of // 2
        real = p.heading.mode == "table" and not last and p.game < p.heading.best_of
        by = judge.by(match, (judge.rng.randrange(2),)) if real else judge.by(match)
        desk.penalise(match, by, seat, kind)
    return match


DEEDS: dict[str, Callable[[Judge, Match, list[Entry]], Match]] = {
    "words": _words,
    "pause": _pause,
    "correct": _correct,
    "irregular": _play_anyway,
    "rewind": _rewind,
    "lose": _lose,
}


def nonsense(match: Match, log: list[Entry]) -> Iterator[Callable[[], object]]:
    """What must be refused wherever a match stands."""
    by = Official("judge", match.pos.time, "because")
    nobody = max(match.pos.cards) + 1000
    n = match.pos.decisions
    yield lambda: desk.rule(match, by, "", ())
    yield lambda: desk.rule(match, by, "so", ("gcg:999",))
    yield lambda: desk.rule(match, by, "so", about=match.table.last + 1)
    yield lambda: desk.rule(match, by, "so", decision=10_000)
    yield lambda: desk.rule(match, by, "so", evidence=log[0])
    yield lambda: desk.penalise(match, by, 2, "warning")
    yield lambda: desk.penalise(match, by, 0, "a good talking-to")
    yield lambda: desk.go_on(match, by)
    yield lambda: desk.set_clock(match, by, "sundial", 5)
    yield lambda: desk.look(match, by, "official")
    yield lambda: irregular.flag(match, by, "no:rule", "bad")
    yield lambda: irregular.play(match, by, n + 9, 0, Act("pass"))
    yield lambda: irregular.play(match, by, n, 0, Act("juggle"))
    for fixes in (
        [],
        [Fix("juggle")],
        [Fix("move", (nobody,), place="hand/0")],
        [Fix("move", (min(match.pos.cards),), place="attic/0")],
        [Fix("counters", kind="beans", n=1, dst="seat/0")],
        [Fix("draw", src="hand/0", n=500, place="trash/0")],
        [Fix("mark", subject="seat/0", kind="pretty", value=True)],
        [Fix("shuffle", place="hand/0"), Fix("end", ids=(999,))],
    ):
        yield lambda fixes=fixes: corrections.correct(match, by, fixes)  # type: ignore[misc]
    yield lambda: rewind.preview(log, 10_000, match.rules.manifest)
    yield lambda: rewind.preview(log, n, match.rules.manifest)
    yield lambda: rewind.rewind(match.rules, log, 1, by, match.dice, "upside down")
    yield lambda: rewind.undo(match.rules, log, by, match.dice)
    yield lambda: rewind.fork(log, "m", 10_000)


def refusal_of(call: Callable[[], object]) -> str:
    """The reason why something was refused; empty if it was not."""
    try:
        call()
    except Refused as refused:
        return refused.refusal.fault if refused.refusal.rules else ""
    except Stale:
        return "STALE"
    return ""
