"""Photos of cards that no catalogue has: who may keep one, who sees it, and what is kept of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from domain.record.schema.policy import Policy
from service.client.client import Client, Opened
from service.store.tables.card_photos import BYTES
from tests.end_to_end.web.test_table import WATCH, Phone, typed, understood
from tests.support import serving
from tests.support.photos import PLACE, drawn, photo
from tests.support.serving import Running

OTHER = {**WATCH, "card_number": "PR-02", "name": "Night Watch"}


@pytest.fixture(scope="module")
def keeping(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server whose organiser keeps photos."""
    data = tmp_path_factory.mktemp("photos") / "matches.kifu"
    with serving.running(data, http_port=0, look={"card_photos": True}) as found:
        yield found


@pytest.fixture
def host(keeping: Running) -> Iterator[Client]:
    with keeping.client() as found:
        yield found


def begun(host: Client, web: Running, delay: str = "") -> tuple[Opened, Phone]:
    """A match that has brought a card, and its scorekeeper."""
    opened = host.open_match(
        "gundam", ["Ann", "Ben"], ["ST01", "ST03"], mode="table", rolls=[(0,)],
        policy=Policy(delay=delay),
    )  # fmt: skip
    phone = Phone(web, opened.id, opened.scorekeeper)
    phone.now()
    for line in ("first", "A: keep", "B: keep"):
        phone.tap(line)
    phone.tap(understood(typed(phone, **WATCH)), act="prints")
    return opened, phone


def sent(phone: Phone, file: bytes, card: str = "PR-01") -> httpx.Response:
    return phone.http.post(f"/photo/{card}", content=file, headers={"content-type": "image/jpeg"})


def seen(web: Running, match: str, view: str = "", token: str = "") -> httpx.Response:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    path = f"/as/{view}" if view else ""
    return httpx.get(f"{web.web}/m/{match}{path}/photo/PR-01", headers=headers)


def test_a_photo_is_kept_without_metadata_and_shown_with_its_card(
    keeping: Running, host: Client
) -> None:
    opened, phone = begun(host, keeping)
    assert "data-photo" in typed(phone, **OTHER)
    assert sent(phone, photo()).status_code == 200
    found = seen(keeping, opened.id)
    assert found.status_code == 200
    assert found.headers["content-type"] == "image/jpeg"
    assert found.headers["x-content-type-options"] == "nosniff"
    assert PLACE not in found.content
    assert drawn(found.content) == drawn(photo())
    known = {"if-none-match": found.headers["etag"]}
    assert httpx.get(str(found.url), headers=known).status_code == 304
    page = httpx.get(f"{keeping.web}/m/{opened.id}/card/PR-01?part=1").text
    assert f'src="/m/{opened.id}/photo/PR-01"' in page
    phone.tap("A: deploy harbour watch")
    board = httpx.get(f"{keeping.web}/m/{opened.id}/at/{phone.seq}").text
    assert f'src="/m/{opened.id}/photo/PR-01"' in board
    scene = httpx.get(f"{keeping.web}/overlay/{opened.id}/at/{phone.seq}").text
    assert f'src="/m/{opened.id}/photo/PR-01"' in scene
    own = {"authorization": f"Bearer {opened.seats[0]}"}
    board = httpx.get(f"{keeping.web}/m/{opened.id}/as/seat-0/at/{phone.seq}", headers=own).text
    assert f'src="/m/{opened.id}/as/seat-0/photo/PR-01"' in board
    assert host.verify(opened.id).verdict == 1


def test_a_photo_is_exchanged_and_removed(keeping: Running, host: Client) -> None:
    opened, phone = begun(host, keeping)
    sent(phone, photo())
    sent(phone, photo(30, 42))
    assert drawn(seen(keeping, opened.id).content)[0] == (30, 42)
    phone.tap("A: deploy harbour watch")
    number = next(n for n, card in host.position(opened.id).cards.items() if card.id == "PR-01")
    assert 'data-unphoto="PR-01"' in phone.line(card=number)
    assert sent(phone, b"").status_code == 200
    assert seen(keeping, opened.id).status_code == 404
    assert "data-unphoto" not in phone.line(card=number)
    assert "<img" not in httpx.get(f"{keeping.web}/m/{opened.id}/card/PR-01?part=1").text


def test_only_who_keeps_the_score_may_send_one_and_only_of_a_card_that_was_brought(
    keeping: Running, host: Client
) -> None:
    opened, phone = begun(host, keeping)
    other, _ = begun(host, keeping)
    refused = {"": 401, opened.seats[0]: 403, other.scorekeeper: 404}
    for token, status in refused.items():
        assert sent(Phone(keeping, opened.id, token), photo()).status_code == status
    for card in ("PR-02", "ST01-001", "x" * 300):
        assert sent(phone, photo(), card).status_code == 404
    assert sent(phone, b"<svg/>").status_code == 400
    assert sent(phone, photo(2_000, 8)).status_code == 400
    assert sent(phone, photo() + bytes(BYTES)).status_code == 429
    assert seen(keeping, opened.id).status_code == 404
    assert sent(Phone(keeping, opened.id, opened.official), photo()).status_code == 200


def test_whoever_does_not_know_the_card_yet_is_not_shown_its_photo(
    keeping: Running, host: Client
) -> None:
    opened, phone = begun(host, keeping, "3600s")
    assert sent(phone, photo()).status_code == 200
    assert seen(keeping, opened.id).status_code == 404
    assert seen(keeping, opened.id, "seat-0").status_code == 404
    assert seen(keeping, opened.id, "seat-0", opened.seats[1]).status_code == 404
    assert seen(keeping, opened.id, "seat-0", opened.seats[0]).status_code == 200


def test_no_photo_is_kept_where_nobody_asked_for_it(site: Running, organiser: Client) -> None:
    opened, phone = begun(organiser, site)
    assert "data-photo" not in typed(phone, **OTHER)
    assert sent(phone, photo()).status_code == 404
    assert seen(site, opened.id).status_code == 404


def test_a_photo_outlasts_the_server(tmp_path: Path) -> None:
    data, look = tmp_path / "matches.kifu", {"card_photos": True}
    with serving.running(data, http_port=0, look=look) as first, first.client() as host:
        opened, phone = begun(host, first)
        sent(phone, photo())
    with serving.running(data, http_port=0, look=look) as second:
        assert seen(second, opened.id).status_code == 200
    with serving.running(data, http_port=0) as third:
        assert seen(third, opened.id).status_code == 404, "it was switched off"
