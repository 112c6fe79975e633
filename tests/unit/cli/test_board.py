"""Boards: everything that a viewer may see, in the columns there are."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

import pytest
from msgspec import structs

from domain.engine.match import Match
from domain.games import rulebook
from domain.record import views
from domain.record.folding.fold import fold
from domain.record.position import Position
from domain.record.schema.manifest import Slots
from domain.record.values import Change
from domain.record.views import OFFICIAL, PUBLIC
from domain.telling.book import Book
from domain.telling.names import barring
from domain.text.scenario import load, run
from domain.text.scenario.setting import lay
from replay_cli.drawing.board import draw
from replay_cli.playing.playout import play
from tests.support.marks import each
from tests.toy import TOY
from tests.unit.cli.clis import BOOK, log


def board(pos: Position, near: int = 0, width: int = 100) -> str:
    return draw(BOOK, pos, near=near, width=width).plain


@pytest.mark.parametrize("width", each(3, [72, 100, 140]))
@pytest.mark.parametrize("viewer", [OFFICIAL, PUBLIC, 0, 1])
def test_it_fits_at_any_point(width: int, viewer: int) -> None:
    entries = log(1)
    for at in range(0, len(entries), 97):
        pos = views.position(entries[:at], viewer)
        assert all(len(row) <= width for row in board(pos, max(viewer, 0), width).split("\n"))


def test_it_shows_a_hand_to_its_owner_only() -> None:
    entries = log(1)[:400]
    whole = views.position(entries, OFFICIAL)
    mine = {BOOK.name(whole.cards[n].id) for n in whole.zone("hand", 0)}
    own = board(views.position(entries, 0))
    theirs = board(views.position(entries, 1), 1)
    assert all(name in own for name in mine)
    assert re.search(r"Hand +\d+ cards?\n", theirs)
    hand = theirs[: theirs.index("Deck")]
    assert not any(name in hand for name in mine)


def test_the_places_of_a_zone_are_drawn_in_order_and_what_a_seat_holds() -> None:
    entries = log(2)
    pos = views.position(entries, OFFICIAL)
    at = next(at for at in range(300, len(entries))
              if len(views.position(entries[:at], OFFICIAL).zone("battle", 0)) == 2)  # fmt: skip
    pos = views.position(entries[:at], OFFICIAL)
    one, other = pos.zone("battle", 0)
    for number, place in ((one, 4), (other, 2)):
        pos.cards[number].marks = {"rested": place}
    pos.cards[one].up = False
    pos.holders["seat/0"] = {"damage": 7}
    manifest = structs.replace(BOOK.manifest, slots=(Slots("battle", "rested", 6),))
    book = structs.replace(BOOK, manifest=manifest)
    drawn = draw(book, pos, near=0).plain
    mine = drawn[drawn.index("····") :]
    name = {number: BOOK.name(pos.cards[number].id) for number in (one, other)}
    found = re.findall(r"^ (?:Battle Area)? +(\d(?:–\d)?) +(.+)$", mine, re.MULTILINE)
    assert [place for place, _ in found] == ["1", "2", "3", "4", "5–6"]
    seen = dict(found)
    assert (seen["1"], seen["3"], seen["5–6"]) == ("–", "–", "–")
    assert seen["2"].startswith(name[other])
    assert "face down" not in seen["2"]
    assert seen["4"].startswith(name[one])
    assert "face down" in seen["4"]
    assert "damage 7 ─" in mine


def test_a_place_that_is_held_from_elsewhere_is_drawn_as_held() -> None:
    report = run(load("""game yugioh
position
    A spell: Embodiment of Apophis [down]
    mark Embodiment of Apophis: zone 2
A: activate Embodiment of Apophis
all: pass
A: place Embodiment of Apophis position defence
    A monster: Embodiment of Apophis
