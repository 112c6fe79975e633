"""The environment for learners: PettingZoo's own tests, its records, its menus, its refusals."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import numpy as np
import pytest
from kifu.env import ACTIONS, IllegalAction, Layout, MatchEnv, TooManyCards
from pettingzoo.test import api_test, seed_test

from domain import games
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import BadDeck, Deck
from domain.record.decisions import NUMBER, SECRET, TEXT, Limits, Offer, Option, Part, Sum, Term
from domain.record.entries import encode
from domain.record.fitting.fit import fit
from service.client.files import fold, read
from service.env.layout import TOKENS
from service.env.menu import AMOUNT, DONE, OPTION, PAGE, PICK, Line, Menu
from service.env.observing import Observer
from service.store.records import Records

GAMES = games.names()
#: What its API test remarks: an observation has a mask, too, and there is no picture.
REMARKS = ("Observation space for each agent probably should be", "Observation is not a NumPy",
           "Environment has not defined a render")  # fmt: skip


def episode(env: MatchEnv, seed: int, stop: int = 10**6) -> Iterator[MatchEnv]:
    """Play an episode at random, standing before each action."""
    rng = Random(seed)
    env.reset(seed=seed)
    while not any(env.terminations.values()) and stop:
        yield env
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(rng.choice(np.flatnonzero(mask).tolist()))
        stop -= 1


def played(env: MatchEnv, seed: int) -> MatchEnv:
    for _ in episode(env, seed):
        pass
    return env


@pytest.mark.parametrize("game", GAMES)
def test_it_passes_the_tests_of_pettingzoo(game: str) -> None:
    with warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always")
        api_test(MatchEnv(game), num_cycles=400)
    assert not [r for r in remarks if not str(r.message).startswith(REMARKS)]
    seed_test(lambda: MatchEnv(game), num_cycles=150)


@pytest.mark.parametrize("game", GAMES)
def test_a_record_is_that_of_an_ordinary_match(game: str, tmp_path: Path) -> None:
    kept = tmp_path / "learned.kifu"
    env = MatchEnv(game, keep=kept)
    for seed in (1, 2):
        played(env, seed)
        assert verify(env.record, env.rules).kind == EXACT
        assert sorted(env.rewards.values()) in ([-1.0, 1.0], [0.0, 0.0])
    with closing(Records(kept, reading=True)) as records:
        ids = records.ids()
    assert len(ids) == 2
    logs = [read(kept, match) for match in ids]
    assert env.record in logs
    assert all(fold(log).results for log in logs)


def test_a_seed_gives_the_same_episodes_and_none_other_ones() -> None:
    one, other = MatchEnv("hollow_flux"), MatchEnv("hollow_flux")
    logs = []
    for env in (one, other):
        played(env, 5)
        env.reset()  # the next one follows from the same seed
        logs.append([[encode(e) for e in env.record], env.seed])
    assert logs[0] == logs[1]
    one.reset(seed=6)
    assert one.seed != logs[0][1]


@pytest.mark.parametrize("game", GAMES)
def test_an_observation_says_what_the_seat_sees(game: str) -> None:
    """The rows are the cards by number, and the counts those of the zones."""
    env = MatchEnv(game)
    for n, _ in enumerate(episode(env, 3, stop=400)):
        if n % 20:
            continue
        agent = env.agent_selection
        seat, pos, layout = env.possible_agents.index(agent), env.view(agent), env.layout
        found = layout.split(env.observe(agent)["observation"])
        table = dict(zip(layout.table, found["table"][0], strict=True))
        assert (table["turn"], table["asked"]) == (pos.turn, 1)
        for zone in (z for z in env.rules.manifest.zones if not z.shared):
            assert table[f"my {zone.name}"] == len(pos.zone(zone.name, seat))
            assert table[f"rival {zone.name}"] == len(pos.zone(zone.name, 1 - seat))
        ids = {n: card for card, n in layout.cards.items()}
        rows = [row for row in found["cards"] if row[1]]
        assert Counter(ids.get(row[0], "") for row in rows) == Counter(
            card.id for card in pos.cards.values()
        )
        assert len([row for row in found["menu"] if row[0]]) == len(env.menu.lines)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_kept_of_the_table_is_what_is_there(game: str) -> None:
    """An observer that has packed it bit by bit sees what one sees that looks at it once."""
    env, seen = MatchEnv(game), 0
    for _ in episode(env, 8, stop=600):
        agent = env.agent_selection
        kept = env.observe(agent)["observation"]
        fresh = Observer(env.layout, env.possible_agents.index(agent))
        if seen % 7 == 0:
            fresh.follow(env.record)
            assert (fresh.observed(env.menu) == kept).all()
        seen += 1
    assert seen > 50


def test_the_hand_of_the_rival_is_in_no_observation() -> None:
    env = MatchEnv("gundam")
    env.reset(seed=1)
    while not env.view(env.agent_selection).zone("hand", 0):  # who begins is decided first
        env.step(0)
    rival = 1 - env.possible_agents.index(env.agent_selection)
    found = env.layout.split(env.observe(env.agent_selection)["observation"])["cards"]
    zone = env.layout.zones["hand"]
    hands = [row for row in found if row[1] == zone]
    assert hands
    assert all(row[2] == 1 for row in hands)
    assert len(env.view(env.agent_selection).zone("hand", rival)) == 5


def test_what_the_mask_rules_out_is_refused_and_changes_nothing() -> None:
    env = MatchEnv("gundam")
    env.reset(seed=1)
    before = env.observe(env.agent_selection)
    for action in (ACTIONS - 1, ACTIONS, -1):
        with pytest.raises(IllegalAction):
            env.step(action)
    after = env.observe(env.agent_selection)
    assert all((before[key] == after[key]).all() for key in before)


def test_an_episode_is_cut_off_at_its_limit(tmp_path: Path) -> None:
    env = MatchEnv("gundam", limit=30, keep=tmp_path / "cut.kifu")
    env.reset(seed=1)
    for _ in range(30):
        assert not any(env.truncations.values())
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert all(env.truncations.values())
    env.step(None)
    assert not fold(read(tmp_path / "cut.kifu")).results


def test_wrong_games_and_decks() -> None:
    with pytest.raises(KeyError):
        MatchEnv("whist")
    with pytest.raises(KeyError):
        MatchEnv("gundam", ["ST99", "ST01"])
    with pytest.raises(BadDeck):
        MatchEnv("gundam", [Deck("x", {"main": ["ST01-001"]})] * 2).reset()


def test_more_cards_than_there_are_rows_for_are_refused() -> None:
    env = MatchEnv("gundam")
    env.reset(seed=1)
    observer = Observer(Layout(env.rules, -TOKENS + 3), 0)
    observer.follow(env.record)
    with pytest.raises(TooManyCards):
        observer.observed(None)


@pytest.mark.parametrize(
    ("module", "lacking", "extra"),
    [("env", "pettingzoo", "env"), ("env", "numpy", "env"), ("tables", "pyarrow", "tables")],
)
def test_it_says_what_to_install(module: str, lacking: str, extra: str) -> None:
    program = f"import sys; sys.modules['{lacking}'] = None; import kifu.{module}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert f"{lacking} is not installed: pip install 'kifu[{extra}]'" in done.stderr


# -- menus -----------------------------------------------------------------------------------------

POOLS = (tuple(range(1, 4)), tuple(range(100, 230)))


def lines(menu: Menu) -> list[tuple[int, object]]:
    return [(one.sort, one.option.kind if one.option else one.ref) for one in menu.lines if one]


def test_parts_are_picked_one_by_one() -> None:
    option = Option("attack", 7, (Part("with", 0, 1, 2), Part("target", 1, 1, 1)))
    menu = Menu(Offer((Option("pass"), option), POOLS))
    assert lines(menu) == [(OPTION, "pass"), (OPTION, "attack")]
    assert menu.take(1) is None
    assert lines(menu) == [(PICK, 1), (PICK, 2), (PICK, 3)]
    assert menu.take(1) is None
    assert lines(menu) == [(PICK, 1), (PICK, 3), (DONE, 0)]
    assert menu.take(2) is None
    assert (menu.part, menu.now.picks) == ("target", ((2,), ()))
    act = menu.take(4)
    assert act == option.act(((2,), (104,)))
    fit(menu.offer, act)


def test_a_long_list_comes_in_pages() -> None:
    menu = Menu(Offer((Option("attack", 7, (Part("target", 1),)),), POOLS))
    menu.take(0)
    seen = []
    for _ in range(3):
        assert menu.lines[-1] == Line(PAGE)
        seen += [one.ref for one in menu.lines if one and one.sort == PICK]
        assert menu.take(ACTIONS - 1) is None
    assert tuple(seen) == POOLS[1]
    assert menu.page == 0
    assert menu.take(2) == Option("attack", 7).act(((102,),))


@pytest.mark.parametrize(
    ("high", "pages", "take"), [(9, 1, lambda m: m.take(4)), (500, 8, lambda m: m.take(4))]
)
def test_numbers_are_lines(high: int, pages: int, take: Callable[[Menu], object]) -> None:
    menu = Menu(Offer((Option("pay", 1, (Part("n", NUMBER, 2, high),)),)))
    menu.take(0)
    assert lines(menu)[0] == (AMOUNT, 2)
    assert -(-(high - 1) // (ACTIONS - 1)) == pages
    assert take(menu) == Option("pay", 1).act(((6,),))


def test_numbers_of_a_long_range_that_do_not_add_up_are_masked() -> None:
    exact = Limits(sums=(Sum("sum", (Term(0), Term(1)), 300, 300),))
    parts = (Part("n", NUMBER, 0, 400, exact), Part("m", NUMBER, 0, 1))
    menu = Menu(Offer((Option("pay", 1, parts),)))
    menu.take(0)
    found = []
    for _ in range(7):
        found += [line.ref for line in menu.lines if line and line.sort == AMOUNT]
        menu.take(ACTIONS - 1)
    assert found == [299, 300]


def test_what_is_paid_with_is_chosen_where_that_is_wanted() -> None:
    option = Option("deploy", 7, (Part("pay", 0, 2, 2),))
    assert Menu(Offer((option,), POOLS)).take(0) == option.act()
    menu = Menu(Offer((option,), POOLS), payments=True)
    assert menu.take(0) is None
    assert menu.take(2) is None
    assert menu.take(0) == option.act(((3, 1),))


def test_texts_are_not_written() -> None:
    secret = Option("hide", 1, (Part("text", SECRET, 0, 9), Part("target", 0)))
    text = Option("declare", 2, (Part("text", TEXT, 1, 9),))
    menu = Menu(Offer((text, secret), POOLS))
    assert lines(menu) == [(OPTION, "hide")]
    assert menu.take(0) is None
    assert menu.take(0) == secret.act((("",), (1,)))
    with pytest.raises(ValueError, match="asks for a text"):
        Menu(Offer((text,)))
