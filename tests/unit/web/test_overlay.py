"""Overlays: what addresses ask for, what is announced, which match a table has, themes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from domain.games import rulebook
from domain.record import events as ev
from domain.record import interventions as official
from domain.record.entries import Entry
from domain.record.position import Clock, Heading, Position
from domain.record.schema.policy import Policy
from domain.record.values import BY_OFFICIAL
from domain.record.views import PUBLIC, position, redact
from domain.telling.book import ENGLISH, Book
from domain.telling.card_text import card_text
from domain.telling.narration import Narrator
from domain.tournament.acts import players, results, rounds
from domain.tournament.record import Format, Outcome, Table
from service.web.assets import assets
from service.web.overlay import announcing, styling
from service.web.overlay.asking import SLOTS, USUAL, Place, read
from service.web.overlay.last import called, last
from service.web.overlay.tables import now_at
from service.web.positions.telling.transcripts import LineData
from tests.playouts import play, setup_of
from tests.support.tournaments import by, opened, playing
from tests.toy import MANIFEST

OVERLAY = files("service.web").joinpath("overlay")


# -- addresses -------------------------------------------------------------------------------------


def test_an_address_that_asks_for_nothing_shows_all_but_the_board() -> None:
    wish = read({})
    assert (wish.theme, wish.show, wish.faults, wish.debug) == ("plain", USUAL, [], False)
    assert wish.slots == [slot for slot in SLOTS if slot != "board"]


def test_what_an_address_asks_for() -> None:
    wish = read({
        "theme": "my_own-1", "show": "clock, players,board", "at.clock": "top-left,80",
        "at.last": "2.5,40", "at.player-1": "0,100,12.5", "debug": "",
    })  # fmt: skip
    assert wish.theme == "my_own-1"
    assert wish.slots == ["player-0", "player-1", "clock", "board"]
    assert wish.places == {
        "clock": Place("top-left", size=80),
        "last": Place("", 2.5, 40),
        "player-1": Place("", 0, 100, 12.5),
    }
    assert wish.debug
    assert not wish.faults


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("theme", "../plain"), ("theme", "a b"), ("show", "clocks"), ("at.clock", "upper-left"),
        ("at.clock", "101,5"), ("at.clock", "5"), ("at.clock", "5,5,5"), ("at.clock", "1,2,3,4"),
        ("at.clock", "top,9"), ("at.clock", "top,100,100"), ("at.clock", "-1,5"),
        ("at.clock", "1e1,5"), ("at.clock", "nan,5"), ("at.players", "top"), ("at.", "top"),
    ],
)  # fmt: skip
def test_unreadable_settings_count_as_unset(key: str, value: str) -> None:
    wish = read({key: value})
    assert (wish.theme, wish.show, wish.places) == ("plain", USUAL, {})
    assert len(wish.faults) == 1


# -- announcements ---------------------------------------------------------------------------------

HEADING = Heading(game="toy", best_of=3, seats=("Ann", "Ben"), policy=Policy())
PENALTY = official.Penalty(1, "warning", "slow")


def entries(*events: ev.Event) -> list[Entry]:
    """Entries from the 11th on."""
    found = enumerate(events, 11)
    return [Entry(n, n * 1000, n, 0, BY_OFFICIAL, (), event) for n, event in found]  # type: ignore[arg-type]


def at(seq: int) -> Position:
    clocks = {"round": Clock(60_000, True, 10_000), "seat/1": Clock(5_000, False, 0)}
    return Position(HEADING, seq=seq, time=seq * 1000, game=2, turn=3, score=[1, 0], clocks=clocks)


def announced(*events: ev.Event, position: Position | None = None) -> list[tuple[str, str, str]]:
    found = announcing.announcements(
        MANIFEST, entries(*events), lambda seq: at(seq) if position is None else position
    )
    return [(one.kind, str(one.head), str(one.text)) for one in found]


def test_what_is_announced() -> None:
    assert announced(
        PENALTY,
        official.Ruling(3, "It stands."),
        official.TimeCalled(2, 0),
        ev.GameEnded(1, "points"),
        ev.MatchEnded(0, (2, 1)),
        official.ResultCorrected(-1, (1, 1), "misread"),
    )[:2] == [("penalty", "Warning", "Ben"), ("ruling", "Ruling", "It stands.")]
    assert announced(ev.GameEnded(1, ""), ev.GameEnded(-1, "")) == [
        ("game", "Ben wins game 2", ""), ("game", "Game 2 is drawn", "")
    ]  # fmt: skip
    assert announced(ev.MatchEnded(0, (2, 1)), ev.MatchEnded(-1, (1, 1))) == [
        ("result", "Ann wins the match", "2–1"), ("result", "The match is a draw", "1–1")
    ]  # fmt: skip
    assert announced(official.ResultCorrected(-1, (1, 1), "misread")) == [
        ("correction", "The match is a draw", "The result was corrected: 1–1")
    ]


@pytest.mark.parametrize(
    ("extra", "deadline", "text"),
    [
        (2, 0, "2 more turns are played after this one."),
        (1, 0, "One more turn is played after this one."),
        (0, 0, "This turn is the last."),
        (-1, 100_000, "1:40 more are played."),
    ],
)
def test_what_time_comes_to(extra: int, deadline: int, text: str) -> None:
    position = Position(HEADING, called=True, extra=extra, deadline=deadline)
    assert announced(official.TimeCalled(0, 0), position=position) == [("time", "Time", text)]


def test_more_time_is_an_extension_and_a_clock_that_is_set_otherwise_is_none() -> None:
    """The round's clock shows a minute at 0:10, so it shows 1:00 at the 10th entry."""
    assert announced(official.ClockSet("round", 239_000, True)) == [
        ("extension", "Time extension: 3:00", "3:59 are left")
    ]
    assert announced(official.ClockSet("seat/1", 65_000, False)) == [
        ("extension", "Time extension: 1:00", "Ben · 1:05 are left")
    ]
    assert announced(official.ClockSet("round", 30_000, True)) == []
    assert announced(official.ClockSet("seat/0", 30_000, True)) == []


