"""Tokens that were issued are known, can be revoked, and are invalid from then on."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from domain.record.decisions import Act
from service.client.client import Client, Opened
from tests.support import serving
from tests.support.refusals import reason


def ids(client: Client, **which: Any) -> list[str]:
    return [one.id for one in client.list_tokens(**which)]


def test_what_was_issued_is_listed(organiser: Client, toy: Opened) -> None:
    found = [*organiser.list_tokens(match_id=toy.id)]
    assert [(one.role, one.issued_by) for one in found] == [
        (role, "organiser") for role in ("public", "seat", "seat", "official")
    ]
    assert [one.seat for one in found if one.HasField("seat")] == [1, 0]
    assert [one.id for one in found] == [
        organiser.with_token(token).who_am_i().token_id
        for token in (toy.public, toy.seats[1], toy.seats[0], toy.official)
    ]
    organiser.issue_tokens(toy.id, "300s")
    assert [one.delay for one in organiser.list_tokens(match_id=toy.id, role="public")] == [
        "300s", "",
    ]  # fmt: skip
    assert ids(organiser, match_id=toy.id, seat=1)[1:] == [found[1].id]
    assert ids(organiser, event_id=toy.id) == []
    assert len(ids(organiser, match_id=toy.id)) == 8
    assert "organiser" in {one.role for one in organiser.list_tokens()}


def test_pages_of_tokens(organiser: Client, toy: Opened) -> None:
    from kifu.v1 import identity_service_pb2 as pb

    request = pb.ListTokensRequest(filter=pb.TokenFilter(match_id=toy.id), page_size=3)
    whole = ids(organiser, match_id=toy.id)
    assert [
        one.id for one in organiser.pages(organiser.identity.ListTokens, request, "tokens")
    ] == (whole)
    first = organiser.call(
        organiser.identity.ListTokens,
        pb.ListTokensRequest(filter=pb.TokenFilter(match_id=toy.id), page_size=3),
    )
    other = pb.ListTokensRequest(page_token=first.next_page_token)
    assert reason(organiser.call, organiser.identity.ListTokens, other) == "FIELD_INVALID"


def test_who_may_list_and_revoke(organiser: Client, toy: Opened) -> None:
    other = organiser.open_match("toy", ["A", "B"], ["ones", "tens"])
    official = organiser.with_token(toy.official)
    assert ids(official, match_id=toy.id) == ids(organiser, match_id=toy.id)
    [foreign, *_], [head, *_] = ids(organiser, match_id=other.id), ids(organiser, role="organiser")
    for which, foreign_reason in (
        ({"match_id": other.id}, "MATCH_FOREIGN"),
        ({"event_id": "x", "match_id": toy.id}, "EVENT_FOREIGN"),
        ({"event_id": toy.id}, "EVENT_FOREIGN"),
    ):
        assert reason(official.list_tokens, **which) == foreign_reason
        assert reason(official.withdraw_tokens, **which) == foreign_reason
    for which in ({}, {"role": "seat"}):
        assert reason(official.list_tokens, **which) == "FIELD_INVALID"
    assert reason(official.withdraw_tokens, role="seat") == "FIELD_INVALID"
    for unknown in (foreign, head, "2222222222", "", "x" * 900):
        assert reason(official.withdraw_tokens, [unknown]) == "TOKEN_UNKNOWN"
    seat_id = organiser.with_token(toy.seats[0]).who_am_i().token_id
    assert reason(official.withdraw_tokens, [seat_id, foreign]) == "TOKEN_UNKNOWN"
    assert organiser.with_token(toy.seats[0]).who_am_i().seat == 0  # none of them was revoked
    for token in (toy.seats[0], toy.public):
        nobody = organiser.with_token(token)
        assert reason(nobody.list_tokens, match_id=toy.id) == "ROLE_REQUIRED"
        assert reason(nobody.withdraw_tokens, match_id=toy.id) == "ROLE_REQUIRED"
        assert reason(nobody.withdraw_tokens, [foreign]) == "ROLE_REQUIRED"
        assert reason(nobody.withdraw_tokens, ["2222222222"]) == "ROLE_REQUIRED"
    for client in (organiser.with_token(""), organiser.with_token("x")):
        assert reason(client.list_tokens).startswith("TOKEN_")
        assert reason(client.withdraw_tokens, [foreign]).startswith("TOKEN_")
    assert reason(organiser.withdraw_tokens) == "FIELD_INVALID"
    assert reason(organiser.withdraw_tokens, role="judge") == "FIELD_INVALID"
    assert reason(organiser.withdraw_tokens, ["a"] * 1001) == "FIELD_INVALID"
    assert reason(organiser.withdraw_tokens, [organiser.who_am_i().token_id]) == "TOKEN_OWN"


def test_revoked_is_revoked_on_streams_and_after_a_restart(tmp_path: Path) -> None:
    data = tmp_path / "matches.kifu"
    running = serving.start(data)
    with running.client() as client:
        toy = client.open_match("toy", ["A", "B"], ["ones", "tens"])
        second = client.issue_tokens(toy.id)
        official, seats = client.with_token(toy.official), [*map(client.with_token, toy.seats)]
        watched, idle = official.watch(toy.id, patience=0), seats[1].watch(toy.id, patience=0)
        playing = seats[0].playing()
        next(watched)
        for _ in range(client.match(toy.id).entries):  # it waits for the next one then
            next(idle)
        playing.choose(toy.id, 1, Act("pass"))
        assert client.withdraw_tokens(match_id=toy.id, role="official") == 2
        assert reason(lambda: [*watched]) == "TOKEN_REVOKED"
        assert reason(official.note, toy.id, "so") == "TOKEN_REVOKED"
        gone = seats[1].who_am_i().token_id
        next(idle)
        start = time.monotonic()
        assert client.withdraw_tokens([gone, gone]) == 1
        assert reason(lambda: [*idle]) == "TOKEN_REVOKED"  # nothing has to happen first
        assert time.monotonic() - start < 5
        assert client.withdraw_tokens(match_id=toy.id, seat=0) == 2
        assert reason(playing.choose, toy.id, 2, Act("pass")) == "TOKEN_REVOKED"
        assert client.withdraw_tokens(match_id=toy.id, seat=0) == 0
        client.with_token(second.seats[1]).choose(toy.id, 2, Act("pass"))
        left = ids(client, match_id=toy.id)
        past = [*client.list_tokens(match_id=toy.id, past=True)]
        assert (len(left), len(past)) == (3, 8)
        assert {one.revoked_by for one in past if one.HasField("revoke_time")} == {"organiser"}
        clear = {one.id: one for one in past}
        assert not any(clear[one].HasField("revoke_time") for one in left)
    assert running.stop() == 0
    kept = b"".join(path.read_bytes() for path in (data, tmp_path / "server.log"))
    assert toy.official.encode() not in kept
    assert gone.encode() in kept
    with serving.running(data) as repeated, repeated.client() as client:
        assert repeated.token == running.token  # that of the file, which is good for long
        assert reason(client.with_token(toy.official).who_am_i) == "TOKEN_REVOKED"
        assert client.with_token(second.seats[1]).who_am_i().seat == 1
        assert ids(client, match_id=toy.id) == left
        new = client.revoke_tokens()
        fresh = client.with_token(new)
        [one] = fresh.list_tokens(role="organiser")
        assert one.id == fresh.who_am_i().token_id
