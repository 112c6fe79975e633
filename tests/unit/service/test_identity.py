"""Tokens say who somebody is, as long as they last, and nothing else does."""

from __future__ import annotations

import stat
import time
from contextlib import closing
from pathlib import Path

import jwt
import pytest

from domain.record.views import OFFICIAL, PUBLIC
from service.credentials.issuing import load_revoked
from service.identity import (
    BadKey,
    BadToken,
    Identity,
    Keys,
    Role,
    keep_organiser_token,
    kept_organiser_token,
    of_event,
    of_match,
)
from service.settings import Settings
from service.store.records import Records, StoreError


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys.at(tmp_path / "key")


def organiser_token(keys: Keys, path: Path, days: float) -> str:
    token, _ = keys.issue(Identity("organiser", "organiser"), days)
    keep_organiser_token(token, path)
    return token


def reason(keys: Keys, token: str) -> str:
    with pytest.raises(BadToken) as caught:
        keys.check(token)
    return caught.value.reason


def test_a_token_says_who_its_holder_is(keys: Keys) -> None:
    for person in of_match("k7f3q", 2):
        token, lasting = keys.issue(person, 1)
        assert keys.check(token) == keys.check(token) == lasting
        assert (lasting.role, lasting.match, lasting.seat) == (person.role, "k7f3q", person.seat)


def test_everybody_sees_with_his_own_eyes() -> None:
    seen = [(person.role, person.viewer) for person in of_match("k7f3q", 2)]
    assert seen == [("official", OFFICIAL), ("seat", 0), ("seat", 1), ("public", PUBLIC)]
    keeper = [one for one in of_match("k7f3q", 2, table=True) if one.role == "scorekeeper"]
    assert [one.viewer for one in keeper] == [OFFICIAL]
    assert [one.role for one in of_match("k7f3q", 2, table=True, fork=True)] == ["official"]
    assert Identity("organiser", "o").viewer == OFFICIAL
    assert Identity("organiser", "o").may_see("anything")
    assert not Identity("official", "o", "k7f3q").may_see("other")


def test_the_publics_token_may_see_late_and_older_ones_do_not(keys: Keys) -> None:
    people = of_match("k7f3q", 2, table=True, delay="5 decisions")
    read = [keys.check(keys.issue(person, 1)[0]) for person in people]
    late = [(one.role, one.delay) for one in read if one.delay]
    assert late == [("public", "5 decisions")]
    token, _ = keys.issue(of_match("k7f3q", 2)[-1], 1)
    assert "delay" not in jwt.decode(token, options={"verify_signature": False})
    assert keys.check(token).delay == ""


def test_a_token_of_an_event_is_for_its_matches_and_for_no_other(keys: Keys) -> None:
    for person in of_event("k7f3", delay="300s"):
        token, lasting = keys.issue(person, 1)
        read = keys.check(token)
        assert (read, read.event, read.match) == (lasting, "k7f3", "")
        seen = [read.may_see(match) for match in ("k7f3.r1.t1", "k7f3", "k7f3q", "k7f.r1.t1", "")]
        assert seen == [True, False, False, False, False]
    assert [one.viewer for one in of_event("k7f3")] == [OFFICIAL, OFFICIAL, PUBLIC]
    token, _ = keys.issue(of_match("k7f3q", 2)[0], 1)
    assert "event" not in jwt.decode(token, options={"verify_signature": False})
    assert not keys.check(token).may_see("")


def test_a_token_expires_even_if_it_was_checked_before(
    keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, _ = keys.issue(of_match("k7f3q", 2)[1], 1)
    keys.check(token)
    expired, _ = keys.issue(of_match("k7f3q", 2)[1], -1)
    assert reason(keys, expired) == "TOKEN_EXPIRED"
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 86_401)
    assert reason(keys, token) == "TOKEN_EXPIRED"


def test_design_of_others_are_refused(keys: Keys) -> None:
    claims = {"iss": "kifu", "sub": "me", "role": "organiser", "match": "", "seat": -1}
    forged = {**claims, "exp": int(time.time()) + 99}
    assert reason(keys, jwt.encode(forged, "k" * 32, "HS256")) == "TOKEN_INVALID"
    assert reason(keys, jwt.encode(forged, None, "none")) == "TOKEN_INVALID"
    for junk in ("", "junk", "a.b.c", "é" * 40):
        assert reason(keys, junk) == "TOKEN_INVALID"
    token, _ = keys.issue(of_match("k7f3q", 2)[1], 1)
    head, body, signature = token.split(".")
    other = keys.issue(Identity("organiser", "o"), 1)[0].split(".")[1]
    assert reason(keys, f"{head}.{other}.{signature}") == "TOKEN_INVALID"
    assert reason(keys, f"{head}.{body}.") == "TOKEN_INVALID"


def test_the_key_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "key"
    token, _ = Keys.at(path).issue(Identity("organiser", "o"), 1)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Keys.at(path).check(token).role == "organiser"
    path.chmod(0o644)
    with pytest.raises(BadKey, match="read by others"):
        Keys.at(path)


