"""Unusual moments: a match that waits, is dealt, stands still, is out of time, is over, is forked.

Players and officials take arbitrary acts there, in all games. Between two games of a series there
is more to go wrong: see `test_between`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from msgspec.structs import replace

from domain.engine import series
from domain.engine.checks.invariants import lost, miscounted, misplaced, viewers
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match
from domain.engine.rulebook import Refused
from domain.officials import beginning, clocks, results, rewind, rulings, ways
from domain.officials.corrections import correcting
from domain.officials.corrections.fixes import Fix
from domain.officials.frame import Official
from domain.officials.irregular import Impossible
from domain.record import events as ev
from domain.record.entries import active
from domain.record.folding.fold import fold_all
from domain.record.position import Position
from domain.record.schema.policy import Clocks, EndOfTime, Policy
from domain.record.views import position
from domain.telling import notices
from replay_cli.playing.fuzz.officials import RandomOfficial
from tests.playouts import PAIRS, Dice, Setup, answer, cuts, opening, resume, taken_up
from tests.properties.strategies import examples, seeds

#: How many things are done in a match, and how many of them once it is over.
LENGTH, AFTER_END = 40, 6
KINDS = ("concede", "concede", "game-loss", "match-loss", "disqualification", "warning")


class Course:
    """A match of any game, in which much is done where little is usually done."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = Random(seed)
        one, other = rng.choice(PAIRS[rng.choice(sorted(PAIRS))])
        self.setup = Setup(
            seed, (one, other), rng.choice((1, 3, 5)), rng.choice(("keen", "aimless"))
        )
        end = EndOfTime(rng.choice((0, 0, 1, 2)), rng.choice((0, 0, 20_000)))
        flag = rng.choice(("", "game loss", "match loss"))
        hands = rng.choice((Clocks(), Clocks(2_100_000, 60_000, 1_000, flag)))
        waits = rng.choice(("", "", "official"))
        given = replace(opening(self.setup), policy=Policy(clocks=hands, end=end), waits=waits)
        self.match = Match.open(self.setup.rules, given, Dice(seed))
        self.log = self.match.collect()
        self.official = RandomOfficial(rng, lambda log: resume(self.setup, log))
        self.done: Counter[str] = Counter()

    def by(self) -> Official:
        return Official("Jo", self.match.pos.time + self.rng.choice((1, 500, 4_000)), "because")

    def take(self) -> None:
        """Take up what was recorded, and see that a resumed match is where the live one is."""
        repeated, p = taken_up(self.setup, self.match, self.log), self.match.pos
        assert p.over or p.decision or p.heading.waits
        assert [*misplaced(p), *lost(p)] == []
        if self.rng.random() < 0.4:
            self.match = repeated

    def attempt(self, what: str, does: Callable[[Match], object]) -> bool:
        """Try something; what is refused leaves no trace."""
        before = self.match.pos.encoded()
        try:
            does(self.match)
        except Impossible:
            self.match = resume(self.setup, self.log)
            return False
        except Refused:
            assert self.match.pos.encoded() == before
            assert self.match.table.out == []
            self._twins()
            return False
        self.done[what] += 1
        return True

    def _twins(self) -> None:
        """A refused seat goes on like one that was never asked."""
        decision = self.match.pos.decision
        if decision is None or self.match.pos.paused >= 0 or self.rng.random() < 0.7:
            return
        n, seat, entries = decision.n, decision.seats[0], []
        offer = decision.offers[seat]
        assert offer is not None
        act = answer(self.setup, n, offer)
        for match in (self.match, resume(self.setup, self.log)):
            match.dice = resume(self.setup, self.log).dice
            try:
                match.choose(seat, n, act, match.pos.time + 1)
            except Refused as refused:
                entries.append(refused.refusal.fault)
            else:
                entries.append(repr(match.collect()))
        assert entries[0] == entries[1]
        self.match = resume(self.setup, self.log)

    # -- what is done ------------------------------------------------------------------------------

    def go_on(self) -> None:
        p = self.match.pos
        if p.heading.waits:
            self.attempt("begin", lambda m: beginning.begin(m, self.by()))
        elif p.paused >= 0:
            self.attempt("go on", lambda m: clocks.go_on(m, self.by()))
        elif p.decision is not None:
            n, seat = p.decision.n, p.decision.seats[0]
            offer = p.decision.offers[seat]
            assert offer is not None
            act = answer(self.setup, n, offer)
            self.attempt("answer", lambda m: m.choose(seat, n, act, p.time + 2_000))

    def lose(self) -> None:
        p, seat, kind = self.match.pos, self.rng.randrange(2), self.rng.choice(KINDS)
        whole, mere = kind in ("match-loss", "disqualification"), kind == "warning"
        live = not p.over and not p.heading.waits
        score, best_of = [*p.score], p.heading.best_of
        game = p.game + series.between(p)
        text = str(notices.lost(p, [seat], whole=whole)) if live else ""
        called = p.called

        def does(match: Match) -> None:
            if kind == "concede":
                match.interject(seat, kind, match.pos.time + 1)
            else:
                rulings.penalise(match, self.by(), seat, kind)

        if not self.attempt(kind, does):
            return
        now = self.match.pos
        if not live or mere:
            assert (now.over, now.game) == (p.over, p.game)
            assert not (whole and live) or now.winner != seat
            return
        score[1 - seat] += 1
        assert now.score == score
        assert now.over == bool(whole or called or max(score) > best_of // 2 or game == best_of)
        assert (str(notices.won(now.winner, score)) if now.over else "another follows") in text

    def time(self) -> None:
        p = self.match.pos
        if self.rng.random() < 0.5:
            self.attempt("call", lambda m: clocks.call_time(m, self.by()))
        elif p.called and not p.over:
            text = str(notices.decided(p, self.setup.rules.manifest))
            assert self.attempt("decide", lambda m: clocks.decide(m, self.by()))
            now = self.match.pos
            assert now.over
            assert str(notices.won(now.winner, now.score)) in text
        else:
            late = replace(self.by(), now=p.time + 100_000)
            self.attempt("flag", lambda m: clocks.flag(m, late, self.rng.randrange(2)))

    def still(self) -> None:
        self.attempt("pause", lambda m: clocks.pause(m, self.by()))

    def correct(self) -> None:
        p, rng = self.match.pos, self.rng
        lying = [place for place in p.zones if p.zone(place)]
        if not lying:
            return
        place, to = rng.choice(lying), rng.choice(lying)
        fix = rng.choice((
            Fix("move", (rng.choice(p.zone(place)) or 1,), place=to),
            Fix("draw", src=place, n=rng.choice((1, 2, len(p.zone(place)))), place=to),
            Fix("shuffle", place=place),
            Fix("order", tuple(p.zone(place)[::-1]), place=place),
        ))  # fmt: skip
        self.attempt(f"fix {fix.verb}", lambda m: correcting.correct(m, self.by(), [fix]))

    def speak(self) -> None:
        what = self.rng.choice(("words", "irregular"))
        if self.match.pos.decision is not None and not self.match.pos.over:
            self.match = self.official.act(self.match, self.log, what)

    def result(self) -> None:
        winner, score = self.rng.randint(-1, 1), [self.rng.randint(0, 2) for _ in range(2)]
        if self.attempt(
            "result", lambda m: results.correct_result(m, self.by(), winner, score, "mixed up")
        ):
            assert (self.match.pos.winner, self.match.pos.score) == (winner, score)

    def back(self) -> None:
        opened = (entry.event for entry in active(self.log))
        numbers = [event.n for event in opened if isinstance(event, ev.DecisionOpened)]
        if not numbers:
            return
        n, way = self.rng.choice([*numbers, *numbers[-4:]]), self.rng.choice(ways.WAYS)
        before, gone = self.match.pos, list[Match]()
        dice = resume(self.setup, self.log).dice
        if self.attempt(
            f"back {way}",
            lambda m: gone.append(rewind.rewind(m.rules, self.log, n, self.by(), dice, way)),
        ):
            (self.match,) = gone
            assert not self.match.pos.over
            assert self.match.pos.called or not before.called
            assert (self.match.pos.paused >= 0) == (before.paused >= 0)

    def fork(self) -> None:
        """Now and then, it is gone on with a fork."""
        stops = cuts(self.log)
        if stops and not self.match.pos.heading.fork and self.rng.random() < 0.3:
            opened = self.log[self.rng.choice(stops) - 2].event
            assert isinstance(opened, ev.DecisionOpened)
            self.log = rewind.fork(self.log, "origin", opened.n)
            self.match = resume(self.setup, self.log)
            assert self.match.collect() == []
            self.done["fork"] += 1

    def step(self) -> None:
        """Do one thing; more than to go on where it is unusual."""
        ways_ = (self.go_on, self.lose, self.time, self.still, self.correct, self.speak, self.back,
                 self.result, self.fork)  # fmt: skip
        self.rng.choices(ways_, _weights(self.match.pos))[0]()
        self.take()


def _weights(p: Position) -> tuple[float, ...]:
    if p.over:
        return 0, 3, 1, 1, 1, 0, 2, 4, 1
    if p.heading.waits or p.paused >= 0 or p.called or not p.turn:
        return 6, 1, 1.5, 1, 2, 1, 1, 0.3, 0.4
    return 12, 0.5, 0.5, 0.5, 1, 0.5, 0.5, 0.1, 0.2


def _course(seed: int) -> Course:
    course, over = Course(seed), 0
    for _ in range(LENGTH):
        course.step()
        over += course.match.pos.over
        if over > AFTER_END:
            break
    return course


@examples(60)
@given(seeds)
def test_whatever_is_done_there_the_record_is_exact_and_can_be_gone_on_with(seed: int) -> None:
    course = _course(seed)
    log, rules = course.log, course.setup.rules
    assert verify(log, rules).kind == EXACT
    for cut in cuts(log)[::4]:
        assert resume(course.setup, log[:cut]).pos == fold_all(active(log[:cut]))
    line = active(log)
    for viewer in viewers(rules.manifest):
        assert [*miscounted(position(line, viewer), course.match.pos)] == []


@pytest.mark.long
def test_all_of_it_is_done() -> None:
    """The property above would prove little if everything were refused."""
    done = sum((_course(seed).done for seed in range(60)), Counter[str]())
    wanted = {"begin", "answer", "call", "decide", "pause", "go on", "result", "fork", *KINDS}
    wanted |= {f"fix {verb}" for verb in ("move", "draw", "shuffle", "order")}
    assert done.keys() >= wanted | {f"back {way}" for way in ways.WAYS}
