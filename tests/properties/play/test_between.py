"""Between two games, while lists are made again: a seat that concedes there loses the next game.

Players and officials do all that they may there, at every step and with any number of lists handed
in. The table of the last game lies there still: its rules do nothing more.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from msgspec.structs import replace

from domain.engine import series
from domain.engine.checks.verify import EXACT, UNVERIFIED, verify
from domain.engine.match import Match
from domain.games import names, rulebook
from domain.officials import clocks, rewind, rulings
from domain.officials.adoption import adopt
from domain.officials.corrections import correcting
from domain.officials.corrections.correcting import correct
from domain.officials.corrections.fixes import Fix
from domain.officials.frame import Official
from domain.officials.irregular import Impossible
from domain.record import events as ev
from domain.record.entries import Entry, active
from domain.record.folding.fold import fold_all
from domain.record.position import Position
from domain.telling import notices
from domain.text.transcript.read import read
from domain.text.transcript.write import write
from replay_cli.playing.fuzz.officials import RandomOfficial
from tests.playouts import Dice, Setup, cuts, opening, play, resume, setup_of, take_turn, taken_up
from tests.properties.strategies import PROFILE, examples, seeds, some

#: How many things are done in a match.
LENGTH = 40
DECKS = (("YSYR", "YSKR"), ("YSYR", "XYZ"), ("XYZ", "YSKR"))


class Course:
    """A best of three in which somebody soon loses each game, and much is done after that."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.setup = Setup(seed, self.rng.choice(DECKS), best_of=3, restless=True)
        given = replace(opening(self.setup), options={"surrender": "free"})
        self.match = Match.open(self.setup.rules, given, Dice(seed))
        self.log = self.match.collect()
        self.official = RandomOfficial(self.rng, lambda log: resume(self.setup, log))

    def by(self) -> Official:
        return Official("Jo", self.match.pos.time + 1, "because")

    def take(self) -> None:
        """Take up what was recorded, and see that a resumed match is where the live one is."""
        repeated, p = taken_up(self.setup, self.match, self.log), self.match.pos
        assert p.over or p.decision
        if self.rng.random() < 0.3:
            self.match = repeated

    def lose(self) -> None:
        """Somebody gives up, or is penalised."""
        p, seat = self.match.pos, self.rng.randrange(2)
        won, game, between = 1 - seat, p.game, series.between(p)
        score = [n + (who == won) for who, n in enumerate(p.score)]
        whole = self.rng.random() < 0.1
        text = str(notices.lost(p, [seat], whole=whole))
        kind = "match-loss" if whole else self.rng.choice(("concede", "concede", "game-loss"))
        if p.paused >= 0:
            clocks.go_on(self.match, self.by())
        if kind == "concede":
            self.match.interject(seat, kind, p.time + 1)
        else:
            rulings.penalise(self.match, self.by(), seat, kind)
        p = self.match.pos
        assert p.score == score
        assert p.game == game + between
        assert p.over == (whole or p.called or max(score) > 1 or p.game == 3)
        assert str(notices.won(p.winner, score)) in text if p.over else "another follows" in text
        if whole:
            assert p.winner == won

    def fall(self) -> None:
        """A seat has no life points left, as far as an official knows."""
        seat = self.rng.randrange(2)
        life, between = self.match.pos.counters(f"seat/{seat}", "life"), self.between
        decision = self.match.pos.decision
        if life and decision is not None and decision.rest and self.match.pos.turn:
            was = _result(self.match.pos)
            fix = Fix("counters", kind="life", n=life, src=f"seat/{seat}")
            try:
                correcting.correct(self.match, self.by(), [fix])
            except Impossible:  # in the middle of a summon
                self.match = resume(self.setup, self.log)
            else:
                assert (_result(self.match.pos) == was) == between

    def time(self) -> None:
        """Time is called, and sometimes the match is decided."""
        p, was, between = self.match.pos, _result(self.match.pos), self.between
        if not p.called and self.rng.random() < 0.2:
            clocks.call_time(self.match, self.by())
        if p.called and self.rng.random() < 0.5:
            text = str(notices.decided(p, self.setup.rules.manifest))
            clocks.decide(self.match, self.by())
            p = self.match.pos
            assert p.over
            assert str(notices.won(p.winner, p.score)) in text
            if between:
                assert _result(p)[:2] == was[:2]

    def still(self) -> None:
        """The match is paused, or goes on."""
        if self.match.pos.paused < 0:
            clocks.pause(self.match, self.by())
        else:
            clocks.go_on(self.match, self.by())

    def speak(self) -> None:
        """An official corrects something, records a play against the rules, goes back."""
        was, between = _result(self.match.pos), self.between
        what = self.rng.choice(("correct", "correct", "irregular", "rewind", "words"))
        self.match = self.official.act(self.match, self.log, what)
        if between and what != "rewind":  # an invalid list may be the last
            assert _result(self.match.pos)[1:] == was[1:]

    def answer(self) -> None:
        if self.match.pos.paused >= 0:
            self.still()
        take_turn(self.match, self.setup)

    @property
    def between(self) -> bool:
        return series.between(self.match.pos)

    def go_on(self) -> None:
        """Do one thing."""
        away = self.rng.random()
        if self.between:
            ways = (self.lose, self.fall, self.time, self.still, self.speak, self.answer)
            self.rng.choices(ways, (2, 2, 2, 1, 3, 6))[0]()
        elif away < 0.2:
            self.lose()
        elif away < 0.4:
            self.fall()
        elif away < 0.45:
            self.speak()
        else:
            self.answer()
        self.take()