@pytest.mark.parametrize("text", ["", "not hex", "abcd"])
def test_a_key_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "key"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(BadKey, match="is not a key"):
        Keys.at(path)


def test_the_organisers_token_is_for_its_owner_only(keys: Keys, tmp_path: Path) -> None:
    path = tmp_path / "token"
    for _ in range(2):
        token = organiser_token(keys, path, 1)
        assert path.read_text().strip() == token
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert keys.check(token).role == Role.ORGANISER


def test_organisers_tokens_are_revoked_for_good_and_others_are_not(tmp_path: Path) -> None:
    path = tmp_path / "key"
    keys = Keys.at(path)
    old, seat = organiser_token(keys, tmp_path / "token", 1), keys.issue(of_match("m", 2)[1], 1)[0]
    assert keys.check(old).role == "organiser"
    for _ in range(2):
        keys.revoke_organisers()
        assert reason(keys, old) == "TOKEN_REVOKED"
        assert keys.check(seat).role == "seat"
        new = organiser_token(keys, tmp_path / "token", 1)
        assert keys.check(new).role == "organiser"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert [file.name for file in tmp_path.iterdir() if "new" in file.name] == []
        keys = Keys.at(path)
        assert reason(keys, old) == "TOKEN_REVOKED"
        assert keys.check(new).role == "organiser"
        old = new


def test_the_organisers_token_is_reused_while_good_and_private(keys: Keys, tmp_path: Path) -> None:
    path = tmp_path / "token"
    assert kept_organiser_token(keys, path, 1) == ""
    token = organiser_token(keys, path, 10)
    assert kept_organiser_token(keys, path, 9) == token
    assert kept_organiser_token(keys, path, 11) == ""
    path.chmod(0o644)
    assert kept_organiser_token(keys, path, 9) == ""
    path.chmod(0o600)
    keys.revoke([keys.check(token).id])
    assert kept_organiser_token(keys, path, 9) == ""
    keep_organiser_token(keys.issue(of_match("m", 2)[0], 10)[0], path)
    assert kept_organiser_token(keys, path, 9) == ""


def test_a_token_is_revoked_by_its_id_and_no_other_is(keys: Keys) -> None:
    first, second = (keys.issue(of_match("m", 2)[1], 1) for _ in range(2))
    assert first[1].id != second[1].id
    assert keys.check(first[0]) == first[1]
    assert keys.revoke([first[1].id, first[1].id]) == 1
    assert keys.revoke([first[1].id]) == 0
    assert reason(keys, first[0]) == "TOKEN_REVOKED"
    assert keys.check(second[0]) == second[1]
    keys.distrust()
    assert reason(keys, second[0]) == "TOKEN_REVOKED"
    assert keys.check(keys.issue(of_match("m", 2)[1], 1)[0]).seat == 0


def test_a_token_without_an_id_is_none(keys: Keys) -> None:
    claims = {"iss": "kifu", "sub": "s", "role": "seat", "match": "m", "seat": 1}
    token = jwt.encode({**claims, "exp": int(time.time()) + 99}, keys._secret, "HS256")
    assert reason(keys, token) == "TOKEN_INVALID"


def test_where_revocations_cant_be_read_all_is_refused_that_was_issued_before(
    keys: Keys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, who = keys.issue(of_match("m", 2)[1], 1)
    with closing(Records(tmp_path / "matches.kifu")) as records:
        load_revoked(records, keys)
        assert keys.check(token) == who

        def damaged(*args: object) -> object:
            raise StoreError("damaged")

        monkeypatch.setattr(records, "rows", damaged)
        load_revoked(records, keys)
    assert reason(keys, token) == "TOKEN_REVOKED"


def test_a_clock_that_is_set_back_takes_nothing_from_a_token_and_gives_none_back(
    keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, who = keys.issue(of_match("m", 2)[1], 1)
    other, gone = keys.issue(of_match("m", 2)[1], 1)
    keys.revoke([gone.id])
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 7200)
    assert keys.check(token) == who
    assert reason(keys, other) == "TOKEN_REVOKED"


def test_keys_for_other_purposes_tell_nothing_of_each_other() -> None:
    keys, others = Keys(b"k" * 32), Keys(b"l" * 32)
    assert len({keys.of("pages"), keys.of("others"), others.of("pages"), b"k" * 32}) == 4
    assert keys.of("pages") == Keys(b"k" * 32).of("pages")


@pytest.mark.parametrize(
    ("host", "tls", "exposed"),
    [
        ("127.0.0.1", False, False), ("localhost", False, False), ("[::1]", False, False),
        ("0.0.0.0", False, True), ("::", False, True), ("192.168.0.7", False, True),
        ("kifu.example", False, True), ("0.0.0.0", True, False),
    ],
)  # fmt: skip
def test_who_can_listen_without_tls(host: str, tls: bool, exposed: bool) -> None:
    cert = Path("cert.pem") if tls else None
    settings = Settings(data=Path("x.kifu"), host=host, tls_cert=cert, tls_key=cert)
    assert settings.exposed == exposed
