"""Pods are drawn, pools registered, decks built from them; rounds within pods; what is refused."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from domain.engine.rulebook import Refused
from domain.tournament import progress
from domain.tournament import record as ev
from domain.tournament.acts import checks, lists, players, pods, pools, results, rounds
from domain.tournament.pairing.pods import draw, sizes
from domain.tournament.record import DRAFT, SEALED, Deck, Format, Outcome, Pools
from domain.tournament.tournament import Tournament
from tests.support.tournaments import RULES, by, opened, refused

SEALED_EVENT = Format("lamps", pools=Pools(SEALED, least=3, most=6, free=("resource", "F")))
DRAFT_EVENT = Format("lamps", mode="", pools=Pools(DRAFT, 8, within=True))
POOL = Deck("", {"main": ("A", "A", "B"), "side": ("C",)})


def listed(*cards: str, **parts: tuple[str, ...]) -> Deck:
    return Deck("mine", {"main": cards, **parts})


def handed_in(t: Tournament, deck: Deck, player: int = 1) -> tuple[str, ...]:
    return lists.hand_in(t, by(), player, deck, RULES)


# -- pods ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "pod", "found"),
    [
        (1, 8, [1]), (5, 8, [5]), (8, 8, [8]), (9, 8, [9]), (10, 8, [5, 5]), (11, 8, [6, 5]),
        (12, 8, [6, 6]), (16, 8, [8, 8]), (17, 8, [6, 6, 5]), (20, 8, [7, 7, 6]),
        (5, 4, [5]), (6, 4, [3, 3]), (9, 4, [3, 3, 3]), (3, 2, [3]), (0, 8, []),
    ],
)  # fmt: skip
def test_how_players_are_divided(players: int, pod: int, found: list[int]) -> None:
    assert sizes(players, pod) == found


def test_pods_are_of_like_sizes_and_have_everybody_once() -> None:
    for n in range(1, 130):
        for pod in (2, 4, 6, 8, 10):
            found = draw(range(1, n + 1), pod, 7)
            assert Counter(one for each in found for one in each) == Counter(range(1, n + 1))
            lengths = [*map(len, found)]
            assert max(lengths) - min(lengths) <= 1
            assert max(lengths) <= pod or len(lengths) == 1 or min(lengths) * 2 > pod


def test_pods_follow_from_the_seed_alone() -> None:
    t = opened(DRAFT_EVENT, 11, accepted=False)
    pods.draw(t, by(), seed=5)
    drawn = t.collect()[-1].event
    assert isinstance(drawn, ev.PodsDrawn)
    assert drawn.pods == draw(range(11, 0, -1), 8, drawn.seed) == t.state.pods
    order = [*range(1, 12)]
    Random(1).shuffle(order)
    assert draw(order, 8, 5) == t.state.pods  # in whatever order they are entered
    assert draw(order, 8, 6) != t.state.pods
    other = Tournament.open(by(), "other", "Cup", DRAFT_EVENT)
    players.enter(other, by(), [(f"Other {n}", "") for n in range(1, 12)])  # whatever their names
    pods.draw(other, by(), seed=5)
    assert other.state.pods == t.state.pods


def test_who_comes_later_sits_in_the_smallest_pod_of_those_who_play_on() -> None:
    t = opened(DRAFT_EVENT, 11, accepted=False)
    assert refused(t, pods.draw, True) == "NO_PODS"  # none are drawn yet
    pods.draw(t, by(), seed=5)
    assert refused(t, pods.draw, True) == "NO_PODS"
    first, second = t.state.pods
    for player in first[:2]:
        players.drop(t, by(), player)
    players.enter(t, by(), [("Late", ""), ("Later", "")])
    with pytest.raises(progress.CannotPair, match="in no pod: Late, Later"):
        progress.next_round(t.state, 1)
    pods.draw(t, by(), add=True)
    assert [*map(len, t.state.pods)] == [8, 5]  # of whom 6 and 5 play
    late = {*first, 12, 13} | {*second, 12, 13}
    assert {one for pod in t.state.pods for one in pod} == late
    assert t.state.pods[0][: len(first)] == first


def test_pods_stay_once_a_round_is_opened_and_there_may_be_none() -> None:
    assert refused(opened(Format("lamps")), pods.draw) == "NO_PODS"
    assert refused(opened(DRAFT_EVENT, 0), pods.draw) == "NO_PODS"
    t = opened(DRAFT_EVENT, 11, accepted=False)
    pods.draw(t, by(), seed=1)
    pods.draw(t, by(), seed=2)
    found = progress.next_round(t.state, 1)
    rounds.pair(t, by(), found.tables, found.by, 1)
    pods.draw(t, by(), seed=3)
    assert refused(t, rounds.open_round) == "PODS_CROSSED"
    found = progress.next_round(t.state, 1)
    rounds.pair(t, by(), found.tables, found.by, 1)
    rounds.open_round(t, by())
    assert refused(t, pods.draw) == "PODS_FIXED"
    players.enter(t, by(), [("Late", "")])
    pods.draw(t, by(), add=True)


def test_rounds_are_played_within_pods_also_after_drops() -> None:
    t = opened(DRAFT_EVENT, 11, accepted=False)
    assert progress.planned(t.state) == 3
    pods.draw(t, by(), seed=3)
    for n in range(1, 4):
        found = progress.next_round(t.state, n)
        for table in found.tables:
            both = {t.state.pod(one) for one in (table.first, table.second) if one}
            assert len(both) == 1
        seated = [one for table in found.tables for one in (table.first, table.second) if one]
        assert sorted(seated) == progress.active(t.state)
        byes = [not table.second for table in found.tables]
        assert byes == sorted(byes)
        assert [table.number for table in found.tables] == [*range(1, len(byes) + 1)]
        rounds.pair(t, by(), found.tables, found.by, n)
        rounds.open_round(t, by())
        rounds.start(t, by())
        for table in t.state.rounds[-1].tables.values():
            if table.second:
                results.report(t, by(), 0, table.number, Outcome(1, 0, 0, table.first))
        rounds.end(t, by())
        players.drop(t, by(), t.state.pods[n % 2][0 if n < 3 else 1])
    with pytest.raises(progress.CannotPair):
        progress.next_round(t.state, 4)


def test_a_pod_of_which_one_is_left_has_a_bye_and_one_of_none_nothing() -> None:
    t = opened(replace(DRAFT_EVENT, pools=Pools(DRAFT, 4, within=True)), 6, accepted=False)
    pods.draw(t, by(), seed=3)
    first, second = t.state.pods
    for player in (*first[1:], *second):
        players.drop(t, by(), player)
    assert [(one.first, one.second) for one in progress.next_round(t.state, 1).tables] == [
        (first[0], 0)
    ]


# -- pools -----------------------------------------------------------------------------------------


def test_a_list_is_compared_with_the_pool_card_by_card() -> None:
    t = opened(SEALED_EVENT, accepted=False)
    assert handed_in(t, listed("A")) == ("no pool is registered, out of which the deck is built",)
    assert pools.register(t, by(), 1, POOL, RULES) == 4
    assert t.state.lists[t.state.players[1].list].faults == ()  # it was looked at anew
    assert handed_in(t, listed("A", "A", "C")) == ()
    assert handed_in(t, listed("A", "A", "A", "D")) == (
        "3 copies of Card A (A); 2 in the pool",
        "Card D (D) is not in the pool",
    )
    assert handed_in(t, listed("A", side=("A", "A"))) == ("3 copies of Card A (A); 2 in the pool",)
    assert refused(t, lists.accept, [1]) == "LIST_FAULTY"
    assert handed_in(t, listed("A", "F", "F", "F", resource=("E", "E", "E"))) == ()  # free to all
    assert t.state.pools[1].by == "Ida"


def test_a_pool_changes_a_list_that_is_handed_in_and_not_one_that_is_accepted() -> None:
    t = opened(SEALED_EVENT, accepted=False)
    pools.register(t, by(), 1, POOL, RULES)
    handed_in(t, listed("A", "A"))
    pools.register(t, by(), 1, Deck("", {"main": ("A", "B", "C")}), RULES)
    assert t.state.lists[t.state.players[1].list].faults == (
        "2 copies of Card A (A); 1 in the pool",
    )
    pools.register(t, by(), 1, POOL, RULES)
    lists.accept(t, by(), [1])
    assert refused(t, pools.register, 1, POOL, RULES) == "LIST_FIXED"
    lists.reopen(t, by(), 1, "a card was counted twice")
    pools.register(t, by(), 1, Deck("", {"main": ("A", "B", "C")}), RULES)
    assert refused(t, lists.accept, [1]) == "LIST_FAULTY"


@pytest.mark.parametrize(
    ("cards", "fault"),
    [
        (("A", "B"), "POOL_SIZE"),
        (("A",) * 7, "POOL_SIZE"),
        ((), "POOL_SIZE"),
        (("A",) * 1_000_000, "POOL_SIZE"),
        (("A", "B", "Z"), "POOL_UNKNOWN"),
    ],
)
def test_a_pool_has_so_many_cards_that_there_are(cards: tuple[str, ...], fault: str) -> None:
    t = opened(SEALED_EVENT, accepted=False)
    assert refused(t, pools.register, 1, Deck("", {"main": cards}), RULES) == fault
    with pytest.raises(Refused, match=r"3 to 6|there are no such cards: Z"):
        pools.register(t, by(), 1, Deck("", {"main": cards}), RULES)


def test_an_official_registers_after_pools_are_closed_and_players_do_not() -> None:
    t = opened(SEALED_EVENT, accepted=False)
    assert refused(t, pools.close, True) == "POOLS_OPEN"
    pools.register(t, by(name="Player 1"), 1, POOL, RULES, True)
    pools.close(t, by())
    assert refused(t, pools.close) == "POOLS_CLOSED"
    assert refused(t, pools.register, 1, POOL, RULES, True) == "POOLS_CLOSED"
    pools.register(t, by(), 1, POOL, RULES)
    lists.hand_in(t, by(), 1, listed("A"), RULES, own=True)  # lists have an end of their own
    pools.close(t, by(), True)
    pools.register(t, by(), 1, POOL, RULES, True)
    assert refused(t, pools.register, 9, POOL, RULES) == "NO_SUCH_PLAYER"
    plain = opened(Format("lamps"))
    assert refused(plain, pools.register, 1, POOL, RULES) == "NO_POOLS"
    assert refused(plain, pools.close) == "NO_POOLS"


def test_a_list_may_be_changed_between_rounds_where_the_event_says_so() -> None:
    changing = replace(SEALED_EVENT, pools=replace(SEALED_EVENT.pools, changing=True))
    for form in (SEALED_EVENT, changing):
        t = opened(form, accepted=False)
        for n in range(1, 5):
            pools.register(t, by(), n, POOL, RULES)
            handed_in(t, listed("A"), n)
        lists.accept(t, by())
        if form is SEALED_EVENT:
            assert refused(t, lists.hand_in, 1, listed("B"), RULES, True) == "LIST_FIXED"
            continue
        found = progress.next_round(t.state, 1)
        rounds.pair(t, by(), found.tables, found.by, 1)
        lists.hand_in(t, by(), 1, listed("B"), RULES, own=True)
        assert t.state.players[1].accepted
        assert refused(t, lists.hand_in, 1, listed("D"), RULES, True) == "LIST_FAULTY"
        rounds.open_round(t, by())
        assert refused(t, lists.hand_in, 1, listed("C"), RULES, True) == "LISTS_FROZEN"
        assert t.state.deck(1, t.state.rounds[0]) == listed("B")
        rounds.start(t, by())
        for n in t.state.rounds[0].missing:
            results.report(t, by(), 0, n, Outcome(1, 0, 0, t.state.rounds[0].tables[n].first))
        rounds.end(t, by())
        lists.hand_in(t, by(), 1, listed("C"), RULES, own=True)
        assert t.state.deck(1) == listed("C")
        assert t.state.deck(1, t.state.rounds[0]) == listed("B")  # what that round was played with
        lists.close(t, by())
        assert refused(t, lists.hand_in, 1, listed("B"), RULES, True) == "LISTS_CLOSED"


@pytest.mark.parametrize(
    "strange",
    [
        Pools("rochester"), Pools("", 8), Pools(DRAFT), Pools(SEALED, 1), Pools(DRAFT, 999),
        Pools(SEALED, within=True), Pools(SEALED, least=9, most=8), Pools(SEALED, least=-1),
        Pools(SEALED, most=40, deck=41), Pools(SEALED, deck=-1), Pools(SEALED, most=10**6),
        Pools(SEALED, free=("x" * 81,)), Pools(SEALED, free=("\n",)),
    ],
)  # fmt: skip
def test_pools_that_can_not_be(strange: Pools) -> None:
    with pytest.raises(Refused) as caught:
        checks.formal(Format("lamps", pools=strange))
    assert caught.value.refusal.fault == "BAD_FORMAT"


def test_lists_are_looked_at_anew_where_decks_are_built_otherwise() -> None:
    t = opened(Format("lamps"), accepted=False)
    for n in (1, 2, 3):
        handed_in(t, listed("A"), n)
    lists.accept(t, by(), [3])
    players.change_format(t, by(), "Cup", Format("lamps", best_of=3), "longer", RULES)
    assert isinstance(t.collect()[-1].event, ev.FormatChanged)
    players.change_format(t, by(), "Cup", SEALED_EVENT, "packs came", RULES)
    assert len(t.collect()) == 3
    assert refused(t, lists.accept, [1]) == "LIST_FAULTY"
    assert t.state.players[3].accepted  # until it is reopened
    pools.register(t, by(), 1, POOL, RULES)
    lists.accept(t, by(), [1])
