"""A transcript beside its proof: each viewer's copy audits clean, and no other text does."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st
from kifu.v1 import events_pb2

from domain import games
from domain.record.entries import Entry, prints_in
from domain.record.proof.bundle import Bundle
from domain.telling.book import Book
from domain.text.transcript.write import write
from replay_cli.auditing import contents
from replay_cli.auditing.claims import PROVEN, WRONG, Claim
from replay_cli.auditing.evidence import Evidence
from replay_cli.drawing.heads import head_line
from service import wire
from tests.playouts import Setup, play
from tests.properties.people.test_officials import officiated
from tests.properties.strategies import examples, seeds, setups
from tests.unit.record.proof.test_bundle import VIEWERS, bundled


def exported(whole: Bundle, setup: Setup) -> str:
    """A copy as `kifu export` writes it: its entries came from a server, and so did its book."""
    sent = [wire.entry(entry).SerializeToString() for entry in whole.entries]
    entries = [wire.entry_of(events_pb2.Entry.FromString(data)) for data in sent]
    book = Book.of(setup.rules).further(prints_in(entries))
    return f"{write(entries, book)}; {head_line(whole.proof.head)}\n"


def judged(whole: Bundle, text: str) -> Claim:
    (found,) = contents.text(Evidence("m", whole.entries, whole, transcript=text))
    return found


def check(log: list[Entry], setup: Setup, at: float, new: str) -> None:
    assume(setup.rules in map(games.rulebook, games.names()))
    for viewer in VIEWERS:
        whole = bundled(viewer, log)
        text = exported(whole, setup)
        assert judged(whole, text).verdict == PROVEN
        place = int(at * len(text))
        if text[place] != new:
            found = judged(whole, text[:place] + new + text[place + 1 :])
            line = text.count("\n", 0, place) + 1
            assert (found.verdict, dict(found.why.values)["line"]) == (WRONG, line)


places, characters = st.floats(0, 1, exclude_max=True), st.characters(codec="utf-8")


@examples(5)
@given(setups(), places, characters | st.sampled_from(" ;#~\n\r\t"))
def test_of_a_match(setup: Setup, at: float, new: str) -> None:
    check(play(setup), setup, at, new)


@examples(5)
@given(setups(), seeds, places, characters)
def test_of_a_match_with_officials(setup: Setup, seed: int, at: float, new: str) -> None:
    check(officiated(setup, seed)[1], setup, at, new)