"""))  # fmt: skip
    assert report.passed
    book = Book.of(rulebook("yugioh"))
    for viewer in (OFFICIAL, PUBLIC):
        drawn = draw(book, views.position(list(report.entries), viewer), near=0).plain
        mine = " ".join(drawn[drawn.index("····") :].split())
        assert "Spells & Traps 1 – 2 held for Embodiment of Apophis 3–5 –" in mine
        assert drawn.count("held for") == 1


def test_a_unit_has_a_line_with_figures_pilot_and_keywords() -> None:
    entries = log(2)
    for at in range(300, len(entries), 50):
        pos = views.position(entries[:at], OFFICIAL)
        drawn = board(pos)
        for seat in (0, 1):
            for number in pos.zone("battle", seat):
                card = pos.cards[number]
                if "ap" not in card.stats:
                    continue  # it is only just arriving
                rows = " ".join(drawn.split())
                figures = f"AP {card.stats['ap']} HP {card.stats['hp']} {card.orient}"
                assert figures in rows
                for rider in card.attached:
                    assert f"pilot {BOOK.name(pos.cards[rider].id)}" in rows


def test_the_near_seat_is_at_the_bottom() -> None:
    pos = views.position(log(1)[:400], OFFICIAL)
    for near in (0, 1):
        rows = [row for row in board(pos, near).split("\n") if row.startswith("──")]
        assert rows[-1].startswith(f"── {'AB'[near]} ")


def test_alike_cards_are_distinguished() -> None:
    for seed in range(6):
        entries = log(seed)
        for at in range(200, len(entries), 60):
            pos = views.position(entries[:at], OFFICIAL)
            for seat in (0, 1):
                units = [pos.cards[n] for n in pos.zone("battle", seat)]
                names = [BOOK.name(card.id) for card in units]
                double = [name for name in names if names.count(name) > 1]
                states = {repr((c.id, c.orient, c.stats, c.counters, c.attached)) for c in units}
                if double and len(states) == len(units):
                    assert f"{double[0]}#" in board(pos)
                    return
    pytest.fail("no such board was found")


def test_any_game_is_drawn_from_its_manifest() -> None:
    entries = play(TOY, ("ones", "tens"), 1)
    drawn = [
        draw(Book.of(TOY), views.position(entries[:at], 0)).plain for at in range(len(entries))
    ]
    assert any("Power" in rows for rows in drawn)
    assert all(" Field" in rows for rows in drawn)


CORES = """scenario Cores
game battle_spirits

position
    A hand: Sertarius
    A field: Gen-Bor [core 3, exhausted], Mushakko [core 2, heavily-exhausted], The Floating Stone
    B field: Emperor Perigorouge [core 12, soul 1]
    A trash: Goon-Gata
    counters A reserve: core 7
    counters B life: core 2
    counters B reserve: core 0
    counters B reserve: soul 0