def test_what_a_rewind_abandons_is_not_announced() -> None:
    back = official.Rewound(10, "wrong")
    found = announced(PENALTY, ev.GameEnded(0, ""), back, official.Ruling(3, "Go on."))
    assert [kind for kind, _, _ in found] == ["rewind", "ruling"]
    assert announcing.rewinds(entries(PENALTY, back)) == [(12, 10)]
    kept = announced(PENALTY, official.Rewound(11, "wrong"))
    assert [kind for kind, _, _ in kept] == ["penalty", "rewind"]


# -- what was done last ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["gundam", "yugioh"])
def test_the_card_of_what_was_done_last(game: str) -> None:
    """Each act that names its card shows it, also when that is gone; but not turns later."""
    log = [redact(entry, PUBLIC) for entry in play(setup_of(5, game=game))]
    rules, acts = rulebook(game), 0
    book = Book.of(rules)
    narrator, names = Narrator(book), {card.name for card in book.cards.values()}

    def position_at(seq: int) -> Position:
        return position(log[:seq], PUBLIC)

    for entry in log[:700]:
        for line in narrator.feed(entry):
            found = re.match(
                r"(?:attacks (?:\w+ )+with|plays|deploys|activates) (.+?)(?: \(|,|$)", line.text
            )
            name = found[1].partition("#")[0] if found else ""
            if line.kind != "act" or name not in names:
                continue
            seen = LineData(
                line.seq, entry.seq, line.time, line.turn, line.seat, "", "", line.text, (), "act"
            )
            upto = min(entry.seq + 40, len(log))
            pos = position_at(upto)
            pos.turn = line.turn
            within = log[max(line.seq - 20, 0) : entry.seq]
            shown = last(rules, book, pos, seen, within, position_at, ENGLISH)
            assert shown is not None
            assert shown.card.name.startswith(name)
            assert shown.card.name in line.text
            assert shown.texts == card_text(rules, book, book.cards[shown.card.id], ENGLISH).texts
            acts += 1
            pos.turn = line.turn + 2
            assert last(rules, book, pos, seen, within, position_at, ENGLISH) is None
    assert acts > 3


