"""The table of acts by itself: offers, refusals and words that follow from rows made up here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from domain.engine.rulebook import Refusal
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.choices.acts import Acts, Question
from domain.games.kit.choices.legality import never, refuse
from domain.games.kit.choices.rows import Asking, Pick, Row, concession, reply, unnamed
from domain.record.decisions import Act, Limits, Misfit, Part, Sum, Supply, Term
from domain.record.position import Card, Decision, Heading, Position
from domain.record.schema.manifest import Word
from tests.toy import MANIFEST

HAND, FIELD = (1, 2), (3,)
LATE = 9
CORES = ("core/1", "core/2")


def hand(asking: Asking) -> tuple[int, ...]:
    return HAND


def field(asking: Asking) -> tuple[int, ...]:
    return FIELD


def twice(asking: Asking, card: int) -> tuple[str, ...]:
    return ("T1/a", "T1/b")


def paid(asking: Asking, card: int, text: str) -> Iterator[Part]:
    yield Part("pay", 0, 1, 1)


def placed(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """From where it is paid, too: the parts share a pool."""
    yield asking.part("place", CORES, 1, 2)


def not_the_second(t: Table, seat: int, act: Act) -> Refusal | None:
    return refuse("card {n} is not for playing", "x:2", n=2) if act.card == 2 else None


def early(t: Table, seat: int, act: Act) -> Refusal | None:
    return refuse("it is too late", "x:late") if t.pos.turn == LATE else None


def own_words(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal | None:
    return refuse("not there", "x:place", fault="BAD_PICKS") if misfit.fault == "repeated" else None


def answer(t: Table, seat: int, act: Act) -> Play:
    return f"{act.kind} {act.card}"
    yield


ACTS = Acts(
    (
        Row(
            name="play", label="plays {card}", at=("main",), cards=hand,
            picks=(
                Pick("pay", {"": ("one core", "x:pay")}, paid),
                Pick("place", {"none": ("one at least", "x:0")}, placed, own_words),
            ),
            when=(early,), checks=(not_the_second,), allows=("x:1",),
            do=answer, play_anyway=answer, which="x:which",
        ),
        Row(name="use", label="uses {card}", at=("main", "flash"), cards=hand, texts=twice,
            when=(early,)),
        Row(
            name="flip", label="flips {card}", at=("main",),
            cards=hand, types=("even",), when=(early,),
        ),
        Word("replacement", "{card} instead"),
        Row(
            name="attack", label="attacks with {card}", at=("main",), against=("flash",),
            cards=field, when=(early,), allows=lambda t, seat, act: (f"x:{act.card}",),
        ),
        Row(name="pass", label="passes", at=("main", "flash"), idle=True),
        reply("yes", "x:may"),
        reply("no", "x:may"),
        concession("concedes", "x:concede"),
        unnamed("does something with {card}", ("main",), hand),
        Row(name="peek", checks=(never("x:peek", "nobody may look"),)),
        Row(name="tidy", label="tidies", stands=lambda p, seat: [Act("tidy", f"trash/{seat}")]),
    ),
    questions={
        "main": Question(lambda p, seat: CORES),
        "flash": Question(lambda p, seat: CORES, kept=False),
    },
    picks=(
        Pick("place", {"": ("where there is room", "x:room")}),
        Pick("", {"too many": ("too many", "x:many"), "": ("not that", "x:any")}),
    ),
    unasked=lambda t, seat, act: refuse("not now", "x:now"),
    which="x:name",
    over="x:over",
    seats="x:seats",
    unknown="x:unknown",
    type_of=lambda p, card: "odd" if card % 2 else "even",
)  # fmt: skip


def table(mode: str = "dealer", named: bool = True) -> Table:
    """Three cards in play, of a real table perhaps, where perhaps nobody has named them."""
    p = Position()
    p.heading = Heading(mode=mode)
    for n in (*HAND, *FIELD):
        id_ = "T01" if named else ""
        p.cards[n] = Card(id_, 0, 0, "field/0", True, "", seen=3, follow=3)
    return Table(p, replace(MANIFEST, acts=ACTS.words))


def at_decision(*seats: int, kind: str = "main") -> Table:
    t = table()
    t.pos.decision = Decision(1, list(seats), kind, 0, 1, 0, {})
    return t


# -- what is on offer ------------------------------------------------------------------------------


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "misfit", "seen"),
    [
        (Act("dance"), None, ("UNKNOWN_ACT", "x:unknown")),
        (Act("replacement"), None, ("UNKNOWN_ACT", "x:unknown")),
        (Act("peek", 1), None, ("ILLEGAL_ACT", "x:peek")),
        (Act("play", 2), Misfit("too few", "pay"), ("ILLEGAL_ACT", "x:2")),
        (Act("play", 1), Misfit("not offered"), ("ILLEGAL_ACT", "x:now")),
        (Act("play", 1), Misfit("which effect"), ("BAD_PICKS", "x:which")),
        (Act("use", 1), Misfit("which effect"), ("BAD_PICKS", "x:name")),
        (Act("play", 1, (("core/1",),)), Misfit("too few", "pay"), ("BAD_PICKS", "x:pay")),
        (Act("play", 1, ((),)), Misfit("too few", "place"), ("BAD_PICKS", "x:0")),
        (Act("play", 1, ((3,),)), Misfit("repeated", "place"), ("BAD_PICKS", "x:place")),
        (Act("play", 1, ((3,),)), Misfit("sum", "place"), ("BAD_PICKS", "x:room")),
        (Act("use", 1, ((3,),)), Misfit("too many", "other"), ("BAD_PICKS", "x:many")),
        (Act("use", 1, ((3,),)), Misfit("sum", "other"), ("BAD_PICKS", "x:any")),
        (Act("play", 1), None, None),
    ],
)
def test_the_narrowest_rule(act: Act, misfit: Misfit | None, seen: tuple[str, str] | None) -> None:
    found = ACTS.refusal(table(), 0, act, misfit)
    assert (found and (found.fault, found.rules[0])) == seen


@pytest.mark.parametrize(
    ("t", "seat", "rule"),
    [
        (at_decision(0, kind="may"), 0, None),
        (at_decision(1, kind="may"), 0, "x:may"),
        (at_decision(0), 0, "x:may"),
        (table(), 0, "x:may"),
        (table(), 2, "x:seats"),
    ],
)
def test_a_reply_answers_its_question_only(t: Table, seat: int, rule: str | None) -> None:
    found = ACTS.refusal(t, seat, Act("yes"))
    assert (found and found.rules[0]) == rule


# -- what follows from the rows --------------------------------------------------------------------


def test_the_words_of_the_manifest_stand_in_the_order_of_the_table() -> None:
    assert [word.name for word in ACTS.words] == [
        "play", "use", "flip", "replacement", "attack", "pass", "yes", "no", "concede",
        "unknown", "tidy",
    ]  # fmt: skip


def test_answers_and_acts_that_do_nothing() -> None:
    assert ACTS.answers == {
        "main": ("play", "use", "flip", "attack", "pass"),
        "flash": ("use", "attack", "pass"),
    }
    assert ACTS.idle == {"pass", "no"}


def returned(flow: Play) -> object:
    with pytest.raises(StopIteration) as end:
        next(flow)
    return end.value.value


def test_what_carries_an_act_out() -> None:
    t = table()
    assert returned(ACTS.carry_out(t, 0, Act("play", 1))) == "play 1"
    assert returned(ACTS.play_anyway(t, 0, Act("play", 1))) == "play 1"
    assert returned(ACTS.carry_out(t, 0, Act("pass"))) is None
    with pytest.raises(ValueError, match="'use' can't be done during"):
        next(ACTS.play_anyway(t, 0, Act("use", 1)))


# -- what is asked of several parts together -------------------------------------------------------


def summoning(*held: int, least: int = 3, low: int = 0) -> Acts:
    """A row that pays 3 or more from places of which each holds so many, and places 1 more."""
    members = tuple(f"core/{at}" for at in range(len(held)))

    def parts(asking: Asking, card: int, text: str) -> Iterator[Part]:
        yield asking.part("pay", members, 0, 9, Limits(cap=9))
        yield asking.part("place", members, 1, 2, Limits(ordered=True, cap=9))

    def together(asking: Asking, card: int, text: str) -> Limits:
        price = Sum("price", (Term(0),), least, least)
        all_in_all = Sum("total", (Term(0), Term(1)), low, 99)
        return Limits(sums=(price, all_in_all), supplies=(Supply((0, 1), 0, held),))

    row = Row(
        name="summon", label="summons {card}", at=("main",), cards=hand, checks=(not_the_second,),
        picks=(
            Pick("pay", parts=parts),
            Pick("price", {"sum": ("its price exactly", "x:price")}),
            Pick("total", {"sum": ("so much in all", "x:total")}),
        ),
        together=together,
    )  # fmt: skip
    return Acts(
        (row, Row(name="pass", label="passes", at=("main",))),
        questions={"main": Question()},
        picks=(Pick("", {"repeated": ("there are no more", "x:more"), "": ("not that", "x:any")}),),
        unasked=lambda t, seat, act: refuse("not now", "x:now"),
        which="", over="", seats="", unknown="",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("acts", "card", "rule"),
    [
        (summoning(3, 1), 1, None),
        (summoning(2, 0), 1, "x:price"),  # there is not so much
        (summoning(3, 0), 1, "x:price"),  # nothing would be left to be placed
        (summoning(9, 0, low=12), 1, "x:total"),
        (summoning(2, 0), 2, "x:2"),  # what a check says comes first
    ],
)
def test_what_no_picks_can_meet_is_not_offered_and_refused_by_its_name(
    acts: Acts, card: int, rule: str | None
) -> None:
    offered = {(o.kind, o.card) for o in acts.offer("main", table(), 0).options}
    found = acts.refusal(table(), 0, Act("summon", card))
    assert (found and found.rules[0]) == rule
    assert (("summon", card) in offered) == (rule is None)
