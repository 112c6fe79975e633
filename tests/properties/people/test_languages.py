"""All texts shown to people can be translated; none bypasses the tables.

The language is one in which every sentence there is looks different (`tests.support.pseudo`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import error_details_pb2, status_pb2

from domain.engine.match import Match, Refused, Stale
from domain.engine.opening.terms import MODES
from domain.games import names, rulebook
from domain.officials.corrections.verbs import VERBS
from domain.officials.ways import WAYS
from domain.record.entries import Entry
from domain.record.schema.manifest import KINDS
from domain.record.schema.policy import Policy
from domain.telling.book import Book
from domain.telling.causes import causes
from domain.telling.names import Names
from domain.telling.narration.narrator import Narrator
from domain.telling.record import Record
from domain.text.decklists import cards, parts
from domain.text.scenario.run import run
from domain.text.scenario.text import load
from domain.text.transcript import read as transcript
from domain.words import tables
from domain.words.phrases import Phrase, message_of, phrase
from domain.words.tables import Language
from replay_cli.checking import templates
from replay_cli.checking.translatable import Code, found
from replay_cli.checking.translated import translated
from replay_cli.main import kifu
from service.api.calls.faults import fault_of
from service.client.client import connect
from service.client.connection import CallError
from service.server import Server
from service.settings import Settings
from tests.playouts import Setup, begin, go_on, opening, play, setup_of
from tests.properties.play.test_acts import nonsense
from tests.properties.strategies import FACTOR
from tests.support.marks import each
from tests.support.officials import nonsense as at_the_desk
from tests.support.pseudo import TAG, language, untranslated, widened, write_tables

#: Words that are typed as they stand, in every language.
TYPED = (*WAYS, *VERBS, *(kind.name for kind in Policy().scheme))
GAMES = pytest.mark.parametrize("game", names())
SOME_GAMES = pytest.mark.parametrize("game", each(4, names()))


@pytest.fixture(scope="module")
def pseudo(tmp_path_factory: pytest.TempPathFactory) -> Language:
    return language(tmp_path_factory.mktemp("words"))


def refusals(setup: Setup, seed: int) -> Iterator[Phrase]:
    """Why not, of much that nobody may do, and what the desk refuses."""
    rng = Random(seed)
    found: list[Phrase] = []

    def ask(match: Match, log: list[Entry]) -> None:
        for _ in range(2 * FACTOR):
            seat, act = rng.choice([0, 1, 2]), nonsense(rng, match)
            refusal = match.why_not(seat, act)
            found.extend([refusal.text] if refusal is not None else [])
        if match.pos.decisions % 15 == 0:
            for call in at_the_desk(match, log):
                try:
                    call()
                except Refused as refused:
                    found.append(refused.refusal.text)
                except Stale as stale:
                    found.append(phrase(message_of(stale)))

    go_on(begin(setup), setup, [], ask)
    yield from found


@SOME_GAMES
def test_refusals(game: str, pseudo: Language) -> None:
    setup = setup_of(3, restless=True, game=game)
    found = {text.sentence: text for seed in range(FACTOR) for text in refusals(setup, seed)}
    assert len(found) > 30
    assert list(untranslated(map(pseudo.say, found.values()), setup.rules, *TYPED)) == []


def _scenario(text: str) -> list[str]:
    """What did not hold of a scenario; raises `BadScenario`."""
    return [failure.happened for failure in run(load(text)).failures]


def _transcript(text: str) -> list[Entry]:
    return transcript.read(text, rulebook)


def _list(text: str) -> list[str]:
    return [card for rows in parts(text.splitlines()).values() for card in cards(rows)]


@GAMES
def test_deck_lists(game: str, pseudo: Language) -> None:
    rules = rulebook(game)
    deck = next(iter(rules.decks.values()))
    lists = [
        {},
        {"nonsense": ["x"]},
        {part: [*cards, *cards] for part, cards in deck.items()},
        {part: ["nobody"] * 3 for part in deck},
        {part: list(rules.cards) for part in deck},
        {part: list(dict.fromkeys(cards)) for part, cards in deck.items()},
        {**deck, "additional": ["nobody"]},
    ]
    found = {fault.text.sentence: fault.text for one in lists for fault in rules.check_deck(one)}
    assert len(found) > 3
    assert list(untranslated(map(pseudo.say, found.values()), rules, "nobody")) == []


#: Texts with a mistake: a scenario that can't be read, one that does not hold, transcripts, a list.
BROKEN: tuple[tuple[Callable[[str], object], str], ...] = (
    (_scenario, "game gundam\nposition\n  A hand: 2 GM [rested\n  A nowhere: GM\n"),
    (_scenario, "game chess\n"),
    (_scenario, "game gundam\nposition\n  turn 5 Z\n  nonsense\n"),
    (_scenario, "game gundam\nposition\n  A hand: GM\n\nA: juggle GM\n  then nothing.happened\n"),
    (_scenario, "game gundam\nposition\n  A hand: GM\n\nA: pass\n  B asked main\n  A hand: 3 GM\n"),
    (_transcript, "nonsense\n"),
    (_transcript, '[Game "chess"]\n'),
    (_transcript, '[Game "gundam"]\n[Mode "nonsense"]\n'),
    (_transcript, '[Game "gundam"]\n[Kifu "0"]\n'),
    (_transcript, '[Game "gundam"]\n[DeckA "nobody"]\n[DeckB "nobody"]\n'),
    (_list, "4 CARD of mine"),
    (_list, "[main]\n900 GM"),
)


@pytest.mark.parametrize(("reader", "text"), BROKEN)
def test_errors_of_texts(reader: Callable[[str], object], text: str, pseudo: Language) -> None:
    try:
        found = reader(text)
    except ValueError as error:
        found = [message_of(error)]
    assert isinstance(found, list)
    assert found
    rules = rulebook("gundam")
    zones = [zone.name for zone in rules.manifest.zones]  # typed as they stand
    named = (
        *zones,
        "chess",
        "nobody",
        "nonsense",
        *names(),
        *MODES,
        "Mode",
        "juggle",
        "deploy",
        "end",
        "main",
    )
    texts = [pseudo.say(one) for one in found]
    assert list(untranslated(texts, rules, *named)) == []


@GAMES
def test_manifests(game: str, pseudo: Language) -> None:
    seen = rulebook(game).manifest.in_language(pseudo)
    labels = [one.label for kind in ("zones", *KINDS) for one in getattr(seen, kind)]
    assert [label for label in (seen.title, *labels) if not label.startswith("⟦")] == []


@SOME_GAMES
def test_narrated_matches(game: str, pseudo: Language) -> None:
    """Lines of a match, its causes, boards and options."""
    setup = setup_of(5, game=game)
    log, book = play(setup), Book.of(setup.rules, pseudo)
    record, narrator = Record(log), Narrator(book, quiet=False)
    found: list[str] = [line.text for entry in log for line in narrator.feed(entry)]
    for entry in log[:: max(len(log) // (20 * FACTOR), 1)]:
        for cause in causes(record, book, entry.seq):
            found += [cause.text, cause.link, cause.step]
        pos = record.position(record.index(entry.seq))
        if pos.decision is not None:
            for offer in filter(None, pos.decision.offers.values()):
                found += [Names(book, pos).option(offer, option) for option in offer.options]
    assert len(found) > 300
    players = (*opening(setup).seats, "EX")
    assert list(untranslated(map(pseudo.say, found), setup.rules, *players)) == []


def test_an_error_of_a_call_has_both_languages(pseudo: Language) -> None:
    refused = Refused(setup_of(1).rules.wrong_seats(3))
    fault = fault_of(refused)
    assert fault is not None
    status = status_pb2.Status.FromString(fault.status(pseudo))
    found_ = {type(one): one for one in map(_unpacked, status.details)}
    assert status.message == "two players play, not 3"
    assert found_[error_details_pb2.ErrorInfo].reason == "WRONG_SEATS"
    seen = found_[error_details_pb2.LocalizedMessage]
    assert (seen.locale, seen.message) == (TAG, "⟦ｔｗｏ ｐｌａｙｅｒｓ ｐｌａｙ, ｎｏｔ 3⟧")


def _unpacked(packed: AnyMessage) -> object:
    kinds = (error_details_pb2.ErrorInfo, error_details_pb2.LocalizedMessage)
    for kind in kinds:
        message = kind()
        if packed.Unpack(message):
            return message
    return packed


# -- that this test would notice -------------------------------------------------------------------


def test_every_sentence_of_the_code_is_in_a_table() -> None:
    assert found(kifu).faults == []


@pytest.mark.parametrize(
    ("asked", "first"), [("", "Usage"), ("C", "Usage"), ("ja_JP.UTF-8", "使い方")]
)
def test_help_is_in_the_language_of_the_environment(asked: str, first: str) -> None:
    """Also where the environment names none, as in a container."""
    unset: dict[str, str | None] = dict.fromkeys(("KIFU_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    ended = CliRunner(env={**unset, "LANG": asked or None}).invoke(kifu, ["--help"])
    assert ended.exit_code == 0
    assert ended.output.startswith(first)


@pytest.mark.parametrize("words", [["--help"], ["event", "--help"], ["event", "pair", "--help"]])
def test_help_needs_no_table_of_a_game(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[Language]()
    monkeypatch.setattr(Language, "games", property(lambda self: read.append(self) or {}))
    assert CliRunner().invoke(kifu, ["--lang", "ja", *words]).output.startswith("使い方")
    assert read == []


def test_every_language_has_all_texts_and_nothing_else() -> None:
    """A sentence that was changed in English is missing in its new form, obsolete in its old."""
    faults = [one[:2] + one[5:] for one in translated(kifu) if any(one[5:])]
    assert faults == []


@pytest.mark.parametrize(
    "planted",
    [
        'phrase(f"no {x}")',
        'phrase("no " + x)',
        'phrase("no" if x else f"no {x}")',
        'text = f"no {x}"\nphrase(text)',
        'def bad(text):\n    phrase(text)\nbad(f"no {x}")',
        'class Bad(Exception):\n    def __init__(self, text):\n        phrase(text)\nBad(f"{x}")',
    ],
)
def test_a_planted_sentence_is_noticed(planted: str) -> None:
    code = Code({"domain/x.py": f"from domain.words.phrases import phrase\n{planted}\n"})
    code.read()
    assert len(code.faults) == 1


@pytest.mark.parametrize(
    ("planted", "faults"),
    [
        ("<p>{{ t('The match is over') }} · Kifu</p>", 0),
        ("<p>The match is over</p>", 1),
        ("<p>{{ t(sentence) }}</p>", 1),
        ("<p>{{ t('The match ' ~ state) }}</p>", 1),
        ("<p>{{ t('one' if n == 1 else 'several') }}</p>", 0),
        ('<button title="Close">×</button>', 1),
        ('<button title="{{ t("Close") }}">×</button>', 0),
    ],
)
def test_a_planted_sentence_of_a_template_is_noticed(planted: str, faults: int) -> None:
    seen = [*templates.sentences("service/web/x.html", planted)]
    assert sum(fault for _, _, fault in seen) == faults


def test_a_sentence_past_the_tables_is_noticed(pseudo: Language) -> None:
    rules = rulebook("gundam")
    seen = [f"there is no card {3}", phrase("no entry {what}", what="in between")]
    assert len(list(untranslated(map(pseudo.say, seen), rules))) == 2
    assert list(untranslated([pseudo.say(phrase("the match is over"))], rules)) == []


# -- the command line ------------------------------------------------------------------------------


@pytest.fixture
def spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The language is one of those that there are tables for."""
    lying = write_tables(tmp_path)
    monkeypatch.setattr(tables, "folders", lambda: iter(lying))
    _forget_languages()
    yield
    monkeypatch.undo()
    _forget_languages()