def test_a_line_calls_players_by_their_names() -> None:
    text = "attacks player B with Wing, A's Hand, player A's clock, BA's"
    names = [r"Ann \1", "player A"]
    assert called(text, ["Ann", "Ben"], ENGLISH) == (
        "attacks Ben with Wing, Ann's Hand, Ann's clock, BA's"
    )
    assert called("player A wins", names, ENGLISH) == r"Ann \1 wins"


# -- tables ----------------------------------------------------------------------------------------


def test_a_table_goes_on_with_the_next_round() -> None:
    t = opened(Format("lamps", mode="dealer", seconds=60))
    assert now_at(t.state, 1).coming is None
    rounds.pair(t, by(), [Table(1, 1, 2), Table(2, 3, 4)])
    assert now_at(t.state, 2).coming is None  # it may be paired again
    rounds.open_round(t, by())
    first = now_at(t.state, 2)
    assert (first.match, first.coming and first.coming.names) == ("", ["Player 3", "Player 4"])
    rounds.start(t, by())
    now = now_at(t.state, 2)
    assert (now.match, now.coming) == ("ev3t.r1.t2", None)
    assert now_at(t.state, 9) == now_at(t.state, 9).__class__("ev3t", "Cup", 0, "", None)
    results.report(t, by(), 1, 1, Outcome(1, 0, 0, 1))
    results.report(t, by(), 1, 2, Outcome(1, 0, 0, 3))
    rounds.end(t, by(), 1)
    assert now_at(t.state, 2).match == "ev3t.r1.t2"
    rounds.pair(t, by(), [Table(1, 1, 3), Table(2, 4, 2)])
    assert now_at(t.state, 2).coming is None
    rounds.open_round(t, by())
    now = now_at(t.state, 2)
    assert now.match == "ev3t.r1.t2"
    assert now.coming is not None
    assert (now.coming.round, now.coming.names) == (2, ["Player 4", "Player 2"])
    rounds.start(t, by())
    assert (now_at(t.state, 2).match, now_at(t.state, 2).coming) == ("ev3t.r2.t2", None)


def test_a_table_without_a_match_tells_who_sits_there() -> None:
    t = playing(opened(Format("lamps", mode=""), 3, accepted=False), (1, 2), (3, 0))
    now = now_at(t.state, 1)
    assert now.match == ""
    assert now.coming is not None
    assert (now.coming.names, now.coming.started) == (["Player 1", "Player 2"], True)
    bye = now_at(t.state, 2).coming
    assert bye is not None
    assert bye.names == ["Player 3"]
    players.correct(t, by(), 3, "Ann", "")
    assert (now_at(t.state, 2).coming or bye).names == ["Ann"]


# -- themes ----------------------------------------------------------------------------------------


def test_themes_are_ours_and_those_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "themes"
    folder.mkdir()
    (folder / "cup.css").write_text("/* cup */")
    (folder / "bold.css").write_text("/* bolder */")
    (folder / "a b.css").write_text("")
    (folder / ".css").write_text("")
    (folder / "dir.css").mkdir()
    (tmp_path / "secret.css").write_text("secret")
    (folder / "linked.css").symlink_to(tmp_path / "secret.css")
    assert styling.names(folder) == ["bold", "plain", "cup"]
    assert styling.names(None) == ["bold", "plain"]
    assert styling.theme("cup", folder) == b"/* cup */"
    assert styling.theme("bold", folder) == b"/* bolder */"
    for name in ("../secret", "linked", "dir", "a b", "", ".", "..", "cup.css", "cup\0", "none"):
        assert styling.theme(name, folder) is None, name
    assert styling.theme("cup", None) is None


