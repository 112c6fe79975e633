"""The page on transcripts keeps its word: every text on it is read, and comes to what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from domain.games import rulebook
from domain.record.events import DecisionMade, DecisionOpened
from domain.record.views import PUBLIC, redact
from domain.telling.book import Book
from domain.text import transcript
from domain.text.transcript.lines import BadTranscript
from domain.text.transcript.read import read
from domain.text.transcript.write import write
from replay_cli.typed import lists

PAGE = (Path(transcript.__file__).parent / "TRANSCRIPTS.md").read_text("utf-8")
#: Each text, with what stands behind it.
BLOCKS = re.findall(r"^```\n(.*?)^```\n\n?(.*?)$", PAGE, re.MULTILINE | re.DOTALL)
WRITTEN = [text for text, _ in BLOCKS if text.startswith("[Kifu")]
BY_HAND = [(text, after) for text, after in BLOCKS if text.startswith("[Game")]


def test_there_are_texts_of_each_kind() -> None:
    assert len(WRITTEN) == 1
    assert len(BY_HAND) == 3
    assert len([text for text, _ in BLOCKS if text.startswith("name =")]) == 1


def test_what_kifu_writes_it_writes_so() -> None:
    (text,) = WRITTEN
    log = read(text, rulebook)
    repeated = write([redact(entry, PUBLIC) for entry in log], rulebook("gundam"))
    left_out = re.compile(r"^\[(Engine|Digests) .*\n", re.MULTILINE)
    assert left_out.sub("", repeated) == text


@pytest.mark.parametrize(("text", "after"), BY_HAND, ids=[str(n) for n in range(len(BY_HAND))])
def test_what_people_write_is_read(text: str, after: str) -> None:
    refused = re.fullmatch(r"`(line \d+: .*)`", after)
    if refused is not None:
        with pytest.raises(BadTranscript) as bad:
            read(text, rulebook)
        assert str(bad.value) == refused[1]
        return
    log = read(text, rulebook)
    counted = re.match(r"It comes to (\d+) decisions, of which (\d+) are implied", after)
    if counted is not None:
        opened = sum(isinstance(entry.event, DecisionOpened) for entry in log)
        made = (entry.event for entry in log if isinstance(entry.event, DecisionMade))
        implied = sum(event.origin == "implied" for event in made)
        assert (opened, implied) == tuple(map(int, counted.groups()))
    result = re.search(r"^\[Result .*$", text, re.MULTILINE)
    assert result is not None
    assert result[0] in write(log, rulebook("gundam"))


def test_a_list_in_a_file_is_that_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_text(next(text for text, _ in BLOCKS if text.startswith("name =")))
    deck = lists.deck(str(path), Book.of(rulebook("gundam"))).deck
    assert not isinstance(deck, str)
    opened = [text for text, _ in BY_HAND if deck.name in text]
    registered = read(opened[0], rulebook)[1].event
    assert registered.cards.value == {part: tuple(cards) for part, cards in deck.parts.items()}  # type: ignore[union-attr]
