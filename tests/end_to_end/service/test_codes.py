"""Short codes over the wire: who may issue, list and revoke them; anybody may exchange one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from kifu.v1 import code_service_pb2 as pb

from domain.record.decisions import Act
from service.client.client import CallError, Client, Opened, connect
from service.credentials import spelling
from service.credentials.attempts import EACH
from service.identity import Identity, Keys
from tests.support import serving
from tests.support.refusals import reason
from tests.support.serving import Running


def seats(match: str) -> list[pb.CodeHolder]:
    return [pb.CodeHolder(role="seat", match_id=match, seat=seat) for seat in range(2)]


@pytest.fixture
def nobody(server: Running) -> Iterator[Client]:
    """A client without a token."""
    with connect(server.address) as client:
        yield client


def test_a_code_is_exchanged_by_whoever_has_it(
    organiser: Client, nobody: Client, toy: Opened
) -> None:
    (ann, one), (ben, two) = organiser.issue_codes(seats(toy.id), 2)
    assert (one.holder.seat, two.holder.seat, one.issued_by) == (0, 1, "organiser")
    assert one.expire_time.seconds - one.issue_time.seconds == pytest.approx(2 * 86_400, abs=2)
    found = nobody.exchange_code(ann.lower())
    assert (found.role, found.match_id, found.seat, found.name) == ("seat", toy.id, 0, "Ann")
    assert found.expire_time.seconds <= one.expire_time.seconds
    nobody.with_token(found.token).choose(toy.id, 1, Act("pass"))
    for slip in (ann[:-1] + ("0" if ann[-1] != "0" else "1"), "", "x" * 500):
        assert reason(nobody.exchange_code, slip) == "CODE_MISTYPED"
    organiser.exchange_code(ben)  # who has a token may, too
    listed = {code.id: code for code in organiser.list_codes(match_id=toy.id)}
    assert [listed[code.id].exchanges for code in (one, two)] == [1, 1]
    assert ann not in str(listed)
    assert [code.code_id for code in organiser.list_tokens(code_id=one.id)] == [one.id]
    assert organiser.revoke_codes([one.id]) == (1, 1)
    assert reason(nobody.with_token(found.token).who_am_i) == "TOKEN_REVOKED"
    assert reason(nobody.exchange_code, ann) == "CODE_INVALID"
    assert organiser.revoke_codes(match_id=toy.id, keep_tokens=True) == (1, 0)
    assert [*organiser.list_codes(match_id=toy.id)] == []
    assert len([*organiser.list_codes(match_id=toy.id, past=True)]) == 2


def test_who_may_issue_list_and_revoke(organiser: Client, nobody: Client, toy: Opened) -> None:
    [(_, mine), _] = organiser.issue_codes(seats(toy.id))
    other = organiser.open_match("toy", ["A", "B"], ["ones", "tens"])
    [(_, foreign), _] = organiser.issue_codes(seats(other.id))
    official = organiser.with_token(toy.official)
    assert mine.id in [one.id for one in official.list_codes(match_id=toy.id)]
    assert reason(official.list_codes, match_id=other.id) == "MATCH_FOREIGN"
    assert reason(official.list_codes, event_id="e") == "EVENT_FOREIGN"
    for ids in ([foreign.id], [mine.id, foreign.id], ["2222222222"], [""]):
        assert reason(official.revoke_codes, ids) == "CODE_UNKNOWN"
    assert reason(official.issue_codes, seats(toy.id)) == "ROLE_REQUIRED"
    for token in (toy.seats[0], toy.public):
        low = organiser.with_token(token)
        assert reason(low.issue_codes, seats(toy.id)) == "ROLE_REQUIRED"
        assert reason(low.list_codes, match_id=toy.id) == "ROLE_REQUIRED"
        for ids in ([mine.id], ["2222222222"]):
            assert reason(low.revoke_codes, ids) == "ROLE_REQUIRED"
    for client in (nobody, nobody.with_token("x")):
        assert reason(client.issue_codes, seats(toy.id)).startswith("TOKEN_")
        assert reason(client.list_codes).startswith("TOKEN_")
        assert reason(client.revoke_codes, [mine.id]).startswith("TOKEN_")
    assert official.revoke_codes([mine.id]) == (1, 0)
    assert reason(organiser.revoke_codes) == "FIELD_INVALID"
    assert reason(organiser.revoke_codes, ["a"] * 1001) == "FIELD_INVALID"
    seat = pb.CodeHolder(role="seat", match_id=toy.id)
    for holders in (
        [], [pb.CodeHolder()], [seat], [pb.CodeHolder(role="seat", match_id=toy.id, seat=2)],
        [pb.CodeHolder(role="scorekeeper", match_id=toy.id)],
        [pb.CodeHolder(role="public", match_id=toy.id, delay="soon")],
        [pb.CodeHolder(role="official", match_id=toy.id, name="x" * 999)],
        seats(toy.id) * 501,
    ):  # fmt: skip
        assert reason(organiser.issue_codes, holders) == "FIELD_INVALID"
    for days in (-1, 400, float("nan"), float("inf")):
        assert reason(organiser.issue_codes, seats(toy.id), days) == "FIELD_INVALID"
    assert reason(organiser.issue_codes, [pb.CodeHolder(role="official", match_id="none")]) == (
        "MATCH_UNKNOWN"
    )


def test_refusals_are_the_same_bytes_and_guessing_ends(tmp_path: Path) -> None:
    data = tmp_path / "matches.kifu"
    with serving.running(data) as running, running.client() as organiser:
        toy = organiser.open_match("toy", ["A", "B"], ["ones", "tens"])
        (revoked, kept), (good, _) = organiser.issue_codes(seats(toy.id))
        organiser.revoke_codes([kept.id])
        keys = Keys.at(tmp_path / "matches.kifu-key")
        event, _ = keys.issue(Identity("official", "jo", event="evnt"), 1)
        jo = organiser.with_token(event)
        assert [*jo.list_tokens(event_id="evnt")] == [*jo.list_codes(event_id="evnt")] == []
        assert reason(jo.list_tokens, event_id="other") == "EVENT_FOREIGN"
        assert reason(jo.revoke_codes, [kept.id]) == "CODE_UNKNOWN"
        with connect(running.address) as nobody:
            found = []
            for n in range(EACH):
                request = pb.ExchangeCodeRequest(code=spelling.new() if n else revoked)
                with pytest.raises(grpc.RpcError) as caught:
                    nobody.codes.ExchangeCode(request, timeout=5)
                call: Any = caught.value
                found.append((call.code(), call.details(), call.trailing_metadata()))
            assert len({str(one) for one in found}) == 1
            for guess in (good, spelling.new()):
                with pytest.raises(CallError) as refused:
                    nobody.exchange_code(guess)
                assert (refused.value.reason, refused.value.code) == (
                    "TOO_MANY_CODES", "RESOURCE_EXHAUSTED",
                )  # fmt: skip
                assert 0 < (refused.value.after or 0) <= 60
        numbers = {
            pair[0].value: one.value
            for one in organiser.call(organiser.admin.GetMetrics, _metrics()).metrics
            if one.name == "kifu_codes_total" and (pair := one.labels)
        }
        assert numbers == {"wrong": EACH, "too many": 2}
        log = (tmp_path / "server.log").read_text()
        assert "too many wrong codes" in log
        assert good not in log


def _metrics() -> Any:
    from kifu.v1 import admin_service_pb2

    return admin_service_pb2.GetMetricsRequest()