def sources(ending: str) -> dict[str, str]:
    """Static files that an overlay is made of, by name."""
    parts = ("overlay/", "layout/follow.js")
    found = {name: one.body.decode() for name, one in assets().items() if name.endswith(ending)}
    return {name: text for name, text in found.items() if name.startswith(parts)}


def test_themes_use_classes_that_there_are() -> None:
    pages = [one.read_text() for one in OVERLAY.joinpath("pages").iterdir()]
    scripts = "".join(sources(".js").values())
    slots = {f"slot-{slot}" for slot in SLOTS}
    named = {
        name.strip("'\"")
        for page in pages
        for value in re.findall(r'class="([^"]*)"', page)
        for name in re.findall(r"[\w-]+", value)
    } | {*re.findall(r'"(is-[a-z]+)"', scripts), *slots}
    kinds = {"timer-round", "timer-seat", "timer-deadline", "card-large", "card-small"}
    kinds |= {"seat-0", "seat-1"}
    written = OVERLAY.joinpath("THEMES.md").read_text()
    for name, text in sources(".css").items():
        if name.startswith("overlay/themes/"):
            used = {*re.findall(r"\.(-?[a-z][\w-]*)(?=[^{}]*\{)", re.sub(r"/\*.*?\*/", "", text))}
            assert used <= named | kinds, (name, used - named - kinds)
            assert all(f"`{one}`" in written or one in kinds for one in used), (name, used)
    variables = {*re.findall(r"var\((--[a-z0-9-]+)", "".join(sources("n.css").values()))}
    assert {one for one in variables if f"`{one}`" not in written} == set()


# -- old browsers ----------------------------------------------------------------------------------

#: What no browser source of 2021 knows.
NEWER_CSS = (
    r":has\(", r"@container", r"container-type", r"color-mix", r"oklch|oklab|\blch\(|\blab\(",
    r"subgrid", r"\d(d|s|l)v[hw]\b", r"\d(cqw|cqh|vi|vb)\b", r"@layer", r"@scope", r"@property",
    r"text-wrap", r"\bscale:|\brotate:|\btranslate:", r"light-dark\(", r"@starting-style",
    r"accent-color", r"animation-timeline", r"view-transition", r"anchor\(", r"\b&",
)  # fmt: skip
NEWER_JS = (
    r"\.at\(", r"hasOwn\(", r"structuredClone", r"findLast", r"toSorted|toReversed|toSpliced",
    r"groupBy", r"static \{", r"withResolvers", r"Array\.fromAsync",
)  # fmt: skip


def test_styles_ask_nothing_newer_than_2021() -> None:
    for name, text in sources(".css").items():
        if name == "overlay/settings.css":
            continue
        plain = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        for pattern in NEWER_CSS:
            assert not re.search(pattern, plain), (name, pattern)
        depth = 0
        for sign, rule in re.findall(r"([{}])|(@[a-z-]+)", plain):
            depth += {"{": 1, "}": -1}.get(sign, 0)
            assert depth <= (2 if "@media" in plain or "@keyframes" in plain else 1), (name, rule)


def test_scripts_are_written_as_in_2021() -> None:
    for name, text in sources(".js").items():
        if name == "overlay/remote.js":  # a page for a browser, not for a source
            continue
        for pattern in NEWER_JS:
            assert not re.search(pattern, text), (name, pattern)
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node is installed, whose parser would read the scripts")
    read_all = (
        "const acorn = require('internal/deps/acorn/acorn/dist/acorn');"
        "const all = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "for (const [name, text] of Object.entries(all)) {"
        "try { acorn.parse(text, { ecmaVersion: 2021, sourceType: 'module' }); }"
        "catch (error) { console.log(name + ': ' + error.message); } }"
    )
    command = [node, "--expose-internals", "-e", read_all]
    newer = {"newer.js": "class A { #x = 1; }"}
    seen = subprocess.run(
        command, input=json.dumps({**sources(".js"), **newer}), capture_output=True, text=True
    )
    assert seen.stderr == ""
    assert [line.partition(":")[0] for line in seen.stdout.splitlines()] == ["newer.js"]
