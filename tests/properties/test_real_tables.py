"""At a real table, whatever turns up and whatever officials do, the record stays what it is.

Nobody dealt here: which card it is, where one must be named, is drawn from what is left of the
list; now and then nobody notes it.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from random import Random

from hypothesis import given

from domain.decisions import Act
from domain.events import CHANCE, EVERYONE, CardsKnown, ChanceDrawn, Entry, Sealed
from domain.fold import active, fold_all
from domain.invariants import misplaced
from domain.match import Refused
from domain.naming import Told, remaining
from domain.notation import UNKNOWN
from domain.officials import rewind
from domain.officials.frame import Official
from domain.table import Need, Unnamed, Untold
from domain.verify import EXACT, verify
from replay_cli.fuzz.officials import Judge
from tests.playouts import Setup, complete, cuts, opening, resume
from tests.properties.strategies import examples, points, seeds, setups
from tests.tables import at_table, roll

LENGTH = 60


class Keeper:
    """Enters random acts, and names cards at random."""

    def __init__(self, setup: Setup, rng: Random) -> None:
        self.setup, self.rng = setup, rng
        self.match = at_table(setup.rules, opening(setup), [_chooser(rng)])
        self.log: list[Entry] = self.match.collect()

    def enter(self) -> None:
        """Enter some act; what the rules refuse, or a name does not bear out, is thought over."""
        for _ in range(40):
            act, names = self._act()
            if self._put(act, names):
                return
        raise AssertionError(f"nothing can be done at {self.match.pos.decision}")

    def _act(self) -> tuple[Act, dict[int, str]]:
        decision = self.match.pos.decision
        assert decision is not None
        seat, names = decision.seats[0], dict[int, str]()
        offer = decision.offers[seat]
        assert offer is not None
        option = self.rng.choice(offer.options)
        if option.kind == "unknown" and isinstance(option.card, int):
            if not self.match.pos.cards[option.card].id:  # else an official has told since
                names[option.card] = self._name(Need(option.card, f"hand/{seat}"))
            renewed = self.match.open_to(seat, names)
            assert renewed is not None
            bearing = [one for one in renewed.options if one.card == option.card]
            offer, option = renewed, self.rng.choice(bearing or list(renewed.options[-1:]))
            names = names if bearing else {}
        return complete(self.rng, offer, option), names

    def _put(self, act: Act, names: dict[int, str]) -> bool:
        decision = self.match.pos.decision
        assert decision is not None
        seat, n, now = decision.seats[0], decision.n, self.match.pos.time + 5
        rolls: tuple[tuple[int, ...], ...] = ()
        while True:
            try:
                self.match.choose(seat, n, act, now, told=Told(names, rolls, "Sam"))
            except Unnamed as unnamed:
                names = names | {need.number: self._name(need) for need in unnamed.needs}
                self.match = resume(self.setup, self.log)
            except Untold as untold:
                rolls = (*rolls, roll(self.rng, untold))
                self.match = resume(self.setup, self.log)
            except Refused:
                self.match = resume(self.setup, self.log)
                return False
            else:
                self.log += self.match.collect()
                return True

    def _name(self, need: Need) -> str:
        owner = int(need.place.partition("/")[2] or 0)
        left = sorted(remaining(self.match.pos, owner, need.number).elements())
        return self.rng.choice(left) if left and self.rng.random() < 0.9 else UNKNOWN


def _chooser(rng: Random) -> Entry:
    """How it was decided who says who begins."""
    fell = ChanceDrawn("chooser", 2, Sealed(EVERYONE, (rng.randrange(2),)))
    return Entry(1, 0, 1, 0, CHANCE, (), fell)


def known(keeper: Keeper) -> dict[int, str]:
    """The cards on the table that somebody has named."""
    return {number: card.id for number, card in keeper.match.pos.cards.items() if card.id}


def kept(setup: Setup, seed: int, share: float = 0.15) -> Keeper:
    """A match that was entered for a while, with an official at the table."""
    keeper = Keeper(setup, Random(seed))
    judge = Judge(keeper.rng, partial(resume, setup))
    for _ in range(LENGTH):
        if not keeper.match.pos.over and keeper.rng.random() < share:
            keeper.match = judge.act(keeper.match, keeper.log)
            assert keeper.match.pos == fold_all(active(keeper.log))
            assert list(misplaced(keeper.match.pos)) == []
        if keeper.match.pos.over:
            break
        keeper.enter()
    return keeper


@examples(6)
@given(setups(), seeds)
def test_the_record_is_exact_and_its_fold_is_the_live_match(setup: Setup, seed: int) -> None:
    keeper = kept(setup, seed)
    log = keeper.log
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    assert all(a.time <= b.time for a, b in pairwise(log))
    assert fold_all(active(log)) == keeper.match.pos
    assert not keeper.match.pos.named
    verdict = verify(log, setup.rules)
    assert verdict.kind == EXACT, verdict


@examples(4)
@given(setups(), seeds, points(6))
def test_it_is_resumed_at_any_decision(setup: Setup, seed: int, where: list[float]) -> None:
    log = kept(setup, seed).log
    stops = cuts(log)
    for share in where:
        stop = stops[int(share * len(stops))]
        again = resume(setup, log[:stop])
        assert again.collect() == []
        assert again.pos == fold_all(active(log[:stop]))


@examples(4)
@given(setups(), seeds)
def test_one_entry_is_undone_and_entered_again(setup: Setup, seed: int) -> None:
    keeper = kept(setup, seed, share=0)
    if keeper.match.pos.over:
        return
    before, decided = dict(known(keeper)), keeper.match.pos.decisions
    keeper.enter()
    if keeper.match.pos.over:
        return
    by = Official("Sam", keeper.match.pos.time)
    keeper.match = rewind.undo(setup.rules, keeper.log, by, keeper.match.dice)
    keeper.log += keeper.match.collect()
    p = keeper.match.pos
    assert p.decision is not None
    assert p.decision.n == decided
    assert known(keeper) == before
    keeper.enter()
    assert verify(keeper.log, setup.rules).kind == EXACT


@examples(4)
@given(setups(), seeds)
def test_nobody_gets_to_know_more_than_was_named(setup: Setup, seed: int) -> None:
    """A card that the record knows was named by somebody, or lay there for all to see."""
    keeper = kept(setup, seed, share=0)
    named = {"", UNKNOWN}
    for entry in keeper.log:
        event = entry.event
        stated = getattr(event, "stated", None)
        if stated is not None and stated.value is not None:
            named |= {identity for _, identity in stated.value.names}
        if isinstance(event, CardsKnown) and event.cards.to == EVERYONE:
            named |= {identity for _, identity in event.cards.value or ()}
    assert {card.id for card in keeper.match.pos.cards.values()} <= named
