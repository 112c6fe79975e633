"""What an event prints and exports: everybody is on it, in 80 columns, and nothing breaks out."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from domain.tournament.acts import players, pods, results, rounds
from domain.tournament.record import DRAFT, ELIMINATION, NO_SHOW, Format, Outcome, Pools, Table
from domain.tournament.state import State
from domain.tournament.tournament import Tournament
from replay_cli import output
from replay_cli.cells import width
from replay_cli.commands.credentials.slips import linked
from replay_cli.output import Failed
from replay_cli.reaching.connection import Access
from replay_cli.tournament import exporting, neighbours, overview
from replay_cli.tournament.printing import pages, plain
from replay_cli.tournament.printing.sheets import Code, Heading, Slip, by_name, pages_of
from replay_cli.tournament.reading import players as entering
from replay_cli.tournament.reading import rounds as reading
from service.api.tournaments.queries import standings_for
from service.credentials import spelling
from tests.support.tournaments import by, opened

NAMES = ["Ann Ösel", "<b>Ben</b> & Co", "山田 太郎", "=1+1", "W" * 80, "Zoë", "Dan, the Man"]
BEST_OF_3 = Format("lamps", mode="", best_of=3, rounds=3)


def event(names: list[str] = NAMES) -> Tournament:
    """Two rounds of seven players, the second going on: one has dropped, one result is missing."""
    t = Tournament.open(by(), "ev3t", "Harbour & <Open>", BEST_OF_3)
    players.enter(t, by(), [(name, f"k{n}") for n, name in enumerate(names, 1)])
    for pairs in ([(1, 2), (3, 4), (5, 6), (7, 0)], [(1, 3), (5, 7), (2, 4)]):
        rounds.pair(t, by(), [Table(n, *two) for n, two in enumerate(pairs, 1)])
        rounds.open_round(t, by())
        rounds.start(t, by())
        results.report(t, by(), 0, 1, Outcome(2, 1, winner=1))
        results.report(t, by(), 0, 2, Outcome(0, 2, winner=pairs[1][1], how=NO_SHOW))
        if len(t.state.rounds) == 1:
            results.report(t, by(), 0, 3, Outcome(1, 1, 1))
            results.correct(t, by(), 0, 3, Outcome(2, 1, winner=5), "misread")
            rounds.end(t, by())
            players.drop(t, by(), 6)
    return t


@pytest.fixture(scope="module")
def state() -> State:
    return event().state


class Texts(HTMLParser):
    """The texts of a page, and the tags that are in it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts += [data.strip()] if data.strip() else []


def sheets(s: State) -> dict[str, tuple[str, str]]:
    """Every sheet as a page and as text."""
    now, head = s.rounds[-1], overview.heading(s, s.rounds[-1], "14:05")
    seats = overview.seats(s, now, with_results=True)
    codes = {1: (Code("GOLF-7K2Q", "https://example.org/j/7K2Q", "A & B"),)}
    slips = overview.slips(s, now, codes, {1: "00112 33445"})
    return {
        "table": (pages.pairings(head, seats), plain.pairings(head, seats)),
        "name": (pages.pairings_by_name(head, seats), plain.pairings_by_name(head, seats)),
        "standings": (
            pages.standings(head, overview.standings(standings_for(s, official=True))),
            plain.standings(head, overview.standings(standings_for(s, official=True))),
        ),
        "slips": (pages.slips(head, slips), plain.slips(head, slips)),
    }


def test_everybody_is_on_every_sheet(state: State) -> None:
    for kind, (page, text) in sheets(state).items():
        found = Texts(page)
        assert "b" not in found.tags[: found.tags.index("body")]
        for player in state.players.values():
            if player.dropped and kind != "standings":
                assert player.name not in found.texts, kind
            else:
                assert any(player.name in one for one in found.texts), (kind, player.name)
                shown = player.name if width(player.name) < 20 else player.name[:12]
                assert shown in text, (kind, player.name)
        assert "Harbour & <Open>" in " ".join(found.texts)
        assert "round 2 of 3" in " ".join(found.texts)
        assert "round 2 of 3" in text


def test_texts_fit_80_columns(state: State) -> None:
    for kind, (_, text) in sheets(state).items():
        assert max(width(line) for line in text.splitlines()) <= 80, kind
    long = Heading("H" * 80, "round 3 of 5", "14:05")
    assert max(width(line) for line in plain.slips(long, [Slip(1, "A", "B")]).splitlines()) <= 80


