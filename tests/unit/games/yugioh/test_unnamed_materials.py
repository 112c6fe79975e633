"""Fusion and Ritual Summons at a real table, where nobody has named what they are made of."""

from __future__ import annotations

import pytest

from domain.engine.match import Match, Refused
from domain.engine.naming import Inputs
from domain.engine.signals import NameRequired
from domain.games.yugioh.rulebook import RULEBOOK
from domain.record.decisions import Act
from replay_cli.playing.fuzz.tables import no_dice
from tests.unit.games.yugioh.real_table import IDS, RealTable


def begun(spell: str, monster: str, position: str) -> tuple[RealTable, list[int]]:
    """A table where a spell is carried out for a monster; and what else is in the hand."""
    table = RealTable(position)
    (card, *others), extra = table.lying("hand/0"), table.lying("extra/0")
    table.choose("activate", card, **{f"n{card}": spell})
    table.choose("pass")
    table.choose("pass")
    chosen = extra[0] if extra else others.pop()
    decision = table.match.pos.decision
    assert decision is not None
    source = decision.about
    assert isinstance(source, int)
    table.choose("choose", source, chosen, **{f"n{chosen}": monster})
    return table, others


@pytest.mark.rule("ygo:fusion.choice.3")
def test_what_was_trusted_may_turn_out_to_be_missing() -> None:
    table, _ = begun(
        "Polymerization",
        "Elemental HERO Flame Wingman",
        "    A hand: 3\n    A extra: Elemental HERO Flame Wingman\n",
    )
    assert table.kinds() == ["make", "lack"]
    before = len(table.log)
    table.choose("lack")
    events = [type(entry.event).__name__ for entry in table.log[before:]]
    assert "NotDone" in events
    assert len(table.lying("hand/0")) == 2
    assert len(table.lying("extra/0")) == 1
    assert [table.match.pos.cards[n].id for n in table.lying("grave/0")] == [IDS["Polymerization"]]
    assert not [frame for frame in table.match.pos.frames if frame.kind == "summon"]


@pytest.mark.rule("ygo:fusion.steps.2")
def test_materials_are_named_as_they_are_shown() -> None:
    table, (one, other) = begun(
        "Polymerization",
        "Elemental HERO Flame Wingman",
        "    A hand: 3\n    A extra: Elemental HERO Flame Wingman\n",
    )
    decision = table.match.pos.decision
    assert decision is not None
    with pytest.raises(NameRequired) as required:
        table.match.choose(0, decision.n, Act("make", 0, ((one,), (other,))), 1)
    assert {need.number for need in required.value.needs} == {one, other}


@pytest.mark.rule("ygo:fusion.choice.3")
def test_known_materials_are_not_lacking() -> None:
    table, _ = begun(
        "Polymerization",
        "Elemental HERO Flame Wingman",
        "    A hand: 3\n    A monster: Elemental HERO Avian, Elemental HERO Burstinatrix\n"
        "    A extra: Elemental HERO Flame Wingman\n",
    )
    assert table.kinds() == ["make"]


@pytest.mark.rule("ygo:ritual.steps.1")
def test_tributes_may_turn_out_to_be_missing() -> None:
    table, others = begun("White Dragon Ritual", "Paladin of White Dragon", "    A hand: 4\n")
    before = len(table.log)
    table.choose("lack")
    made = [e for e in table.log[before:] if type(e.event).__name__ == "DecisionMade"]
    assert [entry.cites for entry in made] == [("ygo:ritual.steps.1",)]
    assert {*others} <= {*table.lying("hand/0")}
    assert not table.lying("monster/0")


@pytest.mark.rule("ygo:ritual.level.1")
@pytest.mark.parametrize(
    ("names", "fits"),
    [
        (("Kuriboh", "Junk Synchron"), True),
        (("Gemini Elf", "Kuriboh"), False),
        (("Kuriboh", "Kuriboh"), False),
    ],
)
def test_tributes_count_once_they_are_named(names: tuple[str, str], fits: bool) -> None:
    """Whether they are too many, or too few, for a Ritual Monster of Level 4."""
    table, others = begun("White Dragon Ritual", "Paladin of White Dragon", "    A hand: 4\n")
    decision = table.match.pos.decision
    assert decision is not None
    act = Act("make", 0, (tuple(others),))
    with pytest.raises(NameRequired):
        table.match.choose(0, decision.n, act, 1)
    table.match = Match.resume(RULEBOOK, table.log, no_dice)
    ids = (IDS[name] for name in names)
    named = Inputs(dict(zip(others, ids, strict=True)), (), "Sam")
    if fits:
        table.match.choose(0, decision.n, act, 1, inputs=named)
        assert table.kinds() == ["place"]
        return
    with pytest.raises(Refused) as refused:
        table.match.choose(0, decision.n, act, 1, inputs=named)
    assert refused.value.refusal.rules[0] == "ygo:ritual.level.1"
