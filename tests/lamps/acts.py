"""What may be done in Lamps: the table of acts, and what carries them out."""

from collections import Counter
from collections.abc import Iterable, Iterator

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.choices.acts import Acts, Question
from domain.games.kit.choices.legality import (
    Check,
    asked,
    between_acts,
    in_hand,
    in_step,
    of_type,
    refuse,
)
from domain.games.kit.choices.rows import (
    Asking,
    Pick,
    Row,
    concession,
    declaring,
    end_step,
    redrawing,
    reply,
    unnamed,
)
from domain.games.kit.flow.window import Rules, Window, turn_rival
from domain.record.decisions import Act, Limits, Matching, Part, Sum, Supply, Term
from domain.record.position import Position
from domain.record.values import Ref
from tests.lamps.cards import declaration_faults
from tests.lamps.texts import TERMS, TRIGGERS, carry_out, stock

WINDOW = Window(
    kind="window", first=turn_rival, follow=TRIGGERS.follow_up,
    rules=Rules(cause=lambda p, holds: ("lm:4-3",), hands=("lm:4-3",)),
)  # fmt: skip


def sources(p: Position, seat: int) -> tuple[Ref, ...]:
    """Where a seat's oil is: what it pays from, and fills from."""
    return (f"store/{seat}", *p.zone("quay", seat))


def hand(asking: Asking) -> Iterable[int]:
    """The cards of the hand."""
    return asking.p.zone("hand", asking.seat)


def blows(asking: Asking, card: int) -> Iterator[str]:
    """What a gust can do."""
    return stock(asking.p).named(asking.p.cards[card].id, "command")


def oil(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """What is burnt, and what is filled into the lamp."""
    price = stock.facts(asking.p, card).price
    yield asking.part("pay", asking.pools[0], 0, price, Limits(cap=price))
    yield asking.part("fill", asking.pools[0], 1, 2, Limits(cap=2))


def colors(p: Position, *cards: int) -> tuple[int, ...]:
    """The colours of lamps, each as a symbol."""
    found = (stock.facts(p, card).color for card in cards)
    return tuple({"red": 1, "blue": 2}[color] for color in found if color)


def together(asking: Asking, card: int, text: str) -> Limits:
    """Both make up the price, less one for a colour that burns, from what each source holds."""
    p, price = asking.p, stock.facts(asking.p, card).price
    held = tuple(p.counters(ref, "oil") for ref in asking.pools[0])
    burning = Matching(colors(p, card), colors(p, *p.zone("quay", asking.seat)))
    total = Sum("price", (Term(0), Term(1)), price, price, burning)
    return Limits(sums=(total,), supplies=(Supply((0, 1), 0, held),))


def light(t: Table, seat: int, act: Act) -> Play:
    """A lamp comes to the quay; what it says for that is done, and gusts may blow."""
    with t.at_once():
        (card,) = t.move([int(act.card)], f"quay/{seat}", "lit", "lm:4-1")
        to: tuple[Ref, Ref] = ("", card)
        for at, dst in enumerate(to):
            for ref, n in Counter(act.picks[at]).items():
                t.counters("oil", n, "lm:4-2", "lm:4-1", src=ref, dst=dst)
    yield from TRIGGERS.follow_up(t)
    go(t, "window", "lm:4-3")


def blow(t: Table, seat: int, act: Act) -> Play:
    """A gust goes to the trash and does what it says."""
    (card,) = t.move([int(act.card)], f"trash/{seat}", "gust", "lm:4-3")
    number = t.declare("gust", card, seat, "lm:4-3", effect=act.effect)
    yield from carry_out(t, t.pos.pending[number])


def of_the_hand(type_: str, rule: str) -> tuple[Check, Check]:
    """A card of this type, out of the hand."""
    return in_hand(rule), of_type(stock.facts, rule, type_)


IDLE = between_acts("lm:6-1", ("main", "window"))
MAIN = (in_step("main", "lm:3-2", "only in your main step"),)
WINDY = (in_step("window", "lm:4-3", "no lamp was lit", own=False),)
LIGHT, GUST = ("lm:4-1", "lm:3-2"), ("lm:4-3",)
PRICE = {"": ("its price in oil, burnt and filled", "lm:4-1", "lm:4-4")}
PICKS = (Pick("pay", parts=oil), Pick("price", PRICE),
         Pick("fill", {"": ("one or two oil that you have left", "lm:4-2")}))  # fmt: skip
ACTS = Acts(
    (
        reply("first", "lm:2-3"),
        reply("second", "lm:2-3"),
        *redrawing("lm:2-4", lambda p, seat: ("lm:2-4",)),
        Row(name="light", label="lights {card}", at=("main",), cards=hand, picks=PICKS,
            parts=("pay", "fill"), together=together, when=MAIN,
            checks=of_the_hand("lamp", "lm:4-1"), allows=LIGHT, do=light),
        Row(name="end", label="ends the turn", at=("main",), when=MAIN, allows=("lm:3-2",),
            do=end_step, idle=True),
        Row(name="gust", label="lets {card} blow", at=("window",), cards=hand, texts=blows,
            when=WINDY, checks=of_the_hand("gust", "lm:4-3"), allows=GUST, do=blow),
        reply("pass", "lm:4-3", "passes", "window", "no lamp was lit", passes=True),
        reply("resolve", "lm:6-2", "does {card} next", "order", "nothing is to be put in order"),
        *(reply(name, "lm:6-1") for name in ("choose", "yes", "no")),
        reply("discard", "lm:3-3"),
        declaring("declares what {card} does", TERMS, declaration_faults, IDLE,
                  TRIGGERS.follow_up, WINDOW.hold),
        unnamed("does something with {card}", ("main", "window"), hand),
        concession("concedes", "house:concede"),
    ),
    questions={"main": Question(sources), "window": Question()},
    picks=(Pick("", {"": ("what is asked for, and as many", "lm:6-1")}),),
    unasked=lambda t, seat, act: refuse("{asked} comes first", "lm:3-2", asked=asked(t)),
    which="lm:6-1", over="lm:1-1", seats="house:open", unknown="lm:3-2",
)  # fmt: skip
