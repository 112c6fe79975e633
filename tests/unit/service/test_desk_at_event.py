"""Penalties in a match of an event: for its infractions, by its policy, counted where it counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kifu.v1 import desk_service_pb2 as desk

from domain.engine.rulebook import Refused
from domain.tournament.acts import penalties
from domain.tournament.record import Format, Infraction
from domain.tournament.state import match_id
from service.api.calls.errors import Fault
from service.identity import Identity, Role
from tests.support.halls import Hall, hall, person, started
from tests.support.in_process import HEAD

SLOW = Infraction("slow-play", "Slow play", "warning", "game-loss", "trm:7.4")
LATE = Infraction("late", "", "warning", late=((0, "warning"), (300, "game-loss")))
FORMAT = Format("toy", 3, "dealer", seconds=3000, infractions=(SLOW, LATE), reserved="match-loss")


async def given(h: Hall, who: Identity, seat: int = 1, **fields: Any) -> Any:
    """Penalise a seat of the first table."""
    match = fields.pop("match", match_id(h.id, 1, 1))
    request = desk.RecordPenaltyRequest(match_id=match, seat=seat, **fields)
    return await h.servicers.desk.record_penalty(request, who)


async def test_what_it_is_for_is_counted_at_the_event(tmp_path: Path) -> None:
    async with hall(tmp_path / "m.kifu", FORMAT) as h:
        await started(h)
        judge, slowly = person(Role.OFFICIAL, h, 1), {"kind": "warning", "infraction": "slow-play"}
        await given(h, judge, **slowly, game_state="accepted")
        (one,) = (await h.state()).penalties.values()
        assert (one.player, one.infraction, one.game_state) == (2, "slow-play", "accepted")
        assert (one.note, one.match) == ("", match_id(h.id, 1, 1))
        made = penalties.proposed(await h.state(), 2, "slow-play", 0)
        assert (made.usual, made.kind, len(made.earlier)) == ("warning", "game-loss", 1)
        first = await given(h, judge, **slowly, note="so slow", request_id="p")
        repeated = await given(h, judge, **slowly, note="so slow", request_id="p")
        assert first.recorded == repeated.recorded
        assert [one.note for one in (await h.state()).penalties.values()] == ["", "so slow"]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"infraction": "taunts"}, "NO_SUCH_INFRACTION"),
        ({"game_state": "lost"}, "BAD_GAME_STATE"),
        ({"kind": "", "infraction": "slow-play"}, "NO_SUCH_PENALTY"),
        ({"kind": "match-loss", "infraction": "slow-play"}, "HEAD_JUDGE_ONLY"),
        ({"infraction": "x" * 500}, "FIELD_INVALID"),
        ({"seat": 7, "infraction": "slow-play"}, "NO_SUCH_SEAT"),
    ],
)
async def test_what_makes_no_sense_is_refused(
    tmp_path: Path, fields: dict[str, Any], reason: str
) -> None:
    async with hall(tmp_path / "m.kifu", FORMAT) as h:
        await started(h)
        with pytest.raises((Refused, Fault)) as caught:
            await given(h, person(Role.OFFICIAL, h, 1), **{"kind": "warning", **fields})
        error = caught.value
        assert (error.refusal.fault if isinstance(error, Refused) else error.reason) == reason
        assert not (await h.state()).penalties


async def test_only_officials_of_the_match_penalise_in_it(tmp_path: Path) -> None:
    async with hall(tmp_path / "m.kifu", FORMAT) as h:
        await started(h)
        for who in (person(Role.SEAT, h, 1), person(Role.OFFICIAL, h, 2), person(Role.PUBLIC, h)):
            with pytest.raises(Fault):
                await given(h, who, kind="warning", infraction="slow-play")
        assert not (await h.state()).penalties


async def test_a_match_of_no_event_has_no_infractions(tmp_path: Path) -> None:
    async with hall(tmp_path / "m.kifu", FORMAT) as h:
        match = await h.servicers.open()
        with pytest.raises(Refused) as caught:
            await given(h, HEAD, match=match, kind="warning", infraction="slow-play")
        assert caught.value.refusal.fault == "NO_SUCH_INFRACTION"
        await given(h, HEAD, match=match, kind="warning")


async def test_one_late_arrival_is_penalised_once_or_more_gravely(tmp_path: Path) -> None:
    async with hall(tmp_path / "m.kifu", FORMAT) as h:
        await started(h)
        late = {"infraction": "late"}
        await h.ask("PenalisePlayer", player=2, kind="warning", round=1, **late)
        with pytest.raises(Refused) as caught:
            await given(h, HEAD, kind="warning", request_id="p", **late)
        assert caught.value.refusal.fault == "SAME_PENALTY"
        assert str(caught.value.refusal.text).startswith(
            "for that Player 2 was given warning in round 1"
        )
        first = await given(h, HEAD, kind="game-loss", request_id="q", **late)
        assert (await given(h, HEAD, kind="game-loss", request_id="q", **late)) == first
        await h.state()
        with pytest.raises(Refused):
            await h.ask("PenalisePlayer", player=2, kind="game-loss", round=1, **late)
        await given(h, HEAD, seat=0, kind="warning", **late)
        assert [one.kind for one in (await h.state()).penalties.values()] == [
            "warning", "game-loss", "warning",
        ]  # fmt: skip


async def test_who_has_dropped_is_penalised_once_more(tmp_path: Path) -> None:
    async with hall(tmp_path / "m.kifu", FORMAT) as h:
        await started(h)
        await given(h, HEAD, kind="disqualification", infraction="slow-play")
        s = await h.state()
        assert s.players[2].dropped
        await given(h, HEAD, kind="warning", infraction="slow-play")
        assert len((await h.state()).penalties) == 2
        assert s.rounds[0].tables[1].outcome == (await h.state()).rounds[0].tables[1].outcome
