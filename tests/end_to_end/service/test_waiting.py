"""Matches that wait, through the real server: listed so, begun by officials, resumed."""

from __future__ import annotations

from pathlib import Path
from random import Random

from domain.record.decisions import Act
from domain.record.interventions import MatchBegan
from service.client.client import Client, Opened
from service.store.derived import checks
from service.store.records import Records
from tests.support.refusals import reason
from tests.support.serving import play, start

PEOPLE = ("toy", ["Ann", "Ben"], ["ones", "tens"])


def waiting(organiser: Client, **more: object) -> Opened:
    return organiser.open_match(*PEOPLE, wait=True, **more)  # type: ignore[arg-type]


def states(organiser: Client, opened: Opened) -> list[str]:
    found = []
    for state in ("waiting", "live", "ended", ""):
        ids = [one.id for one in organiser.list_matches(state=state)]
        found += [state] * (opened.id in ids)
    return found


def test_it_is_listed_as_waiting_until_it_begins(organiser: Client) -> None:
    opened = waiting(organiser)
    ann, judge = (organiser.with_token(one) for one in (opened.seats[0], opened.official))
    assert states(organiser, opened) == ["waiting", ""]
    found = ann.match(opened.id)
    assert (found.state, found.waits, found.decision, found.chance) == (3, "official", 0, "system")
    assert reason(ann.choose, opened.id, 1, Act("pass")) == "MATCH_WAITING"
    assert ann.why_not(opened.id, Act("pass")).reason == "MATCH_WAITING"
    assert reason(ann.begin, opened.id) == "ROLE_REQUIRED"
    recorded = judge.begin(opened.id, "they sit", request_id="r-1")
    assert recorded.decision == 1
    assert judge.begin(opened.id, "they sit", request_id="r-1") == recorded
    assert reason(judge.begin, opened.id) == "MATCH_BEGUN"
    assert states(organiser, opened) == ["live", ""]
    began = [e for e in organiser.events(opened.id) if isinstance(e.event, MatchBegan)]
    assert len(began) == 1
    play(tuple(map(organiser.with_token, opened.seats)), opened, Random(3))
    assert states(organiser, opened) == ["ended", ""]
    assert organiser.verify(opened.id).verdict == 1


def test_whose_seed_is_in_clear_is_marked(organiser: Client) -> None:
    opened = organiser.open_match(*PEOPLE, seed=3)
    assert organiser.match(opened.id).chance == "seed"
    assert organiser.position(opened.id).heading.chance == "seed"


def test_it_waits_on_after_a_restart(tmp_path: Path) -> None:
    data = tmp_path / "kifu.db"
    server = start(data)
    opened = waiting(server.client())
    server.kill()
    server = start(data)
    organiser = server.client()
    assert states(organiser, opened) == ["waiting", ""]
    judge = organiser.with_token(opened.official)
    assert judge.begin(opened.id).decision == 1
    server.kill()
    records = Records(data)
    assert checks.faults(records, opened.id) == []
    records.close()