def _forget_languages() -> None:
    tables.languages.cache_clear()
    tables.language.cache_clear()
    tables._language.cache_clear()


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize(
    ("before", "environment"),
    [(["--lang", TAG], {}), ([], {"KIFU_LANG": TAG}), ([], {"LANG": f"{TAG}_XX.UTF-8"})],
)
def test_the_command_line_speaks_it(before: list[str], environment: dict[str, str]) -> None:
    file = "tests/scenarios/gundam/command.scenario"
    clean = dict.fromkeys(("KIFU_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    run = partial(CliRunner().invoke, kifu, env={**clean, **environment})
    seen = run([*before, "scenario", file, "--transcript"])
    assert seen.exit_code == 0
    assert "⟦" in seen.stdout
    english = run(["--lang", "en", "scenario", file, "--transcript"])
    assert "⟦" not in english.stdout


@pytest.mark.usefixtures("spoken")
async def test_a_call_is_answered_in_it(tmp_path: Path) -> None:
    """The manifest, and what a call is refused for; the reason is the same in all languages."""

    def ask(address: str, token: str) -> None:
        with connect(address, token, language=f"xx, {TAG};q=0.5") as client:
            assert client.manifest("gundam").title.startswith("⟦")
            with pytest.raises(CallError) as refused:
                client.manifest("chess")
            assert refused.value.reason == "GAME_UNKNOWN"
            assert refused.value.text == widened("There is no such game.")

    server = Server(Settings(data=tmp_path / "m.kifu", port=0))
    serving = await server.start()
    try:
        await asyncio.to_thread(ask, serving.address, serving.token)
    finally:
        await server.stop()