A: end phase
"""


@pytest.mark.parametrize("width", [80, 100, 120])
def test_counters_badges_and_how_cards_lie_are_shown_by_signs(width: int) -> None:
    rules = rulebook("battle_spirits")
    match = Match(rules, lay(rules, load(CORES).setting, "Cores"), lambda kind, of: (0,))
    match.driver.start()
    rows = draw(Book.of(rules), match.pos, width=width).plain.split("\n")
    assert all(len(row) <= width for row in rows)
    drawn = "\n".join(rows)
    words = width == 120
    for name, line in {
        "Emperor Perigorouge": ("Lv 2  ✦  BP 10000", "↑ refreshed", "12● ◆"),
        "Gen-Bor": ("Lv 2  ✦  BP 5000", "→ exhausted", "●●●"),
        "Mushakko": ("Lv 2  ✦  BP 3000", "↓ heavily-exhausted", "●●"),
        "The Floating Stone Realm": ("Lv 1  ✦", "↑ refreshed", ""),
    }.items():
        figures, lies, held = line
        found = re.search(rf"{name} +{figures} +{lies if words else lies[0]} +{held}", drawn)
        assert found, (name, drawn)
    assert re.search(r"Life +●●   Reserve –", drawn)
    assert re.search(r"Life +●●●●●   Reserve 7●  ◆   Trash 1 \(Goon-Gata\)", drawn)
    assert re.search(r"Hand +Sertarius\n", drawn)


LONG = {
    "gundam": ("battle", (*("Gundam Aerial (Permet Score Six)",) * 2, "GM")),
    "hollow_flux": ("battlefield", ("Lantern Duelist", "Ward Saint")),
    "yugioh": ("monster", ("Number 30: Acid Golem of Destruction", "Speed Warrior")),
    "battle_spirits": (
        "field", ("Utmost Depth: The Peaks of Great Thunder Mountain", "Quill [core 9]"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("width", [72, 80, 100])
@pytest.mark.parametrize("game", LONG)
def test_figures_are_aligned_after_names_of_any_length(game: str, width: int) -> None:
    rules, (zone, names) = rulebook(game), LONG[game]
    text = (
        f"scenario Long\ngame {game}\n\nposition\n    A {zone}: {', '.join(names)}\n\nA: concede\n"
    )
    match = Match(rules, lay(rules, load(text).setting, "Long"), lambda kind, of: (0,))
    match.driver.start()
    badge = rules.manifest.label("stats", rules.manifest.badges[0])
    rows = draw(Book.of(rules), match.pos, width=width).plain.split("\n")
    first = next(at for at, row in enumerate(rows) if names[0].split()[0] in row)
    start, figure = rows[first].index(names[0].split()[0]), f" {badge} "
    assert len({row.index(figure) for row in rows[first:] if figure in row}) == 1
    column = rows[first].index(figure)
    of_names = " ".join(
        row[start : column if figure in row else None].strip() for row in rows[first:]
    )
    for name in names:
        assert name.partition(" [")[0] in of_names, rows


@cache
def chained() -> tuple[Book, Position]:
    """A position of Yu-Gi-Oh! with two links of a chain, one of which has a target."""
    rules, pos = rulebook("yugioh"), Position()
    for entry in play(rules, ("XYZ", "SYNCHRO"), 1):
        fold(pos, entry)
        acts = pos.pending.values()
        if pos.step == "chain" and len(acts) > 1 and any(act.targets for act in acts):
            return Book.of(rules), pos
    raise AssertionError("no such chain in this match")


@pytest.mark.parametrize("width", [80, 100])
def test_a_chain_is_shown_with_the_owners_of_its_links_and_the_phase(width: int) -> None:
    book, pos = chained()
    rows = draw(book, pos, width=width).plain.split("\n")
    phase = str(pos.frames[-1].facts["back"]).partition("/")[0]
    assert f" · {book.manifest.label('steps', phase)} · chain " in rows[0]
    links = [row for row in rows if row.startswith("[")]
    assert len(links) == len(pos.pending)
    for n, (row, act) in enumerate(zip(links, pos.pending.values(), strict=True), 1):
        name = book.name(pos.card(int(act.source)).id)
        assert row.startswith(f"[{n}] {'AB'[act.seat]}: {name}")
        assert ("waits, on " in row) is bool(act.targets)


def test_a_row_is_folded_where_a_comma_is_and_no_label_dims_what_it_stands_before() -> None:
    book, pos = chained()
    drawn = draw(book, pos, width=72)
    assert "\u00a0" not in drawn.plain
    for row, further in pairwise(drawn.plain.split("\n")):
        if further.startswith(" " * 20):
            assert row.endswith(",") or not row.count(","), row
    for card in (pos.card(n) for n in pos.zone("monster", 0) if n):
        at = drawn.plain.index(book.name(card.id))
        styles = [str(span.style) for span in drawn.spans if span.start <= at < span.end]
        assert styles in (["bold"], ["dim"])


@pytest.mark.parametrize(
    ("game", "act", "forbidden", "allowed"),
    [
        ("yugioh", "affected", "can't be affected", "may be affected"),
        ("yugioh", "destroyed-by-battle", "can't be destroyed by battle",
         "may be destroyed by battle"),
        ("yugioh", "attack-player", "no attack player", "may attack player"),
        ("battle_spirits", "blocked", "can't be blocked", "may be blocked"),
        ("battle_spirits", "block-exhausted", "no block exhausted", "may block exhausted"),
        ("gundam", "block", "no block", "may block"),
    ],
)  # fmt: skip
def test_what_a_card_does_and_what_befalls_it_are_forbidden_in_other_words(
    game: str, act: str, forbidden: str, allowed: str
) -> None:
    manifest = rulebook(game).manifest
    for op, text in (("forbid", forbidden), ("allow", allowed)):
        assert barring(manifest, Change(act, op, True)).lower() == text


def test_what_a_text_reduces_is_written_with_its_amount() -> None:
    manifest = rulebook("gundam@1.9").manifest
    assert barring(manifest, Change("battle-damage", "reduce", 2)) == "battle damage reduced by 2"
