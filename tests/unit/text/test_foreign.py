"""Lines typed in Japanese or Chinese mean what the notation's lines mean."""

from __future__ import annotations

from random import Random

import pytest

from domain.games import names, rulebook
from domain.telling.book import Book, CardFacts
from domain.text import foreign
from domain.text.foreign import written
from domain.text.notation import parse, write
from tests.playouts import PAIRS, RULES, Setup, answer, begin, opening
from tests.support.scorekeepers import Typist, desk

#: Width, kana and dots: as they are in print, and as they are typed.
FOLDED = [
    ("アサルト", "ｱｻﾙﾄ"), ("ブラック・マジシャン", "ぶらっくまじしゃん"), ("Ａ・Ｏ・Ｊ", "a·o·j"),
]  # fmt: skip


@pytest.mark.parametrize("game", names())
def test_words_of_the_notation_are_those_of_the_game(game: str) -> None:
    manifest = rulebook(game).manifest
    words = {one.name for kind in (manifest.acts, manifest.zones, manifest.parts) for one in kind}
    assert {english for english, _ in written(game, "notation")} <= {*words, "player"}
    cards = {card.name for card in rulebook(game).cards.values()}
    assert {english for english, _ in written(game, "names")} <= cards


@pytest.mark.parametrize("tag", ["ja", "zh-Hans", "zh-Hant"])
@pytest.mark.parametrize("game", names())
def test_what_buttons_show_means_the_line_when_it_is_typed(game: str, tag: str) -> None:
    manifest = rulebook(game).manifest
    acts = {one.name for one in manifest.acts}
    card = next((english for english, _ in written(game, "names", tag)), "Somebody")
    for verb in acts & {english for english, _ in written(game, "notation")}:
        line = f"{verb} {card} -> {card}"
        shown = foreign.shown(line, game, tag)
        assert not shown.startswith(verb)
        assert foreign.in_english(shown, manifest, {}) == line
    assert foreign.shown("attack GM", game, "en") == "attack GM"


@pytest.mark.parametrize(
    ("tag", "shown"),
    [
        ("ja", "通常召喚 ブラック・マジシャン#2"), ("zh-Hans", "召唤 黑魔导#2"),
        ("zh-Hant", "召喚 黑魔道士#2"), ("en", "summon Dark Magician#2"),
    ],
)  # fmt: skip
def test_verbs_and_names_are_shown_in_the_script_of_the_reader(tag: str, shown: str) -> None:
    assert foreign.shown("summon Dark Magician#2", "yugioh", tag) == shown


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("アタック GM→プレイヤー", "attack GM -> player"),
        ("ｱﾀｯｸ ＧＭ －＞ ﾌﾟﾚｲﾔｰ", "attack GM -> player"),
        ("捨てる GM、Guntank", "discard GM, Guntank"),
    ],
)
def test_signs_that_input_methods_write_are_read(typed: str, meant: str) -> None:
    assert foreign.in_english(typed, rulebook("gundam").manifest, {}) == meant


@pytest.mark.parametrize("tag", ["ja", "zh"])
@pytest.mark.parametrize("game", names())
def test_an_act_in_own_words_is_the_same_act(game: str, tag: str) -> None:
    """Each act of a match, with its verb and the names of cards in another language."""
    setup, rng = Setup(7, PAIRS[game][0]), Random(f"{game} {tag}")
    match, tried = begin(setup), 0
    match.collect()
    verbs = _words(game, "notation", tag)
    cards = _words(game, "names", "ja" if tag == "ja" else "zh-Hans")
    while (decision := match.pos.decision) is not None and decision.n < 120:
        seat = decision.seats[0]
        offer = decision.offers[seat]
        act = answer(setup, decision.n, offer)
        text = write(act, match.pos, setup.rules, seat, offer)
        if act.kind in verbs and foreign.DECLARED not in text:
            typed = _in_own_words(text, act.kind, verbs, cards, rng)
            assert parse(typed, match.pos, setup.rules, seat, offer) == act, typed
            tried += 1
        match.choose(seat, decision.n, act, match.pos.time + 1)
        match.collect()
    assert tried > 20


def _words(game: str, kind: str, tag: str) -> dict[str, str]:
    """English to the last of its own words."""
    return {english: own.rpartition("|")[2] for english, own in written(game, kind, tag)}


def _in_own_words(
    text: str, verb: str, verbs: dict[str, str], cards: dict[str, str], rng: Random
) -> str:
    typed = text.replace(verb, verbs[verb], 1)
    for english in sorted(cards, key=len, reverse=True):
        typed = typed.replace(english, cards[english])
    return rng.choice([typed, typed.replace("・", ""), typed.replace(" -> ", "　-> ")])


@pytest.mark.parametrize(("own", "typed"), FOLDED)
def test_width_kana_and_dots_make_no_difference(own: str, typed: str) -> None:
    plain = [foreign.folded(one).translate(foreign.DOTS) for one in (own, typed)]
    assert plain[0] == plain[1]


def test_what_no_table_knows_stays_as_it_was_typed() -> None:
    for text in ("deploy GM", "deploy Ζ Gundam (GD02-005)", "摸魚 xyz", "choose text 攻撃 {}"):
        assert foreign.in_english(text, RULES.manifest, RULES.cards) == text


def test_a_card_that_a_match_brought_may_be_called_like_a_verb() -> None:
    """A card called 攻撃機 is not `attack 機`, and a verb before it is still one."""
    brought = {"X-1": CardFacts("X-1", "攻撃機", "unit")}
    for text, meant in (
        ("攻撃 攻撃機 -> player", "attack 攻撃機 -> player"),
        ("ﾌﾞﾛｯｸ攻撃機", "block 攻撃機"),
        ("attack battle.攻撃機#2 -> B.攻撃機#1", "attack battle.攻撃機#2 -> B.攻撃機#1"),
    ):
        assert foreign.in_english(text, RULES.manifest, brought) == meant


@pytest.fixture(scope="module")
def typist() -> Typist:
    """A scorekeeper of Yu-Gi-Oh! in the first Main Phase, with unseen cards in the hand."""
    setup = Setup(3, PAIRS["yugioh"][0])
    match = begin(setup)
    while (decision := match.pos.decision) is not None and decision.kind != "main":
        seat = decision.seats[0]
        act = answer(setup, decision.n, decision.offers[seat])
        match.choose(seat, decision.n, act, match.pos.time + 1)
    return Typist(desk(setup.rules, opening(setup), match.collect()), Book.of(setup.rules))


@pytest.mark.parametrize("verb", ["summon", "召喚", "召唤"])
@pytest.mark.parametrize(
    ("letters", "name"),
    [
        ("ｸﾘﾎﾞ", "Kuriboh"),
        ("くりぼー", "Kuriboh"),
        ("库里", "Kuriboh"),
        ("庫里波", "Kuriboh"),
        ("岩石の", "Giant Soldier of Stone"),
        ("岩石巨兵", "Giant Soldier of Stone"),
    ],
)
def test_a_few_letters_of_a_name_are_enough(
    typist: Typist, verb: str, letters: str, name: str
) -> None:
    """In Japanese and both Chinese scripts an unseen card is found as it is in English."""
    line = typist.input_line
    line.type(f"summon {name}")
    meant = line.understood().command
    assert meant is not None
    assert meant.act.kind == "summon"
    for typed in (f"{verb} {letters}", f"Ａ：{verb} {letters}", f"A: {verb}　{letters}"):
        line.type(typed)
        assert line.understood().command == meant, typed
