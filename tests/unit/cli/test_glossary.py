"""Terms of glossaries. That all translations use them is in tests/properties/people."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain import games
from domain.effects.wording import texts
from domain.telling.card_text import words_of
from domain.words.phrases import CAPITAL, GISTS, JOINED, Phrase
from domain.words.tables import folders, language, languages, pairs, read
from replay_cli.checking.glossary import Glossary, Term, glossary, plain

#: Where a term comes from (domain/words/WORDS.md).
SOURCES = {"book", "rendered", "publisher", "players", "everyday"}
LANGUAGES = pytest.mark.parametrize("tag", languages())
WORDS = Glossary(
    [
        Term("Deck|decks", "山", "", "book"),
        Term("Main Deck", "主山", "", "book"),
        Term("exhausted", "疲れ", "", "book"),
        Term("heavily exhausted", "重疲れ", "", "book"),
        Term("HP", "HP", "", "book"),
    ]
)


def glossaries(tag: str) -> Iterator[tuple[Path, Glossary]]:
    for _, folder in folders():
        if (terms := glossary(Path(str(folder)), tag)).terms:
            yield Path(str(folder)), terms


@pytest.mark.parametrize(
    ("english", "own", "lacking"),
    [
        ("put it on the deck", "山に置く", []),
        ("put it on the Deck", "束に置く", ["deck (山)"]),
        ("both decks", "両方の束", ["decks (山)"]),
        ("the deckhand", "水夫", []),
        ("the Main Deck", "山", ["main deck (主山)"]),
        ("the Deck", "主山", ["deck (山)"]),
        ("the Main Deck, then the Deck", "主山、次に山", []),
        ("it is exhausted", "重疲れ", ["exhausted (疲れ)"]),
        ("it is heavily exhausted", "疲れ", ["heavily exhausted (重疲れ)"]),
        ("1 HP", "HP1", []),
        ("{deck} and `deck`", "{deck}と`deck`", []),
        ("typed: deck", "入力：deck", []),
    ],
)
def test_terms_of_a_text(english: str, own: str, lacking: list[str]) -> None:
    assert list(WORDS.lacking(english, own)) == lacking


@LANGUAGES
def test_another_word_for_any_term_is_noticed(tag: str) -> None:
    """So each line of a glossary guards some text."""
    for folder, terms in glossaries(tag):
        texts = [*pairs(folder / f"{tag}.{GISTS}.tsv")]
        texts += [pair for section in read(folder, tag).values() for pair in section.items()]
        unguarded = [one.english for one in terms.terms if not _noticed(one, terms, texts)]
        assert unguarded == []


def _noticed(term: Term, terms: Glossary, texts: list[tuple[str, str]]) -> bool:
    forms = term.english.lower().split("|")
    for english, own in texts:
        if any(form in plain(english).lower() for form in forms):
            other = plain(own)
            for word in term.own.split("|"):
                other = other.replace(word, "※")
            if any(lacking.startswith(tuple(forms)) for lacking in terms.lacking(english, other)):
                return True
    return False


@LANGUAGES
@pytest.mark.parametrize("game", games.names())
def test_cards_are_worded_by_the_terms_of_their_game(game: str, tag: str) -> None:
    """Also where all games share a sentence in English."""
    rules = games.rulebook(game)
    words = words_of(rules)
    found = {
        (part.sentence, part.context)
        for card in rules.cards.values()
        for effect in card.effects
        for part in _parts(texts.sentence(words, effect))
    }
    (folder,) = [Path(str(one)) for prefix, one in folders() if prefix == f"{game}/"]
    terms, seen = glossary(folder, tag), language(tag)
    lacking = [
        (english, term)
        for english, context in found
        for term in terms.lacking(english, seen.say(Phrase(english, context=context)))
    ]
    assert lacking == []


def _parts(text: object) -> Iterator[Phrase]:
    if isinstance(text, Phrase):
        if text.context not in (JOINED, CAPITAL):
            yield text
        for _, value in text.values:
            yield from _parts(value)


@LANGUAGES
def test_each_form_has_one_line_and_each_line_cites_what_there_is(tag: str) -> None:
    for folder, terms in glossaries(tag):
        forms = [form.lower() for one in terms.terms for form in one.english.split("|")]
        assert sorted(forms) == sorted({*forms})
        rules = {rule for file in folder.parent.glob("rules*.tsv") for rule in _rules(file)}
        assert {one.rule for one in terms.terms} <= {"", *rules}
        assert {one.source for one in terms.terms} <= SOURCES


def _rules(file: Path) -> Iterator[str]:
    with file.open(encoding="utf-8") as lines:
        yield from (row["rule"] for row in csv.DictReader(lines, delimiter="\t"))


@LANGUAGES
def test_gists_call_cards_as_boards_do(tag: str) -> None:
    for _, folder in folders():
        names = dict(pairs(folder / f"{tag}.names.tsv"))
        gists = list(pairs(folder / f"{tag}.gists.tsv")) if names else []
        led = [(re.match(r"([^:(]+) \(\d{8}\)", english), own) for english, own in gists]
        named = [(names[found[1]], own) for found, own in led if found and found[1] in names]
        assert [own for name, own in named if name not in own] == []
        assert named or not names, "rulings lead with the name of a card"
