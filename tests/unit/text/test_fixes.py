"""Fixes as officials type them."""

from __future__ import annotations

import pytest

from domain.officials.corrections.fixes import Fix
from domain.text.fixes import BadFix, identified, read
from tests.playouts import Setup, begin


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("move 57 @58 to trash/0", Fix("move", (57, 58), place="trash/0")),
        ("move 57=ST01-001 to hand/0", Fix("move", (57,), ("ST01-001",), place="hand/0")),
        ("move 5 to deck/0 at 0 down", Fix("move", (5,), place="deck/0", at=0, up=False)),
        ("draw 2 from deck/0 to hand/0", Fix("draw", n=2, src="deck/0", place="hand/0")),
        ("turn 57 lying rested", Fix("turn", (57,), orient="rested")),
        ("turn 57 up", Fix("turn", (57,), up=True)),
        ("show 57", Fix("show", (57,))),
        ("show 57 to B", Fix("show", (57,), seats=(1,))),
        ("name 57=ST01-001", Fix("name", (57,), ("ST01-001",))),
        ("counters damage 2 to 57", Fix("counters", kind="damage", n=2, dst=57)),
        ("counters x 1 from seat/0", Fix("counters", kind="x", n=1, src="seat/0")),
        ("mark seat/0 hit yes", Fix("mark", subject="seat/0", kind="hit", value=True)),
        ("mark 57 used", Fix("mark", subject=57, kind="used")),
        ("order trash/0 3 1 2", Fix("order", (3, 1, 2), place="trash/0")),
        ("shuffle deck/1", Fix("shuffle", place="deck/1")),
        ("control 57 by A", Fix("control", (57,), seat=0)),
        ("attach 58 to 57 as pilot", Fix("attach", (58,), host=57, role="pilot")),
        ("attach 58", Fix("attach", (58,))),
        ("remove 57", Fix("remove", (57,))),
        ("make T1 T1 at battle/0", Fix("make", names=("T1", "T1"), place="battle/0")),
        ("modify 57 ap -2 until battle",
         Fix("modify", (57,), kind="ap", value=-2, until="battle")),
        ("modify 57 forbid attack", Fix("modify", (57,), kind="attack", op="forbid")),
        ("end 3", Fix("end", ids=(3,))),
        ("modify 57 original set ap 3",
         Fix("modify", (57,), kind="ap", op="original set", value=3)),
        ("modify 57 multiply ap 1/2",
         Fix("modify", (57,), kind="ap", op="multiply", value="1/2")),
        ("modify 57 swap atk def", Fix("modify", (57,), kind="atk", op="swap", value="def")),
        ("modify 57 lose texts", Fix("modify", (57,), kind="texts", op="lose")),
        ("modify base/0 forbid damage",
         Fix("modify", place="base/0", kind="damage", op="forbid")),
        ("define 57 power=3 type=character",
         Fix("define", (57,), figures={"power": 3, "type": "character"})),
        ("define 57", Fix("define", (57,))),
        ("link 58 to 57 as equip", Fix("link", (58,), host=57, role="equip")),
        ("link 58", Fix("link", (58,))),
        ("depart 57 to trash/0 for destroyed by seat/1",
         Fix("depart", (57,), place="trash/0", kind="destroyed", subject="seat/1")),
        ("depart 57", Fix("depart", (57,))),
        ("trigger 57 X-1/deploy", Fix("trigger", (57,), effect="X-1/deploy")),
        ("trigger 57 X-1/deploy by B", Fix("trigger", (57,), effect="X-1/deploy", seat=1)),
        ("schedule X-1/later for B with turn from 7 in A about 57 58 times 2",
         Fix("schedule", (57, 58), effect="X-1/later", seat=1, until="turn", turn=7, seats=(0,),
             n=2)),
        ("schedule draw for A with turn", Fix("schedule", kind="draw", seat=0, until="turn")),
        ("void 3 4", Fix("void", ids=(3, 4))),
        ("retarget seat/1", Fix("retarget", subject="seat/1")),
        ("retarget 57 by 60", Fix("retarget", subject=57, host=60)),
    ],
)  # fmt: skip
def test_a_fix_is_parsed_from_its_text(text: str, fix: Fix) -> None:
    assert read(text) == fix


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "a verb is missing"),
        ("juggle 57", "there is no 'juggle'"),
        ("move to hand/0", "a card's number is missing"),
        ("move 57 hand/0", "'to' is missing"),
        ("draw two from deck/0 to hand/0", "'two' is no number"),
        ("shuffle deck/0 well", "'well' is too much"),
        ("control 57 by nobody", "'nobody' is no player"),
        ("depart 57 to trash/0", "'for' is missing"),
        ("schedule draw with turn", "'for' is missing"),
        ("define 57 power", "'power' is no figure"),
    ],
)
def test_what_is_no_fix(text: str, fault: str) -> None:
    with pytest.raises(BadFix, match=fault):
        read(text)


def test_cards_go_by_any_name_first_those_of_the_owner() -> None:
    match = begin(Setup(3))
    card = next(n for n, one in match.pos.cards.items() if one.owner == 0)
    listed = next(
        one for one in match.rules.cards.values() if one.id in match.pos.heading.decks[0][1]["main"]
    )
    fix = identified(read(f'name {card}="{listed.name.upper()}"'), match.pos, match.rules)
    assert fix == Fix("name", (card,), (listed.id,))
    nobody = read('name 5="Moe Bius"')
    assert identified(nobody, match.pos, match.rules) == nobody
