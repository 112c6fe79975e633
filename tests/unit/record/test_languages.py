"""Phrases, and what tables make of them."""

from __future__ import annotations

import pickle
from pathlib import Path

import msgspec
import pytest

from domain.games import rulebook
from domain.telling.book import Book
from domain.words.phrases import Phrase, capital, filled, joined, labelled, message_of, phrase, word
from domain.words.tables import Language, chosen, language, languages, read
from replay_cli.checking.translated import wrong_lines

TABLE = {
    "sentences": {
        "there is no entry {n}": "{n} gibt es nicht",
        "{name}: {text}": "{name} – {text}",
        "draw": "ziehen!",
    },
    "joined": {", ": " und "},
    "toy/steps": {"draw": "Ziehphase", "draws {}, with {card}": "mit {card} zieht {}"},
    "reasons": {"time was over": "Zeit"},
}
GERMAN = Language("de", TABLE)

SENTENCES = [
    (phrase("there is no entry {n}", n=3), "there is no entry 3", "3 gibt es nicht"),
    (phrase("{braces} and all"), "{braces} and all", "{braces} and all"),
    (phrase(phrase("draw")), "draw", "ziehen!"),
    (word("draw", "toy/steps"), "draw", "Ziehphase"),
    (word("draw", "toy/acts"), "draw", "draw"),
    (word("time was over", "toy/reasons"), "time was over", "Zeit"),
    (
        filled(word("draws {}, with {card}", "toy/steps"), "two", card="{x}"),
        "draws two, with {x}",
        "mit {x} zieht two",
    ),
    (joined(", ", ["a", phrase("draw")]), "a, draw", "a und ziehen!"),
    (labelled("x", phrase("draw")), "x: draw", "x – ziehen!"),
    (capital(phrase("draw")), "Draw", "Ziehen!"),
]


@pytest.mark.parametrize(
    ("text", "english", "german"), SENTENCES, ids=[one[1] for one in SENTENCES]
)
def test_phrases_are_worded_in_each_language(text: Phrase, english: str, german: str) -> None:
    assert text == Language().say(text) == english
    assert GERMAN.say(text) == GERMAN.say(pickle.loads(pickle.dumps(text))) == german


def test_what_is_no_phrase_stays() -> None:
    assert GERMAN.say("draw") == "draw"


def test_exceptions_keep_their_phrase() -> None:
    assert GERMAN.say(message_of(ValueError(phrase("draw")))) == "ziehen!"
    assert message_of(ValueError("draw")) == "draw"


def test_nothing_of_it_gets_into_a_record() -> None:
    with pytest.raises(TypeError):
        msgspec.json.encode(phrase("draw"))


WRONG = [
    '"no entry {n}" = "{m} nicht"',
    "'no entry {n}' = '{n} nicht'",
    '"no entry {n}" = "{n} nicht"  # so',
    '"no entry {n}"="{n} nicht"',
]


@pytest.mark.parametrize("line", WRONG)
def test_a_table_has_places_as_in_english_and_a_line_a_text(line: str, tmp_path: Path) -> None:
    (tmp_path / "de.toml").write_text(f'[sentences]\n{line}\n"a\\n\\"b" = "c\\\\\\"\\t"\n')
    assert [*wrong_lines(tmp_path, "de")] == ["no entry {n}"]
    assert read(tmp_path, "de")["sentences"]['a\n"b'] == 'c\\"\t'


def test_a_translation_with_other_places_is_not_used() -> None:
    wrong = Language("de", {"sentences": {"no entry {n}": "{m} nicht", "card {n}": "{"}})
    assert wrong.say(phrase("no entry {n}", n=3)) == "no entry 3"
    assert wrong.say(phrase("card {n}", n=3)) == "card 3"


def test_tables_of_games_are_read_for_what_the_first_one_lacks() -> None:
    read_ = list[str]()

    def games() -> dict[str, dict[str, str]]:
        read_.append("games")
        return {"sentences": {"draw": "ziehen!", "untap": "bereit"}}

    language = Language("de", {"sentences": {"draw": "ziehen"}}, games)
    assert (language.say(phrase("draw")), read_) == ("ziehen", [])
    assert [language.say(phrase(one)) for one in ("untap", "tap")] == ["bereit", "tap"]
    assert read_ == ["games"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", "en"),
        ("ja", "ja"),
        ("ja_JP.UTF-8", "ja"),
        ("C.UTF-8", "en"),
        ("fr, zh-TW;q=0.5, ja;q=0.2", "zh-Hant"),
        ("ja;q=0.2, zh-CN;q=0.5", "zh-Hans"),
        ("zh", "zh-Hans"),
        ("zh-Hant-HK", "zh-Hant"),
        ("ja;q=0, en", "en"),
        ("en-GB, ja", "en"),
        ("ja;q=x", "en"),
        (f"ja{'-x' * 20}, zh", "zh-Hans"),
    ],
)
def test_chosen(asked: str, found: str) -> None:
    assert chosen(asked, ["ja", "zh-Hant", "zh-Hans"]) == found


def test_a_manifest_in_a_language() -> None:
    manifest = rulebook("gundam").manifest
    found = manifest.in_language(Language("de", {"gundam/zones": {"Hand": "die Hand"}}))
    assert found.label("zones", "hand") == found.zone("hand/0").label == "die Hand"
    assert manifest.in_language(Language()) == manifest


@pytest.mark.parametrize("tag", languages())
@pytest.mark.parametrize("cite", ["house:ruling", "trm:7.2", "afr:10"])
def test_what_is_cited_of_no_book_is_in_the_language(tag: str, cite: str) -> None:
    """House rules and manuals, whose gists lie in no game's folder."""
    gist = Book.of(rulebook("gundam")).gist(cite)
    assert gist
    assert language(tag).say(gist) not in ("", str(gist))