def test_sheets_speak_their_language(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_asked", ["zh-Hant"])
    for kind, (page, text) in sheets(state).items():
        assert '<html lang="zh-Hant">' in page
        assert max(width(line) for line in text.splitlines()) <= 80, kind
        if kind == "slips":
            assert all(f"第 {n} 局" in shown for n in (1, 2, 3) for shown in (page, text))
        if kind == "standings":
            assert "勝-負-平" in text
            assert "W-L-D" not in page + text


def test_links_on_slips_say_their_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_asked", ["ja"])
    _, (link,) = linked(["GOLF-7K2Q"], "https://kifu.example/", "", "", Access())
    assert link == "https://kifu.example/in?lang=ja#GOLF-7K2Q"
    assert spelling.in_link(link) == "GOLF-7K2Q"


def test_pages_need_nothing_from_elsewhere(state: State) -> None:
    for page, _ in sheets(state).values():
        assert not re.search(r"src=|href=|url\(|<script|@import", page)
        assert page.count("<!doctype html>") == 1
    assert "@page { size: letter; }" in pages.pairings(Heading("X"), [], "letter")


def test_pairings_say_points_and_results(state: State) -> None:
    lines = plain.pairings(Heading("Cup"), overview.seats(state, state.rounds[0])).splitlines()
    assert (
        lines[0]
        == "Cup                                                            Pairings by table"
    )
    assert [" ".join(line.split()) for line in lines[2:]] == [
        "Table Player Player", "1 Ann Ösel 0 <b>Ben</b> & Co 0", "2 山田 太郎 0 =1+1 0",
        f"3 {'W' * 49}… 0 Zoë 0", "4 Dan, the Man 0 (bye)",
    ]  # fmt: skip
    text = plain.pairings(Heading("Cup"), overview.seats(state, state.rounds[1], with_results=True))
    assert [line.split()[-2:] for line in text.splitlines()[3:]] == [
        ["0", "2-1"], ["0-2", "no-show"], ["=1+1", "3"],
    ]  # fmt: skip


def test_slips_have_room_for_games_and_a_code(state: State) -> None:
    page, text = sheets(state)["slips"]
    assert page.count('<article class="slip') == 3
    assert page.count("<svg") == 1
    assert "A &amp; B" in page
    for found in ("Game 3", "00112 33445", "GOLF-7K2Q"):
        assert found in page
        assert found in text
    one_game = pages.slips(Heading("X"), [Slip(1, "A", "B")])
    assert "Game 1" not in one_game


@pytest.mark.parametrize(
    ("count", "expected"),
    [(0, []), (1, [[1]]), (4, [[1, 2, 3, 4]]), (5, [[1, 3, 5], [2, 4]]),
     (8, [[1, 3, 5, 7], [2, 4, 6, 8]])],
)  # fmt: skip
def test_slips_are_in_order_once_the_stack_is_cut(count: int, expected: list[list[int]]) -> None:
    slips = [Slip(n, "A", "B") for n in range(1, count + 1)]
    assert [[one.table for one in page] for page in pages_of(slips, 4)] == expected


def test_by_name_is_alphabetical(state: State) -> None:
    found = [one.name for one in by_name(overview.seats(state, state.rounds[0]))]
    assert found == sorted(found, key=str.casefold)
    assert len(found) == 7


# -- exports ---------------------------------------------------------------------------------------


def test_exports_have_the_same_rows_in_both_forms(state: State) -> None:
    found = exporting.standings(state, standings_for(state, official=True))
    for rows in (exporting.results(state), exporting.players(state), found):
        assert json.loads(exporting.as_json(rows)) == rows
        lines = exporting.as_csv(rows)
        assert lines.startswith("\ufeff")
        assert lines.count("\r\n") == len(rows) + 1
    assert exporting.as_csv([]) == ""


def test_no_text_is_a_formula_of_the_spreadsheet_that_opens_it(
    state: State, tmp_path: Path
) -> None:
    file = tmp_path / "players.csv"
    file.write_text(exporting.as_csv(exporting.players(state)), "utf-8")
    assert ",'=1+1," in file.read_text("utf-8")
    assert [one.name for one in entering.players(file, []).players] == NAMES


def test_standings_are_exported_with_what_decided(state: State) -> None:
    rows = exporting.standings(state, standings_for(state, official=True))
    # Dan had a bye and an opponent who did not come: who has won 1 of 2 matches, 2 of 5 games.
    assert rows[0] == {
        "rank": 1, "number": 7, "name": "Dan, the Man", "key": "k7", "points": 6, "won": 2,
        "lost": 0, "drawn": 0, "byes": 1, "OMW%": 50, "GW%": 100, "OGW%": 40, "dropped": False,
    }  # fmt: skip
    assert [row["name"] for row in rows if row["dropped"]] == ["Zoë"]


def test_exported_results_can_be_read_back(state: State, tmp_path: Path) -> None:
    rows = exporting.results(state, state.rounds[:1])
    assert [(row["result"], row["winner"], row["corrected"]) for row in rows] == [
        ("2-1", "Ann Ösel", False), ("0-2 no-show", "=1+1", False), ("2-1", "W" * 80, True),
        ("2-0 bye", "Dan, the Man", False),
    ]  # fmt: skip
    path = tmp_path / "results.csv"
    path.write_text(exporting.as_csv(rows), "utf-8")
    tables = [Table(one.number, one.first, one.second) for one in state.rounds[0].tables.values()]
    found = reading.results(path, overview.people(state), tables, 3)
    read = {number: one.outcome for number, one in found.items()}
    assert read == {number: one.outcome for number, one in state.rounds[0].tables.items()}
    with pytest.raises(Failed, match="Zoë has dropped"):
        reading.pairings(path, overview.people(state))


# -- other sites -----------------------------------------------------------------------------------


def test_players_are_written_in_the_columns_of_melee() -> None:
    t = opened(people=0)
    players.enter(t, by(), [("Ann Mae Abel", "ann@example.org"), ("Berg, Ben", "77"), ("Zed", "")])
    players.drop(t, by(), 3)
    rows = neighbours.melee(t.state)
    assert exporting.as_csv(rows).splitlines() == [
        "\ufeffEmail,FirstName,LastName", "ann@example.org,Ann Mae,Abel", ",Ben,Berg",
    ]  # fmt: skip


def test_players_are_written_a_line_each_for_topdeck() -> None:
    t = opened(people=0)
    players.enter(t, by(), [("Ann", "ann@example.org"), ("Ben", "7"), ("Cleo", ""), ("Dan", "")])
    players.drop(t, by(), 4)
    assert neighbours.topdeck(t.state) == "Ben\nCleo\n"
    assert neighbours.topdeck_emails(t.state) == "ann@example.org\n"


def test_pods_are_printed_seat_by_seat_with_neighbours_who_play_on() -> None:
    t = opened(Format("lamps", mode="", pools=Pools(DRAFT, 8)), 11, accepted=False)
    pods.draw(t, by(), seed=5)
    first = t.state.pods[0]
    players.drop(t, by(), first[1])
    found = overview.pods(t.state)
    assert [(one.pod, one.seat) for one in found] == [
        (n, seat) for n, pod in enumerate(t.state.pods, 1) for seat in range(1, len(pod) + 1)
    ]
    names = [f"Player {n}" for n in first]
    assert (found[0].left, found[0].right) == (names[2], names[-1])
    assert (found[1].left, found[1].right, found[1].dropped) == ("", "", True)
    assert found[2].right == names[0]
    head = overview.heading(t.state)
    page, text = Texts(pages.pods(head, found)), plain.pods(head, found)
    for one in found:
        assert one.name in page.texts
        assert one.name in text
    assert all(width(line) <= 80 for line in text.splitlines())


def test_an_elimination_is_written_as_challonge_shows_it() -> None:
    t = opened(Format("lamps", mode="", best_of=3), 4)
    for pairs in ([(1, 4), (2, 3)], [(4, 2)]):
        tables = [Table(n, *pair) for n, pair in enumerate(pairs, 1)]
        rounds.pair(t, by(), tables, ELIMINATION)
        rounds.open_round(t, by())
        rounds.start(t, by())
        results.report(t, by(), 0, 1, Outcome(0, 2, 0, pairs[0][1]))
        if len(pairs) > 1:
            results.report(t, by(), 0, 2, Outcome(2, 1, 0, 2))
            rounds.end(t, by())
    found = neighbours.challonge(t.state)["tournament"]
    assert json.loads(exporting.as_json(found)) == found
    matches = [one["match"] for one in found["matches"]]
    shown = [(m["round"], m["player1_id"], m["player2_id"], m["winner_id"]) for m in matches]
    assert shown == [(1, 1, 4, 4), (1, 2, 3, 2), (2, 4, 2, 2)]
    assert [m["scores_csv"] for m in matches] == ["0-2", "2-1", "0-2"]
    ranks = {p["participant"]["id"]: p["participant"]["final_rank"] for p in found["participants"]}
    assert ranks == {2: 1, 4: 2, 1: 3, 3: 3}
