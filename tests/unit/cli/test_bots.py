"""Bots and playouts: repeatable, sensible, and through to the end."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from domain.record.decisions import NUMBER, TEXT, Limits, Offer, Option, Part
from domain.record.entries import encode
from domain.record.fitting.fit import fit
from domain.record.position import Position
from replay_cli.playing.bots import Bot, seeded_dice
from replay_cli.playing.playout import play
from service.client.files import read
from service.keeping.adding import add, id_of
from service.store.records import Records, StoreError
from tests.unit.cli.clis import RULES, answer, log, run

#: Where the records that are compared were made by the first edition.
FIRST = ("--edition", "1.0")


def test_a_seed_gives_the_same_record() -> None:
    repeated = play(RULES, ("ST01", "ST03"), 3)
    assert [encode(entry) for entry in repeated] == [encode(entry) for entry in log(3)]
    assert [encode(e) for e in log(4)] != [encode(e) for e in log(3)]


def test_dice_are_orders_and_outcomes() -> None:
    dice = seeded_dice(1)
    assert sorted(dice("shuffle", 7)) == list(range(7))
    assert dice("chooser", 2)[0] in (0, 1)


def test_whatever_is_on_offer_is_answered() -> None:
    exact = Limits(weights=(1, 2, 3), least=3, most=5, minimal=True)
    offer = Offer(
        (
            Option("pay", 1, (Part("n", NUMBER, 2, 5), Part("why", TEXT, 1, 9))),
            Option("sum", 2, (Part("with", 0, 0, 9, exact),)),
            Option("order", 3, (Part("which", 0, 3, 3, Limits(ordered=True)),)),
            Option("pass"),
        ),
        ((7, 8, 9),),
    )  # fmt: skip
    bot = Bot(RULES.manifest, 0, 1)
    kinds = set()
    for _ in range(200):
        act = bot.choose(offer, Position())
        fit(offer, act)
        kinds.add(act.kind)
    assert kinds >= {"pay", "sum", "order"}


def test_matches_of_bots_are_matches() -> None:
    report = answer("simulate", "-n", 4, "--decks", "ST01,ST03", "--check")
    assert report["faults"] == []
    assert 8 <= report["turns"]["median"] <= 22
    assert set(report["wins"]) == {"ST01", "ST03"}


def test_a_report_for_people() -> None:
    result = run("simulate", "-n", 3, "--seed", 5, "--best-of", 3, "-j", 2)
    assert "went wrong" in result.stdout
    assert "3 in" in result.stdout


def test_records_are_kept(tmp_path: Path) -> None:
    """Each is the whole one, and is read like any other."""
    folder = tmp_path / "new" / "played"
    run("simulate", "-n", 2, "--seed", 3, "--decks", "ST01,ST03", "--keep", folder, *FIRST)
    assert sorted(path.name for path in folder.iterdir()) == ["gundam-3.jsonl", "gundam-4.jsonl"]
    assert read(folder / "gundam-3.jsonl") == log(3)
    assert "not for --fuzz" in run("simulate", "--fuzz", "-o", folder, code=2).stderr


def test_records_are_kept_in_a_store(tmp_path: Path) -> None:
    """Each is a match that other commands read; one that is there already stays as it is."""
    store = tmp_path / "played.kifu"
    args = ("simulate", "--decks", "ST01,ST03", "-o", store, *FIRST)
    run(*args, "-n", 2, "--seed", 3)
    run(*args, "-n", 3, "--seed", 3, "-j", 2)  # those that it has, and another
    matches = answer("list", "-d", store)
    assert len(matches) == 3
    assert {match["state"] for match in matches} == {"MATCH_STATE_ENDED"}
    assert log(3) in [read(store, match["id"]) for match in matches]
    assert "3 exact" in run("verify", "--offline", "-d", store).stdout
    run("store", "check", store)


def test_a_record_that_is_another_is_not_replaced(tmp_path: Path) -> None:
    with closing(Records(tmp_path / "played.kifu")) as records:
        assert add(records, id_of("one"), log(3))
        assert not add(records, id_of("one"), log(3))
        with pytest.raises(StoreError, match="has another match"):
            add(records, id_of("one"), log(4))
        assert records.entries(id_of("one")) == log(3)


def test_simulating_what_there_is_not() -> None:
    assert "there is no deck 'ST99'" in run("simulate", "--decks", "ST99", code=3).stderr
    assert "there is no game" in run("simulate", "--game", "whist", code=3).stderr


def test_a_lost_card_is_noticed(monkeypatch) -> None:
    from replay_cli.commands.keeping import simulate

    original = simulate.Playout

    class Careless(original):  # type: ignore[misc, valid-type]
        def __iter__(self):
            for entries in super().__iter__():
                pos = self.match.pos
                if pos.turn == 2 and pos.zone("deck", 0):
                    pos.cards.pop(pos.zone("deck", 0)[0], None)
                yield entries

    monkeypatch.setattr(simulate, "Playout", Careless)
    found = run("simulate", "-n", 1, code=1).stderr
    assert "1 of 1 matches went wrong; the first: seed 0" in found
    assert "not there" in found


def test_decks_are_drawn_at_random_from_a_seed() -> None:
    one, other = (answer("simulate", "-n", 2, "--seed", 5, "--decks", "random") for _ in range(2))
    assert one["faults"] == []
    assert one["wins"] == other["wins"]
    run("simulate", "--game", "hollow_flux", "--decks", "random", code=1)
