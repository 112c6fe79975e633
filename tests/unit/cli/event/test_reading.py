"""Files that people bring to an event: whatever wrote them, whatever is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.engine import timekeeping
from domain.games import rulebook
from domain.record.schema.policy import EndOfTime
from domain.telling.book import Book
from domain.text import outcomes
from domain.text.outcomes import BadOutcome
from domain.tournament import manuals
from domain.tournament.acts import checks
from domain.tournament.record import BY_CHART, Outcome, Pools, Table
from domain.tournament.standings import DEFAULT
from replay_cli.output import Failed
from replay_cli.tournament.reading import event, players, rounds
from replay_cli.tournament.reading.people import Nobody, People, Person

TABLE = 'name,id,deck\nAnn Ösel,K1,ST01\n\n"Berg, Ben",K2,lists/ben.toml\n'


def file(tmp_path: Path, data: str | bytes, name: str = "players.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def faults(*lines: str) -> list[str]:
    """What is said of a faulty file, its name aside."""
    return [line.partition(".csv: ")[2] or line for line in lines]


def reasons(failed: pytest.ExceptionInfo[Failed]) -> list[str]:
    return faults(*(failed.value.hints or [failed.value.text]))


@pytest.mark.parametrize(
    "data",
    [
        TABLE,
        "\ufeff" + TABLE,
        TABLE.encode("utf-16"),
        TABLE.encode("utf-16-le"),
        TABLE.encode("utf-16-be"),
        TABLE.replace("\n", "\r\n"),
        TABLE.replace("\n", "\r"),
        TABLE.replace(",", ";").replace("Berg;", "Berg,"),
        TABLE.replace(",", "\t").replace("Berg\t", "Berg,"),
        TABLE.replace(",", "|").replace("Berg|", "Berg,"),
        "sep=;\n" + TABLE.replace(",", ";").replace("Berg;", "Berg,"),
        "# players.csv\n" + TABLE,
        "\n\n" + TABLE.replace("name,id", "Player Name,PLAYER-ID").replace("deck", "Deck List"),
        TABLE.replace("deck\n", "deck,town\n").replace("ST01", "ST01,Ulm"),
        "deck,last name,first name,id\nST01,Ösel,Ann,K1\nlists/ben.toml,Ben,\"Berg,\",K2\n",
    ],
)  # fmt: skip
def test_a_table_may_come_from_any_program(tmp_path: Path, data: str | bytes) -> None:
    found = players.players(file(tmp_path, data))
    assert [(one.name, one.key, one.deck) for one in found.players] == [
        ("Ann Ösel", "K1", "ST01"), ("Berg, Ben", "K2", "lists/ben.toml"),
    ]  # fmt: skip
    assert found.ignored in ((), ("town",))


LONG = "x" * 81


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("", ["no column is headed 'name'"]),
        ("Ann,K1\nBen,K2\n", ["no column is headed 'name'"]),
        (
            TABLE.encode("latin-1"),
            ["line 2: this is neither UTF-8 nor UTF-16: save it as CSV in UTF-8"],
        ),
        ("name\n", ["it has no players"]),
        (
            "name,id\nAnn,1\nann,1\n,2\n",
            [
                "line 3, column name: 'ann' stands on line 2 too: add what tells them apart,"
                " a key or a name",
                "line 3, column key: '1' stands on line 2 too",
                "line 4, column name: a name is missing",
            ],
        ),
        (
            "name\nEve\n",
            [
                "line 2, column name: 'Eve' is a player already: add what tells them apart,"
                " a key or a name"
            ],
        ),
        (
            f'name,id\n{LONG},1\nBen,2,3\n"a\nb",4,5\n',
            ["line 3: 3 cells, and 2 columns", "line 4: 3 cells, and 2 columns"],
        ),
        (
            f"name\n{LONG}\n",
            [f"line 2, column name: '{LONG[:39]}…' is no name of 1 to 80 characters"],
        ),
        ('name\nAnn\n"Ben\nCleo\n', ["line 3: a cell that begins here is not quoted well"]),
    ],
)
def test_every_fault_is_named_with_line_and_column(
    tmp_path: Path, data: str | bytes, expected: list[str]
) -> None:
    with pytest.raises(Failed) as failed:
        players.players(file(tmp_path, data), ["EVE"])
    assert [text.partition(" (")[0] for text in reasons(failed)] == expected


def test_a_column_that_is_needed_is_named(tmp_path: Path) -> None:
    with pytest.raises(Failed) as failed:
        rounds.pairings(file(tmp_path, "table,player\n1,Ann\n"), PEOPLE)
    assert reasons(failed) == [
        "line 1: no column is headed 'player 2' (columns: table, player 1, player 2)"
    ]


def test_of_many_faults_the_first_are_named(tmp_path: Path) -> None:
    with pytest.raises(Failed) as failed:
        players.players(file(tmp_path, "name\n" + "Ann\n" * 30))
    assert len(failed.value.hints) == 21
    assert failed.value.hints[-1] == "and 9 more"


def test_decks_are_found_in_the_folder_of_the_table(tmp_path: Path) -> None:
    book = Book.of(rulebook("gundam"))
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists/ben.toml").write_text('name = "Mine"\n[main]\n"ST01-001" = 4\n')
    path = file(tmp_path, TABLE)
    found = players.decks(path, players.players(path).players, book)
    assert {name: deck.name for name, deck in found.items()} == {
        "Ann Ösel": "ST01",
        "Berg, Ben": "Mine",
    }
    assert found["Berg, Ben"].parts == {"main": ("ST01-001",) * 4}
    assert sum(map(len, found["Ann Ösel"].parts.values())) > 50
    (tmp_path / "lists/ben.toml").write_text('main = "x"\n[[card]]\nid = "X-1"\n')
    path = file(tmp_path, TABLE + "Cleo,,../nowhere.toml\nDan,,\n")
    with pytest.raises(Failed) as failed:
        players.decks(path, players.players(path).players, book)
    one, other = reasons(failed)
    assert one.startswith("line 4, column deck: ")
    assert "a part is a table" in one
    assert other.startswith(
        "line 5, column deck: 'nowhere.toml' is no ready-made deck, and there is"
    )


# -- who is meant ----------------------------------------------------------------------------------

PEOPLE = People(
    [
        Person(1, "Ann Ösel", "K1"), Person(2, "Ben Berg", "K2"), Person(3, "Bea Berg", "1"),
        Person(4, "Dan Dorn", dropped=True),
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "number"),
    [("K2", 2), ("2", 2), ("#1", 1), ("1", 3), ("ann  ösel", 1), ("ösel", 1), ("Bea", 3)],
)
def test_players_are_found_by_key_number_or_name(text: str, number: int) -> None:
    assert PEOPLE.find(text).number == number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("be", "'be' may be Ben Berg, Bea Berg"),
        ("Berg", "'Berg' may be Ben Berg, Bea Berg"),
        ("#9", "no player is called '#9'"),
        ("Ben Brg", "no player is called 'Ben Brg': Ben Berg?"),
        ("", "no player is called ''"),
    ],
)
def test_nobody_is_guessed(text: str, expected: str) -> None:
    with pytest.raises(Nobody) as nobody:
        PEOPLE.find(text)
    assert str(nobody.value) == expected


# -- pairings and results --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        "table,player,player\n1,K1,Ben Berg\n4,Bea,bye\n",
        "Table;Player 1;Player 2\n1;ann ösel;#2\n4;Bea Berg;\n",
        "player,table,opponent\n#1,1,#2\n#3,4,-\n",
    ],
)
def test_pairings_are_read(tmp_path: Path, data: str) -> None:
    assert rounds.pairings(file(tmp_path, data), PEOPLE) == (Table(1, 1, 2), Table(4, 3, 0))


def test_tables_without_numbers_are_counted(tmp_path: Path) -> None:
    found = rounds.pairings(file(tmp_path, "a,b\nK1,K2\n\nBea,bye\n"), PEOPLE)
    assert found == (Table(1, 1, 2), Table(2, 3, 0))


def test_what_is_wrong_with_pairings_is_named(tmp_path: Path) -> None:
    data = "table,player,player\n1,Ann,Zoe\n1,Ann,Dan Dorn\nx,Bea,Bea\n5,,bye\n"
    with pytest.raises(Failed) as failed:
        rounds.pairings(file(tmp_path, data), PEOPLE)
    assert reasons(failed) == [
        "line 2, column player 2: no player is called 'Zoe'",
        "line 3, column table: table 1 stands on line 2 too",
        "line 3, column player 1: Ann Ösel stands on line 2 too",
        "line 3, column player 2: Dan Dorn has dropped",
        "line 4, column table: 'x' is no number of a table",
        "line 4: nobody plays himself",
        "line 5: nobody sits there",
    ]


TABLES = [Table(1, 1, 2), Table(2, 3, 0)]


@pytest.mark.parametrize(
    "data",
    [
        "table,result\n1,0-2\n2,bye\n",
        "player,player,score\nBen,Ann,2:0\nBea,bye,bye\n",
        "table,player,player,result\n1,Ann,Ben,0 – 2\n2,Bea,,2-0 bye\n",
    ],
)
def test_results_are_read(tmp_path: Path, data: str) -> None:
    found = rounds.results(file(tmp_path, data), PEOPLE, TABLES, 3)
    outcomes_ = {n: one.outcome for n, one in found.items()}
    assert outcomes_ == {1: Outcome(0, 2, winner=2), 2: Outcome(2, 0, winner=3, how="bye")}
    assert [one.line for one in found.values()] == [2, 3]


def test_a_winner_may_be_given_with_the_score(tmp_path: Path) -> None:
    data = "player,player,result,winner\nBen,Ann,1-1 ruled,ann\nBea,,,\n"
    found = rounds.results(file(tmp_path, data), PEOPLE, TABLES, 3)
    assert found[1].outcome == Outcome(1, 1, 0, 1, "ruled")


def test_what_is_wrong_with_results_is_named(tmp_path: Path) -> None:
    data = "7,,,2-0\n1,Bea,,2-0\n,,,2-0\n1,Ann,Ben,two\n1,,,2-0 lucky\n,Ann,Bea,1-0\n"
    path = file(tmp_path, "table,player,player,result\n" + data)
    with pytest.raises(Failed) as failed:
        rounds.results(path, PEOPLE, TABLES, 3)
    assert [text.partition(" (")[0] for text in reasons(failed)] == [
        "line 2, column table: there is no table 7",
        "line 3, column player 1: they do not sit at table 1",
        "line 4: no table is named",
        f"line 5, column result: table 1: 'two' is no result: {outcomes.FORMS}",
        "line 6, column result: table 1: 'lucky' is no way to decide: played, conceded, no-show,"
        " agreed, ruled, bye",
        "line 7: they do not play each other",
    ]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("2-1", Outcome(2, 1, 0, 1)),
        ("0:2", Outcome(0, 2, 0, 2)),
        ("1-1-1", Outcome(1, 1, 1)),
        ("draw", Outcome(0, 0)),
        ("Draw agreed", Outcome(0, 0, how="agreed")),
        ("0-0 ruled", Outcome(0, 0, how="ruled")),
        ("2-0 No-Show", Outcome(2, 0, 0, 1, "no-show")),
        ("0-1 conceded", Outcome(0, 1, 0, 2, "conceded")),
        ("both lost", Outcome(0, 0, how="ruled", both_lost=True)),
        ("both lost no-show", Outcome(0, 0, how="no-show", both_lost=True)),
    ],
)
def test_outcomes_are_read_and_written_in_a_form_that_is_read_back(
    text: str, outcome: Outcome
) -> None:
    assert outcomes.read(text, TABLES[0], 3) == outcome
    assert outcomes.read(outcomes.write(outcome), TABLES[0], 3) == outcome
    assert outcomes.turned(outcomes.turned(outcome)) == outcome


def test_a_winner_who_is_named_is_never_left_out() -> None:
    assert outcomes.read("draw ruled", TABLES[0], 3, winner=2) == Outcome(0, 0, 0, 2, "ruled")
    assert outcomes.read("draw", TABLES[0], 3, winner=0) == Outcome(0, 0)
    for text in ("draw", "both lost", "1-1"):  # whoever is told of it refuses it
        assert outcomes.read(text, TABLES[0], 3, winner=2).winner == 2


def test_a_bye_needs_no_words() -> None:
    assert outcomes.read("", TABLES[1], 3) == outcomes.read("bye", TABLES[1], 3)
    with pytest.raises(BadOutcome, match="'bye' is no result"):
        outcomes.read("bye", TABLES[0], 3)


# -- the file of an event --------------------------------------------------------------------------

EVENT = """
event = "Harbour Open"
replay_evidence = "rulings"
[clocks]
seat = 20
[end]
turns = 3
[format]
game = "gundam"
best_of = 3
minutes = 50
cut = 4
options = { points_round = 2, date = 2026-07-25, barred = ["GD05", "ST11"] }
prints = ["more.toml"]
[players]
file = "players.csv"
[officials]
"Eva Eder" = "head judge"
"""


def test_an_event_is_read_from_one_file(tmp_path: Path) -> None:
    (tmp_path / "more.toml").write_text('[[card]]\nid = "X-1"\n')
    found = event.read(file(tmp_path, EVENT, "event.toml"))
    f = found.format
    assert (found.name, found.players) == ("Harbour Open", tmp_path / "players.csv")
    assert found.officials == {"Eva Eder": "head judge"}
    assert (f.game, f.best_of, f.seconds, f.cut, f.mode) == ("gundam", 3, 3000, 4, "table")
    assert (f.points, f.tiebreaks, f.options) == ((3, 1, 0), DEFAULT, {
        "points_round": 2, "date": "2026-07-25", "barred": "GD05, ST11"
    })  # fmt: skip
    assert (f.policy.event, f.policy.end.turns, f.prints) == ("Harbour Open", 3, ('{"id": "X-1"}',))


def test_starters_and_days_of_sets_are_options_of_its_matches(tmp_path: Path) -> None:
    file(tmp_path, 'name = "ST05"\nresource = ["10 R-001"]\n[main]\n"ST05-001" = 2\n', "st05.toml")
    text = EVENT.replace('barred = ["GD05", "ST11"]', "barred = { GD05 = 2026-08-01 }")
    text = text.replace("prints = ", 'starters = ["st05.toml"]\nprints = ')
    (tmp_path / "more.toml").write_text('[[card]]\nid = "X-1"\n')
    options = event.read(file(tmp_path, text, "event.toml")).format.options
    assert options["barred"] == "GD05:2026-08-01"
    found = json.loads(str(options["starters"]))
    assert found == {"ST05": {"resource": {"R-001": 10}, "main": {"ST05-001": 2}}}


@pytest.mark.parametrize(
    ("was", "instead", "expected"),
    [
        ('event = "Harbour Open"', "", 'it has no name: event = "…" at its top'),
        ('game = "gundam"', "", "Object missing required field `game`"),
        ("minutes = 50", "minutes = 5000", "minutes: a round lasts from nothing to a day"),
        ("cut = 4", 'cut = "x"', "Expected `int`, got `str` - at `$.format.cut`"),
        ("cut = 4", "hat = 4", "Object contains unknown field `hat`"),
        ("cut = 4", 'tiebreaks = ["luck"]', "there is no tie-break 'luck'; there are opponents-"),
        ("turns = 3", "turns = -1", "times and turns are never negative"),
        ("turns = 3", "turns = 3 3", "Expected newline or end of document"),
        ('"head judge"', '"boss"', "officials: Eva Eder is 'boss', which is not one of head judge"),
        ("best_of = 3", 'mode = "dice"', "Invalid enum value 'dice'"),
    ],
)
def test_what_is_wrong_with_an_event_is_named(
    tmp_path: Path, was: str, instead: str, expected: str
) -> None:
    (tmp_path / "more.toml").write_text('[[card]]\nid = "X-1"\n')
    with pytest.raises(Failed) as failed:
        event.read(file(tmp_path, EVENT.replace(was, instead), "event.toml"))
    assert failed.value.text.startswith(f"{tmp_path}/event.toml: ")
    assert expected in failed.value.text


# -- manuals ---------------------------------------------------------------------------------------


def ruled(tmp_path: Path, rules: str, more: str = "", game: str = "gundam") -> event.EventFile:
    text = f'rules = "{rules}"\nevent = "Cup"\n{more}\n'
    if "[format]" not in more:
        text += f'[format]\ngame = "{game}"\n'
    return event.read(file(tmp_path, text, "cup.toml"))


@pytest.mark.parametrize(
    ("rules", "game"),
    [(name, game) for name in manuals.names() for game in manuals.manual(name)["games"]],
)
def test_every_manual_makes_a_format_that_its_games_can_be_played_by(
    tmp_path: Path, rules: str, game: str
) -> None:
    found = ruled(tmp_path, rules, game=game).format
    assert found.rules == rules
    checks.formal(found)
    book = rulebook(game)
    for policy in (found.policy, *(replace(found.policy, end=one.end) for one in found.stages)):
        assert not [*timekeeping.faults(policy, book.manifest)]
    book.settle(found.options)


def test_a_line_names_a_manual_and_the_rest_of_the_file_takes_its_place(tmp_path: Path) -> None:
    own = '[end]\nturns = 1\n[format]\ngame = "gundam"\nminutes = 35\n[stages.final]\nminutes = 90'
    found = ruled(tmp_path, "bandai-2025", own).format
    assert (found.seconds, found.cut, found.chart[0]) == (2100, BY_CHART, (8, 3, 0))
    assert found.policy.end == EndOfTime(
        1, 300_000, ("shield+base", "deck"), 1, True, True, "both lose", rule="trm:5.2"
    )
    assert [(one.name, one.best_of, one.seconds) for one in found.stages] == [
        ("cut", 3, 3600), ("final", 3, 5400),
    ]  # fmt: skip
    assert found.options["later"] == "loser"


def test_an_organiser_has_a_manual_of_his_own(tmp_path: Path) -> None:
    file(tmp_path, 'rules = "bandai-2025"\n[format]\nminutes = 25\n', "ours.toml")
    text = 'rules = "ours.toml"\nevent = "Cup"\n[format]\ngame = "gundam"\n'
    found = event.read(file(tmp_path, text, "cup.toml")).format
    assert (found.rules, found.seconds, found.least_rate) == ("ours", 1500, "0.33")


@pytest.mark.parametrize(
    ("rules", "game", "text"),
    [("fifa", "gundam", "there is no manual 'fifa'"), ("konami-2013", "gundam", "is for yugioh")],
)
def test_a_manual_must_exist_and_be_for_the_game(
    tmp_path: Path, rules: str, game: str, text: str
) -> None:
    with pytest.raises(Failed, match=text):
        ruled(tmp_path, rules, game=game)


def test_two_of_one_name_are_kept_apart_by_a_key_whatever_heads_it(tmp_path: Path) -> None:
    rows = "Max Maus,81,Ulm\nmax maus,82,Bonn\nEva,83,Bonn\nEve,84,Bonn\n"
    found = players.players(file(tmp_path, "Name,Bandai TCG+ ID,Town\n" + rows), ["EVE"])
    assert [(one.name, one.key) for one in found.players] == [
        ("Max Maus (81)", "81"),
        ("max maus (82)", "82"),
        ("Eva", "83"),
        ("Eve (84)", "84"),
    ]
    assert found.notes == [
        "of one name, told apart by their keys: Max Maus (81), max maus (82), Eve (84)",
        "not looked at: Town",
    ]
    two = players.players(file(tmp_path, "name,shop id,club id\nAnn,1,2\n"))
    assert two.ignored == ("shop id", "club id")  # which of them is meant nobody can say


@pytest.mark.parametrize(
    ("pools", "read"),
    [
        ('way = "draft"', Pools("draft", 8, True)),
        ('way = "draft"\npod = 4\nwithin = false', Pools("draft", 4)),
        ("pod = 4", None),
        (
            'way = "sealed"\nsize = 60\ndeck = 30\nfree = ["resource"]',
            Pools("sealed", 0, False, 60, 60, 30, ("resource",), True),
        ),
        (
            'way = "sealed"\nsize = [40, 45]\npod = 8\nchanging = false',
            Pools("sealed", 8, False, 40, 45),
        ),
        ("", None),
        ('way = "winston"', None),
        ('way = "sealed"\nsize = "many"', None),
        ('way = "sealed"\ncolour = 1', None),
    ],
)
def test_how_decks_are_built_from_pools(tmp_path: Path, pools: str, read: Pools | None) -> None:
    file = tmp_path / "event.toml"
    file.write_text(f'event = "Cup"\n[format]\ngame = "gundam"\n[pools]\n{pools}\n')
    if read is None:
        with pytest.raises(Failed, match=r"pools|way"):
            event.read(file)
    else:
        assert event.read(file).format.pools == read


@pytest.mark.parametrize(
    ("pools", "read"),
    [
        ("", Pools()),
        ('[pools]\nway = "draft"', Pools("draft", 4, True)),  # as the manual says
        ('[pools]\nway = "draft"\npod = 6', Pools("draft", 6, True)),
        ('[pools]\nway = "sealed"', Pools("sealed", changing=True)),
    ],
)
def test_a_manual_says_how_large_pods_are(tmp_path: Path, pools: str, read: Pools) -> None:
    head = 'rules = "bandai-2025"\nevent = "Cup"\n[format]\ngame = "gundam"\n'
    (tmp_path / "event.toml").write_text(head + pools)
    assert event.read(tmp_path / "event.toml").format.pools == read
