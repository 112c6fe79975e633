"""After any commands at a tournament the record leads to the state, and refusals leave no trace."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from copy import deepcopy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.engine.rulebook import Refused
from domain.tournament.acts import rounds, rows
from domain.tournament.acts.carrying import carry_out
from domain.tournament.acts.rows import EventAct
from domain.tournament.folding import apply
from domain.tournament.record import (
    CONCEDED,
    DRAFT,
    RULED,
    Deck,
    Format,
    Infraction,
    Outcome,
    Pools,
    Table,
)
from domain.tournament.state import Stage, State
from domain.tournament.tournament import Sender, Tournament
from domain.words.fields import Kind, typed
from tests.properties.strategies import examples
from tests.support.tournaments import BAD_LIST, LIST, RULES, by, opened

number = st.integers(0, 5)
texts = st.sampled_from(["", "why"])
outcomes = st.builds(
    Outcome,
    st.integers(0, 2),
    st.integers(0, 2),
    st.integers(0, 1),
    number,
    st.sampled_from(["played", CONCEDED, RULED]),
)
STRICT = Format(
    "lamps",
    best_of=3,
    seconds=60,
    infractions=(Infraction("slow", "Slow", "warning"),),
    conceding=True,
    reserved="match-loss",
    apart=True,
)
BUILT = replace(STRICT, pools=Pools(DRAFT, 3, most=2, changing=True))
people = st.lists(st.tuples(st.sampled_from(["Ann", "Bea", "Cy"]), texts))
#: What may stand in a field: by its name, or else by its sort.
BY_NAME: dict[str, st.SearchStrategy[Any]] = {
    "outcome": outcomes,
    "players": st.lists(st.integers(1, 5), max_size=2).map(tuple),
    "deck": st.sampled_from([LIST, BAD_LIST]),
    "pool": st.sampled_from([LIST, BAD_LIST, Deck("", {"side": ("A", "B", "C")})]),
    "format": st.sampled_from(
        [Format("lamps", best_of=3, seconds=60), STRICT, Format("lamps"), BUILT]
    ),
    "infraction": st.sampled_from(["", "slow", "x"]),
    "game_state": st.sampled_from(["", "accepted", "x"]),
    "seed": st.integers(1, 3),
    "player": number,
    "table": st.integers(1, 3),
    "tables": st.lists(st.integers(1, 3), max_size=2).map(tuple),
    "call": st.integers(1, 2),
    "entry": st.integers(20, 40),
    "kind": st.sampled_from(["warning", "frown", "game-loss", "disqualification"]),
    "name": st.sampled_from(["Dee", "Player 1"]),
    "role": st.sampled_from(["", "judge", "cook"]),
}
BY_KIND: dict[Kind, st.SearchStrategy[Any]] = {
    Kind.TEXT: texts,
    Kind.WORDS: texts,
    Kind.NAME: texts,
    Kind.NUMBER: number,
    Kind.PLAYER: number,
    Kind.ROUND: st.sampled_from([0, 0, 0, 1, 2]),
    Kind.SECONDS: st.integers(-1, 2),
    Kind.YES: st.booleans(),
}
#: Acts that move a round along, which are tried more often than others.
OFTEN = [rows.OpenRound, rows.StartRound, rows.EndRound, *[rows.ReportResult] * 6]
pairings = st.permutations(range(1, 6)).map(
    lambda who: [Table(1, who[0], who[1]), Table(2, who[2], who[3]), Table(3, who[4], 0)]
) | st.just([Table(1, 1, 2)]) | st.just([Table(1, 2, 2)])  # fmt: skip


def act_of(row: type[EventAct]) -> st.SearchStrategy[EventAct]:
    """Any act of a row."""
    fields = {
        name: BY_NAME[name] if name in BY_NAME else BY_KIND[one.field.kind]
        for name, one in typed(row).items()
        if name not in ("request_id", "preview")
    }
    return st.builds(row, **({"players": people} if row is rows.EnterPlayers else fields))


ACTS = {row: act_of(row) for row in rows.ROWS.values() if row is not rows.PairRound}


@st.composite
def commands(draw: st.DrawFn) -> tuple[EventAct | list[Table], int]:
    row = draw(st.sampled_from([*ACTS, *OFTEN, None, None]))
    act = draw(ACTS[row] if row is not None else pairings)
    return act, draw(st.integers(0, 3000))


def do(t: Tournament, by: Sender, act: EventAct | list[Table]) -> None:
    if isinstance(act, EventAct):
        carry_out(t, by, act, RULES)
    else:
        rounds.pair(t, by, act)


def sound(s: State) -> None:
    """The invariants at every entry."""
    for n, one in enumerate(s.rounds, 1):
        seated = Counter(player for table in one.tables.values() for player in table.players)
        assert one.number == n
        assert set(seated.values()) <= {1}
        assert one.stage == Stage.ENDED or n == len(s.rounds)
        if one.stage in (Stage.OPENED, Stage.STARTED, Stage.ENDED):
            playing = [p for table in one.tables.values() if table.second for p in table.players]
            assert {*playing} <= one.lists.keys() or not (one.format or s.format).mode
    for player in s.players.values():
        assert not player.accepted or not s.lists[player.list].faults
    seated = [player for pod in s.pods for player in pod]
    assert len(seated) == len({*seated} & {*s.players})


@given(
    st.lists(st.sampled_from([
        rows.RegisterPool, rows.HandInList, rows.AcceptLists, rows.ReopenList, rows.DropPlayer,
    ]).flatmap(lambda row: ACTS[row]), min_size=10, max_size=60)
)  # fmt: skip
@examples(60)
def test_every_card_of_a_deck_that_is_accepted_is_in_its_pool(found: list[EventAct]) -> None:
    t = opened(BUILT, people=5, accepted=False)
    for act in found:
        with suppress(Refused):
            carry_out(t, by(), act, RULES)
        for player in t.state.players.values():
            if player.accepted:
                parts = t.state.lists[player.list].deck.parts
                used = Counter(card for ids in parts.values() for card in ids)
                assert used <= Counter(t.state.pools[player.number].cards)


@given(st.lists(commands(), min_size=20, max_size=60), st.sampled_from(["table", ""]))
@examples(60)
def test_the_record_leads_to_what_is_and_refusals_leave_no_trace(
    found: list[tuple[EventAct | list[Table], int]], mode: str
) -> None:
    t = opened(replace(STRICT, mode=mode), people=5)
    folded, now = State(), 0
    for act, passed in found:
        for entry in t.collect():
            apply(folded, entry)
            sound(folded)
        assert folded == t.state
        now += passed
        try:
            do(t, by(now), act)
        except Refused:
            assert (t.collect(), t.state) == ([], folded)
        else:
            resumed = Tournament(deepcopy(folded))
            do(resumed, by(now), act)
            assert resumed.state == t.state
