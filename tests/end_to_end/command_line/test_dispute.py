"""`kifu dispute` and `kifu why-not` against a server: a live match, what each token gets."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from domain.record.interventions import Looked
from domain.record.schema.policy import Policy
from service.client.client import Client, Opened
from tests.support.serving import Running, play
from tests.unit.cli.clis import answer, run


@pytest.fixture(scope="module")
def match(organiser: Client) -> Opened:
    """A live match in which looks are recorded, some decisions in."""
    opened = organiser.open_match(
        "gundam", ["Ann", "Ben"], ["ST01", "ST03"], seed=4, policy=Policy(replay_evidence="rulings")
    )
    play(tuple(map(organiser.with_token, opened.seats)), opened, Random(4), 30)
    return opened


def where(server: Running, match: Opened, token: str) -> tuple[str, ...]:
    return match.id, "--server", server.address, "--token", token


def looks(organiser: Client, match: Opened) -> list[tuple[str, str | None]]:
    events = [entry.event for entry in organiser.events(match.id)]
    return [(one.view, one.why.value) for one in events if isinstance(one, Looked)]


@pytest.mark.long
def test_each_token_gets_its_own_page(server: Running, match: Opened) -> None:
    tokens = {"A": match.seats[0], "B": match.seats[1], "public": match.public}
    pages = {
        name: answer("dispute", *where(server, match, token), "--decision", 20)
        for name, token in tokens.items()
    }
    for name, page in pages.items():
        assert page["viewer"] == name
        assert page["boards"][0]["viewer"] == name
        assert page["verified"]["kind"] == "exact"
        here = (*where(server, match, tokens[name]), "--decision", 20)
        assert answer("dispute", *here, "--as", "public") == pages["public"]
        for other in {"A", "B", "official"} - {name}:
            run("dispute", *here, "--as", other, code=4)


def test_an_official_says_why_he_looks(
    server: Running, organiser: Client, match: Opened, tmp_path: Path
) -> None:
    here = where(server, match, match.official)
    before = len(list(organiser.with_token(match.public).events(match.id)))
    for command, *act in (("dispute",), ("why-not", "A: end")):
        refused = run(command, *here, "--decision", 20, *act, code=2)
        assert "give a reason" in refused.stderr
    assert len(list(organiser.with_token(match.public).events(match.id))) == before
    run("dispute", *here, "--decision", 20, "--as", "public")
    assert len(list(organiser.with_token(match.public).events(match.id))) == before
    out = tmp_path / "page.html"
    found = run("dispute", *here, "--decision", 20, "--why", "a judge call", "-o", out)
    assert "your access is recorded" in found.stderr
    assert ("official", "a judge call") in looks(organiser, match)
    page = out.read_text("utf-8")
    assert "an official looked at everything" in page, "the look that it was made by is on it"
    assert "a judge call" in page


def test_why_not_for_each_token(server: Running, match: Opened) -> None:
    for name, token in (("A", match.seats[0]), ("B", match.seats[1])):
        own = answer("why-not", *where(server, match, token), "--decision", 20, "redraw")
        assert (own["seat"], own["reason"]) == ("AB".index(name), "ILLEGAL_ACT")
    asked = answer("why-not", *where(server, match, match.public), "--decision", 20, "B: redraw")
    assert asked == own | {"act": "B: redraw"}


def test_a_late_public_gets_a_page_of_what_is_released(
    server: Running, organiser: Client, match: Opened
) -> None:
    late = organiser.issue_tokens(match.id, "5 decisions").public
    here = where(server, match, late)
    page = answer("dispute", *here, "--decision", 10)
    assert page["verified"]["kind"] == "unknown"
    whole = answer("dispute", *where(server, match, match.public), "--decision", 10)
    assert (page["boards"], page["decisions"]) == (whole["boards"], whole["decisions"])
    last = organiser.position(match.id).decision
    assert last is not None
    run("dispute", *here, "--decision", last.n, code=3)
    run("why-not", *here, "--decision", last.n, "A: end", code=3)


def test_what_was_undone_is_asked_on_its_own_line(
    server: Running, organiser: Client, match: Opened
) -> None:
    here = where(server, match, match.official)
    n = next(
        one.n for one in reversed(list(organiser.decisions(match.id)))
        if one.n < 26 and one.seats[0].HasField("act")
    )  # fmt: skip
    call = ("--decision", n + 2, "--why", "a call")
    asked = [answer("why-not", *here, *call, act) for act in ("A: redraw", "B: end")]
    before = answer("dispute", *here, *call)
    organiser.rewind(match.id, n, "to try that again")
    after = answer("dispute", *here, *call)
    assert asked == [answer("why-not", *here, *call, act) for act in ("A: redraw", "B: end")]
    (was,), (now,) = before["decisions"], after["decisions"]
    assert was["undone"] == 0
    assert now == was | {"undone": now["undone"]}
    assert now["undone"] > 0
    assert after["boards"] == before["boards"]
    shared = min(len(after["followed"]), len(before["followed"]))
    assert shared > 0
    assert after["followed"][:shared] == before["followed"][:shared]
