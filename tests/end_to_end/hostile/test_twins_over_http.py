"""Two sites, each with one of two matches that a viewer can't tell apart, answer him the same.

At each entry: positions, lines, marks, causes, decisions, events, and what is not there; their
bodies as they are sent, their tags, their lengths and every other header. The twins are those of
`test_twins`, where the calls of the API are compared; here some of them are made over HTTP.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.record.entries import Entry
from domain.record.events import DecisionOpened
from service.store.derived import listing
from service.store.records import Records, Work
from service.web.connect.feeds import LINES
from service.web.views import name_of
from tests.end_to_end.hostile.test_twins import ID, TWINS, twins
from tests.support import serving
from tests.support.events import events

#: Of a match that goes on, its time: how long it was ago that it was opened.
_TIME = re.compile(rb'"time":[0-9]+')


def addresses(last: int, decisions: int, each: int) -> Iterator[str]:
    """All that a view has; what there is of entries and decisions, for one in `each`."""
    yield "now.json"
    for seq in (*range(1, last + 1, each), last - 1, last, last + 1, last + 900):
        yield from (f"at/{seq}", f"at/{seq}.json", f"entry/{seq}", f"entry/{seq}.json")
        yield from (f"lines/{seq - 1}-{seq}", f"lines/{max(seq - 40, 0)}-{seq}.json")
        yield f"marks/{max(seq - 40, 0)}-{seq}.json"
    for n in (*range(1, decisions, -(-each // 8)), decisions, decisions + 1):
        yield from (f"decision/{n}", f"decision/{n}.json")
    yield from (f"lines/0-{last}", "at/007", "lines/3-1", "nothing", "follow?after=x")


def answered(answer: httpx.Response, body: bytes) -> Any:
    """All that somebody is sent."""
    headers = [pair for pair in answer.headers.multi_items() if pair[0] != "date"]
    return str(answer.request.url.path), answer.status_code, headers, body


def responses(web: httpx.Client, root: str, headers: Any, paths: list[str]) -> Iterator[Any]:
    repeated = list[httpx.Response]()
    for path in paths:
        asked = web.build_request("GET", f"{root}/{path}", headers=headers)
        answer = web.send(asked, stream=True)
        body = b"".join(answer.iter_raw())
        yield answered(answer, _TIME.sub(b"", body) if path == "now.json" else body)
        answer.close()
        tag = answer.headers.get("etag", "")
        if tag and not repeated:
            repeated += [web.head(f"{root}/{path}", headers=headers)]
            repeated += [web.get(f"{root}/{path}", headers={**headers, "if-none-match": tag})]
            yield from (answered(one, one.content) for one in repeated)
    with web.stream("GET", f"{root}/follow", headers=headers) as answer:
        yield answered(answer, str(next(events(answer))).encode())


def by_program(web: httpx.Client, viewer: int, headers: Any, last: int) -> Iterator[Any]:
    """The answers to a program: feeds as they come, calls in JSON, refusals among them."""
    for what in ("entries", "positions?each=moment", "positions?after=-1&whole=1"):
        address = f"/api/feeds/{ID}/{what}{'&' if '?' in what else '?'}as={name_of(viewer)}"
        lines = list[str]()
        with web.stream("GET", address, headers={**headers, "accept": LINES.kind}) as answer:
            for line in answer.iter_lines():
                lines.append(line)
                if line and json.loads(line)["seq"] >= last:
                    break
        yield answered(answer, "".join(lines).encode())
    for method, asked in (
        ("GetPosition", {"at": {"seq": last // 2}}),
        ("ListEvents", {}),
        ("ListDecisions", {"withOffers": True}),
        ("Choose", {"decision": 999, "act": {"kind": "pass"}}),
        ("Choose", {"decision": 1, "act": {"kind": "attack", "card": {"number": 60}}}),
    ):
        path = f"/api/kifu.v1.MatchService/{method}"
        answer = web.post(path, json={"matchId": ID, **asked}, headers=headers)
        yield answered(answer, answer.content)


def served(
    folder: Path, log: list[Entry], key: Path, viewer: int, each: int, leak: str
) -> list[Any]:
    """The answers of a site with this match to a viewer, live and late."""
    data = folder / "matches.kifu"
    folder.mkdir()
    records = Records(data)
    records.write(Work(ID, log, listing.derive(ID, log)))
    records.close()
    if key.exists():
        shutil.copy(key, folder / "matches.kifu-key")
    paths = [
        *addresses(len(log), sum(isinstance(entry.event, DecisionOpened) for entry in log), each)
    ]
    with serving.running(data, http_port=0, leak=leak) as running:
        shutil.copy(folder / "matches.kifu-key", key)
        with running.client() as organiser, httpx.Client(base_url=running.web) as web:
            granted = organiser.issue_tokens(ID)
            late = organiser.issue_tokens(ID, public_delay="4 decisions").public
            mine = granted.public if viewer < 0 else granted.seats[viewer]
            found = list[Any]()
            own = f"/as/{name_of(viewer)}"
            for view, token in (("", ""), (own, mine), ("/as/public", late)):
                headers = {"authorization": f"Bearer {token}"} if token else {}
                some = paths if view == own else paths[::7]
                found += responses(web, f"/m/{ID}{view}", headers, some)
            for view, token in (("/as/official", mine), ("/as/seat-0", late)):
                headers = {"authorization": f"Bearer {token}"}
                for path in (*paths[::7], "follow"):
                    answer = web.get(f"/m/{ID}{view}/{path}", headers=headers)
                    assert answer.status_code == 404
                    found.append(answered(answer, answer.content))
            mine_only = {"authorization": f"Bearer {mine}"}
            return [*found, *by_program(web, viewer, mine_only, len(log))]


def difference(tmp_path: Path, twin: Any, each: int, leak: str = "") -> Any:
    both = [
        served(tmp_path / name, log, tmp_path / "key", twin[0], each, leak)
        for name, log in zip("ab", twins(*twin), strict=True)
    ]
    assert len(both[0]) == len(both[1]) > 40
    assert sum(answer[1] == 200 for answer in both[0]) > 40
    return next((pair for pair in zip(*both, strict=True) if pair[0] != pair[1]), None)


@pytest.mark.parametrize(
    ("twin", "each"),
    [(TWINS[0], 250), *(pytest.param(twin, 7, marks=pytest.mark.long) for twin in TWINS)],
    ids=lambda one: one if isinstance(one, int) else f"{one[0]}-{one[2].__name__}",
)
def test_two_sites_answer_a_viewer_the_same(tmp_path: Path, twin: Any, each: int) -> None:
    assert difference(tmp_path, twin, each) is None


@pytest.mark.long
def test_a_planted_leak_is_found(tmp_path: Path) -> None:
    found = difference(tmp_path, TWINS[0], 400, "page")
    assert found is not None
    assert found[0][:2] == found[1][:2]