def _result(p: Position) -> tuple[int, list[int], bool]:
    return p.game, [*p.score], p.over


def _course(seed: int) -> Course:
    course = Course(seed)
    for _ in range(LENGTH):
        if course.match.pos.over:
            break
        course.go_on()
    return course


@examples(60)
@given(seeds)
def test_whatever_is_done_there_the_games_are_counted_right(seed: int) -> None:
    course = _course(seed)
    log, rules = course.log, course.setup.rules
    assert verify(log, rules).kind == EXACT
    for cut in cuts(log):
        assert resume(course.setup, log[:cut]).pos == fold_all(active(log[:cut]))
    text = write(log, rules)
    if "!! effect.triggered" not in text:  # what an official sets off is not read back
        assert write(read(text, rulebook), rules) == text


def _stops(log: list[Entry]) -> list[int]:
    """Where a record stands between two games."""
    return [cut for cut in cuts(log) if series.between(fold_all(active(log[:cut])))]


def _gives_up(match: Match, log: list[Entry], seat: int) -> None:
    """The seat gives up; that is the next game, or the last thing in the match."""
    p = match.pos
    if p.paused >= 0:
        clocks.go_on(match, Official("Jo", p.time + 1, "on"))
    score, game = [*p.score], p.game
    score[1 - seat] += 1
    match.interject(seat, "concede", p.time + 1)
    log += match.collect()
    assert (match.pos.score, match.pos.game) == (score, game + 1)
    assert match.pos == fold_all(active(log))


@examples(20)
@given(seeds)
def test_in_a_fork_the_next_game_is_lost_as_well(seed: int) -> None:
    course = _course(seed)
    for cut in _stops(course.log)[:4]:
        decision = fold_all(active(course.log[:cut])).decision
        assert decision is not None
        log = rewind.fork(course.log, "match", decision.n)
        for seat in (0, 1):
            gone_on = [*log]
            _gives_up(resume(course.setup, gone_on), gone_on, seat)
            assert verify(gone_on, course.setup.rules).kind == EXACT


@examples(20)
@given(seeds)
def test_who_goes_on_from_an_older_engine_counts_like_this_one(seed: int) -> None:
    """A record that stands between two games, and says that an older engine wrote it."""
    course = _course(seed)
    first, rules = course.log[0].event, course.setup.rules
    assert isinstance(first, ev.MatchOpened)
    older = replace(course.log[0], event=replace(first, engine="yugioh 0.9"))
    for cut in _stops(course.log)[:4]:
        log = [older, *course.log[1:cut]]
        match = resume(course.setup, log)
        was, decision = _result(match.pos), match.pos.decision
        assert decision is not None
        if not decision.rest:
            continue
        adopt(match, Official("Jo", match.pos.time + 1, "the program was renewed"))
        log += match.collect()
        assert _result(match.pos) == was
        assert resume(course.setup, log).pos == match.pos
        _gives_up(match, log, seed % 2)
        verdict = verify(log, rules)
        assert verdict.kind == UNVERIFIED
        assert f"what {rules.manifest.version} recorded" in verdict.reason


# -- between acts nothing is unfinished: an official can put the table right, and play goes on th --


#: The decisions of each game by which its players act, one after the other.
#: One in so many of them is tried.
STEP = 21 if PROFILE == "ci" else 7
ACTING = {game: {*rulebook(game).acts.questions, "energy"} for game in names()}


@pytest.mark.parametrize("game", some(2, ACTING))
@examples(2)
@given(seeds)
def test_an_official_can_correct_wherever_a_player_acts(game: str, seed: int) -> None:
    setup = setup_of(seed, game=game)

    def put_right(match: Match, log: list[Entry]) -> None:
        decision = match.pos.decision
        assert decision is not None
        if decision.kind not in ACTING[game] or decision.n % STEP != seed % STEP:
            return
        repeated = resume(setup, log)
        by = Official("Ada", repeated.pos.time + 1, "a card was miscounted")
        correct(repeated, by, [Fix("mark", subject="seat/0", kind="first", value=7)])
        more = repeated.collect()
        now = repeated.pos.decision
        assert now is not None
        asked_before = now.kind == "hand"  # with the step, its timing begins again
        assert asked_before or (now.kind, now.seats) == (decision.kind, decision.seats)
        assert repeated.pos.step == match.pos.step
        assert resume(setup, log + more).pos == repeated.pos

    play(setup, put_right)


def test_a_hand_that_an_official_takes_is_asked_for_nothing_any_more() -> None:
    setup = setup_of(3, game="yugioh")
    taken: list[str] = []

    def take(match: Match, log: list[Entry]) -> None:
        decision = match.pos.decision
        assert decision is not None
        if decision.kind != "hand" or taken:
            return
        repeated, seat = resume(setup, log), decision.seats[0]
        hand = tuple(repeated.pos.zone("hand", seat))
        by = Official("Ada", repeated.pos.time + 1, "the hand was drawn too early")
        correct(repeated, by, [Fix("move", cards=hand, place=f"deck/{seat}")])
        now = repeated.pos.decision
        assert now is not None
        assert (now.kind, repeated.pos.mark("match", "class")) == ("window", None)
        taken.append(now.kind)

    play(setup, take)
    assert taken
