"""Transcripts of matches: what each viewer is told, and what is refused as not what happened."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from msgspec.structs import replace

from domain.engine.match import Deck, Match, Opening
from domain.games import rulebook
from domain.officials import clocks, irregular, rewind, rulings
from domain.officials.frame import Official
from domain.record.entries import Entry
from domain.record.events import DecisionMade, MatchOpened, Origin
from domain.record.schema.policy import Clocks, Policy
from domain.record.views import OFFICIAL, PUBLIC, redact
from domain.text.transcript.lines import BadTranscript
from domain.text.transcript.read import read
from domain.text.transcript.write import viewer_of, write
from tests import playouts
from tests.playouts import Setup, take_turn
from tests.support.marks import each
from tests.toy import TOY

SETUP = Setup(4, ("ST01", "ST03"))
RULES = SETUP.rules


@cache
def played() -> list[Entry]:
    return playouts.play(SETUP)


@cache
def transcript(viewer: int = OFFICIAL) -> str:
    return write([redact(entry, viewer) for entry in played()], RULES)


def book(game: str) -> object:
    return {"toy": TOY}.get(game) or rulebook(game)


# -- what is told ----------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [OFFICIAL, PUBLIC, 0, 1])
def test_the_viewer_follows_from_the_entries(viewer: int) -> None:
    assert viewer_of([redact(entry, viewer) for entry in played()]) == viewer


def test_lists_are_written_for_their_owners() -> None:
    tags = {viewer: set(re.findall(r"^\[List(.)", transcript(viewer), re.MULTILINE)) for viewer in
            (OFFICIAL, PUBLIC, 0, 1)}  # fmt: skip
    assert tags == {OFFICIAL: {"A", "B"}, PUBLIC: set(), 0: {"A"}, 1: {"B"}}


def test_every_act_is_a_row_with_its_times() -> None:
    events = [entry.event for entry in played()]
    made = [(event.n, "AB"[event.seat]) for event in events if isinstance(event, DecisionMade)]
    for viewer in (OFFICIAL, PUBLIC):
        rows = re.findall(
            r"^(\d+) ([AB]) \d+:\d\d\.\d{3} \+\d+:\d\d\.\d{3} ", transcript(viewer), re.M
        )
        assert [(int(n), seat) for n, seat in rows] == made


def test_the_public_reads_the_same_acts_without_hidden_picks() -> None:
    def acts(viewer: int) -> list[str]:
        return re.findall(r"^\d+ [AB] \S+ \S+ ((?:deploy|pair) [^/{\n]*)", transcript(viewer), re.M)

    whole = [re.split(r" (?:pay|with) ", act)[0] for act in acts(OFFICIAL)]
    assert [act.strip() for act in acts(PUBLIC)] == whole
    assert len(whole) > 10


def test_cards_that_no_viewer_knew_are_not_written_even_for_officials() -> None:
    """How a deck lies is no part of it: two matches that differ in that alone are told the same."""
    assert "ST03" in transcript()
    assert "order" not in re.sub(r"^\[.*", "", transcript(), flags=re.M)


def test_the_result_stands_in_a_tag_and_at_the_end() -> None:
    (result,) = re.findall(r'\[Result "(.*)"\]', transcript())
    assert re.fullmatch(r"[AB] (1-0|0-1)", result)
    assert "lost: " in transcript()


# -- what is recorded again ------------------------------------------------------------------------


def test_an_import_says_that_it_is_one() -> None:
    opened = read(transcript(), rulebook)[0].event
    assert isinstance(opened, MatchOpened)
    assert (opened.mode, opened.options) == ("table", {"imported": "dealer"})
    assert opened.at == playouts.AT
    assert '[Mode "dealer"]' in transcript()
    assert "imported" not in transcript()


def test_an_import_of_an_import_is_one_still() -> None:
    repeated = read(write(read(transcript(), rulebook), RULES), rulebook)
    assert write(repeated, RULES) == transcript()


@pytest.mark.parametrize("viewer", [OFFICIAL, PUBLIC])
def test_any_game_can_be_written_down(viewer: int) -> None:
    decks = (Deck("ones", TOY.decks["ones"]), Deck("tens", TOY.decks["tens"]))
    opening = Opening(
        ("Ann \"the\" A", "Ben"), decks, 5, labels={"round": "2"}, options={"turns": 4},
        policy=Policy("Open", clocks=Clocks(60_000, 30_000, 1000), delay="300s"),
    )  # fmt: skip
    match = Match.open(TOY, opening, lambda kind, of: tuple(range(of)))
    while match.pos.decision is not None:
        seat = match.pos.decision.seats[0]
        offer = match.pos.decision.offers[seat]
        assert offer is not None
        option = offer.options[0]
        match.choose(seat, match.pos.decision.n, option.act(), match.pos.time + 70)
    text = write([redact(entry, viewer) for entry in match.collect()], TOY)
    assert re.search(r"^3 B .* =\d+:\d\d", text, re.M), "what a clock shows is told"
    repeated = read(text, book)
    assert write([redact(entry, viewer) for entry in repeated], TOY) == text


def test_acts_of_officials_are_read_back() -> None:
    match = playouts.begin(SETUP)
    log = match.collect()
    for n in range(12):
        take_turn(match, SETUP)
        by = Official("judge-1", match.pos.time + 10, f'because of "{n}"\n')
        if n == 3:
            rulings.rule(
                match, by, "so it is", ("gcg:1-1-1",) if "gcg:1-1-1" in RULES.rules else ()
            )
            rulings.note(match, by, "to be watched")
            clocks.pause(match, by)
            clocks.go_on(match, replace(by, now=by.now + 5000))
            rulings.penalise(match, by, 1, "warning", "slow")
        if n == 6:
            irregular.flag(match, by, "house:concede", "spoke", 0)
        log += match.collect()
    match = rewind.rewind(RULES, log, 8, by, match.dice)
    log += match.collect()
    take_turn(match, SETUP)
    log += match.collect()
    for viewer in (OFFICIAL, PUBLIC, 0):
        text = write([redact(entry, viewer) for entry in log], RULES)
        assert len(re.findall(r"^~ ", text, re.M)) > 3
        assert ("to be watched" in text) == (viewer == OFFICIAL)
        repeated = read(text, rulebook)
        assert write([redact(entry, viewer) for entry in repeated], RULES) == text
        assert len(repeated) == len(log)


def test_a_fork_stays_one() -> None:
    first = played()[0]
    assert isinstance(first.event, MatchOpened)
    log = [replace(first, event=replace(first.event, origin=Origin("q63ag", 512))), *played()[1:]]
    text = write(log, RULES)
    assert '[ForkOf "q63ag 512"]' in text
    assert write(read(text, rulebook), RULES) == text


def test_passes_that_are_left_out_are_implied() -> None:
    """Rows that say no more than that somebody let it be are not needed, where others follow."""
    kept, left_out = [], 0
    for line in transcript().split("\n"):
        if re.match(r"\d+ [AB] .* no block$", line) and not left_out:
            left_out += 1
            continue
        kept.append(re.sub(r"^\d+ ([AB]) \S+ \S+ ", r"\1 ", line) if left_out else line)
    assert left_out
    log = read("\n".join(kept), rulebook)
    implied = [
        e.event for e in log if isinstance(e.event, DecisionMade) and e.event.origin != "seat"
    ]
    assert [event.origin for event in implied] == ["implied"]
    assert len(log) == len(played())


# -- what is refused -------------------------------------------------------------------------------


def swap(pattern: str, to: str, count: int = 1) -> Callable[[str], str]:
    def forge(text: str) -> str:
        forged = re.sub(pattern, to, text, count=count, flags=re.M)
        assert forged != text
        return forged

    return forge


def swapped_rows(text: str) -> str:
    lines = text.split("\n")
    at = next(n for n, line in enumerate(lines) if line.startswith("9 "))
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return "\n".join(lines)


FORGED = {
    "another game": (swap(r'"gundam"', '"chess"'), "no game 'chess'"),
    "another engine": (swap(r'Engine ".*"', 'Engine "gundam 0.9"'), "was recorded under"),
    "other rules": (swap(r'"rules": ".', '"rules": "x'), "rules at hand are not"),
    "another result": (swap(r'Result "[AB] .-.', 'Result "draw 0-0'), "Result is"),
    "other players": (swap(r'BestOf 1', "BestOf 2"), "odd number"),
    "a card too many": (swap(r'"4 ST01-001"', '"5 ST01-001"'), "ST01-001|50"),
    "a list without that card": (
        swap(r'"4 ST01-005", (.*)"4 ST01-006"', r'\1"4 ST01-006", "4 ST01-008"'),
        "no card here is|list",
    ),
    "an act that is illegal": (swap(r"^(9 . \S+ \S+) .*", r"\1 block GM"), ""),
    "an act that is none": (swap(r"^(9 . \S+ \S+) .*", r"\1 juggle"), "juggle"),
    "the other seat's act": (swap(r"^9 A|^9 B", "9 C"), "turn to answer"),
    "an act too late": (swap(r"^9 (.) \S+", r"9 \1 999:00.000"), "earlier than|can't be"),
    "a time that was not taken": (swap(r"^(9 . \S+) \S+", r"\1 +0:00.000"), "can't be"),
    "rows out of order": (swapped_rows, ""),
    "a card that was not turned up": (
        swap(r"^(9 .*)$", r"\1 {B shield: GM (ST01-005)}"), "turned up",
    ),
    "chance that was not called for": (swap(r"^(9 .*)$", r"\1 {die: 3 of 6}"), "more was stated"),
    "an official's nonsense": (
        swap(r"^(9 .*)$", r'! 99:00 correction who="x"\n!! match.ended winner=0 score=[1,0]\n\1'),
        "no official puts in",
    ),
    "a card out of nowhere": (
        swap(
            r"^(9 .*)$",
            r'! 0:59 correction who="x"\n!! cards.turned cards=[9999] up=true orient=null\n\1',
        ),
        "can't go on",
    ),
    "a row after the end": (lambda text: text + "999 A 999:00.000 pass\n", "was over"),
    "a rewind to nowhere": (swap(r"^(9 .*)$", r"<< 0:59 to=99999\n\1"), "nothing to go back to"),
}  # fmt: skip


@pytest.mark.parametrize("forged", FORGED)
def test_what_did_not_happen_is_refused_with_its_line(forged: str) -> None:
    forge, why = FORGED[forged]
    text = forge(transcript())
    with pytest.raises(BadTranscript, match=why or None) as bad:
        read(text, rulebook)
    assert bad.value.line, "it says where"
    assert bad.value.line <= text.count("\n")


def test_a_list_that_is_not_written_is_the_ready_made_one_or_handed_in() -> None:
    public = transcript(PUBLIC)
    assert read(public, rulebook)
    unknown = public.replace('[DeckA "ST01"]', '[DeckA "Ann\'s own"]')
    with pytest.raises(BadTranscript, match="list of A is not stated"):
        read(unknown, rulebook)
    log = read(unknown, rulebook, lambda rules: {0: Deck("", rules.decks["ST01"])})
    assert write([redact(entry, PUBLIC) for entry in log], RULES) == unknown


GARBAGE = (
    "x",
    "9",
    '"',
    "{",
    "}",
    "[",
    "]",
    "null",
    "@",
    "#",
    "????",
    "\x00",
    " / ",
    "=",
    "+",
    "~",
)


def garbled(text: str, rng: Random) -> str:
    """The text with some lines lost, doubled, exchanged, or spoilt."""
    lines = text.split("\n")
    for _ in range(rng.choice((1, 1, 2, 5))):
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        row = lines[at]
        cut = rng.randrange(len(row) + 1)
        lines[at : at + 1] = rng.choice(
            (
                [],
                [row, lines[other]],
                [lines[other]],
                [row[:cut]],
                [row[:cut] + rng.choice(GARBAGE) + row[cut + rng.randrange(3) :]],
                [re.sub(r"\d+", str(rng.choice((0, 1, 99, 10**25))), row, count=1)],
                [row.swapcase()],
            )
        )
    return "\n".join(lines)


@pytest.mark.parametrize("viewer", each(3, [OFFICIAL, PUBLIC, 1]))
def test_garbled_text_is_read_or_refused_with_its_line(viewer: int) -> None:
    start = "\n".join(transcript(viewer).replace('Result "', 'Rumour "').split("\n")[:70])
    refused = [line for seed in range(60) if (line := _refused(garbled(start, Random(seed))))]
    assert len(refused) > 30
    assert min(refused) > 0


def _refused(text: str) -> int:
    """The line with which a text is refused; 0 if it is read."""
    try:
        return 0 * len(read(text, rulebook))
    except BadTranscript as bad:
        return bad.line or -1000


@pytest.mark.parametrize(
    "tag",
    ['[Labels {"a": [1]}]', "[Labels 5]", '[Policy {"clocks": {"round": "x"}}]',
     '[Policy {"x": 1}]',
     '[ListA {"main": [5]}]', '[ListA {"main": "x"}]', '[BestOf "three"]', '[Date "soon"]',
     '[Viewer "nobody"]', '[Print "{}"]', '[Print "nonsense"]', '[ForkOf "x"]', '[Kifu "2"]',
     '[Options {"turns": {}}]', '[Digests []]', '[Game "gundam"]', '[Unheard "of"]'],
)  # fmt: skip
def test_a_tag_that_cannot_be_meant_is_refused_with_its_line(tag: str) -> None:
    name = tag[1:].split(" ")[0]
    text = (
        re.sub(rf"^\[{name} .*\n", "", transcript(), flags=re.M) if name != "Game" else transcript()
    )
    with pytest.raises(BadTranscript) as bad:
        read(f"{tag}\n{text}", rulebook)
    assert bad.value.line
