"""Rows of the table of acts: what a game says about a kind of act, and the rows all games have.

A row has the name of an act, the decisions it answers, its cards, its checks (in the order in which
a judge asks), its picks with the sentences for bad ones, the rules that allow it, and the function
that carries it out. What follows from that is in `acts`. Makers of checks are in `legality`; what a
game's checks look at is in its own `choices`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec import Struct

from domain.effects import declared
from domain.effects.language.vocabulary import Effect
from domain.effects.select import Terms
from domain.engine.rulebook import Refusal
from domain.engine.series import lose
from domain.engine.signals import Over, Play
from domain.engine.table import Table
from domain.games.kit.choices.legality import Check, at, declaration, never, redraw_once
from domain.record.decisions import Act, Limits, Misfit, Part
from domain.record.position import Position
from domain.record.values import Ref
from domain.words.phrases import Phrase, phrase

V = TypeVar("V")
#: The acts that all games have: of a card that nobody has named, of a text that is declared.
UNNAMED, DECLARE, CONCEDE = "unknown", "declare", "concede"
#: A sentence and the rules behind it, the narrowest first; none: those by which it is asked.
Sentence = tuple[str, ...]
#: What carries an act out; a plain function where nothing can be asked or drawn meanwhile. What the
#: generator returns matters for open acts: whether the open decision is asked again.
Do = Callable[[Table, int, Act], Play | None]
#: The rules that allow a legal act, the narrowest first.
Allows = Callable[[Table, int, Act], tuple[str, ...]]


class Asking:
    """An offer being made: whom it is for, and the pools that its options share so far."""

    __slots__ = ("_found", "p", "pools", "seat", "strangers", "t")

    def __init__(self, t: Table, seat: int, pools: list[tuple[Ref, ...]]) -> None:
        self.t, self.p, self.seat, self.pools = t, t.pos, seat, pools
        self.strangers = t.pos.heading.mode == "table"  # there may be cards that nobody has named
        self._found: dict[tuple[Any, ...], Any] = {}

    def once(self, of: Callable[..., V], *about: Hashable) -> V:
        """What several parts ask of the seat, or of a card of its, worked out once an offer."""
        key = (of, *about)
        if key not in self._found:
            self._found[key] = of(self.p, self.seat, *about)
        found: V = self._found[key]
        return found

    def pool(self, members: tuple[Ref, ...]) -> int:
        """The number of the pool with these members, which all options of the offer share."""
        if members not in self.pools:
            self.pools.append(members)
        return self.pools.index(members)

    def part(
        self,
        name: str,
        members: tuple[Ref, ...],
        low: int = 1,
        high: int | None = None,
        limits: Limits | None = None,
    ) -> Part:
        """A part whose picks come from these; exactly `low` of them unless more are allowed."""
        return Part(name, self.pool(members), low, low if high is None else high, limits)


#: The cards that an act may be done with, legal or not; shared by rows, which then take turns.
Cards = Callable[[Asking], Iterable[int]]
#: The texts of a card that an act may use; `("",)` or none where it is done with the card itself.
Texts = Callable[[Asking, int], Iterable[str]]


def texts_of(
    named: Callable[[Position, int], Iterable[tuple[str, Effect]]],
    kind: str,
    fits: Callable[[Position, Effect], bool] = lambda p, effect: True,
) -> Texts:
    """The texts of this kind among those that a card has, where they fit."""

    def texts(asking: Asking, card: int) -> Iterator[str]:
        for ref, effect in named(asking.p, card):
            if effect.kind == kind and fits(asking.p, effect):
                yield ref

    return texts


#: The parts of an option with a card and a text of it.
Parts = Callable[[Asking, int, str], Iterable[Part]]
#: What is asked of the parts of such an option together, by their places in it.
Together = Callable[[Asking, int, str], Limits]


class Pick(Struct, frozen=True):
    """A part of an act: its name, its pool, and the sentence for a bad pick.

    `parts` makes the part (or several, or none) of an option; None where the offer is made by what
    asks, or where the name is that of a sum of several parts (`Row.together`). `why` is asked
    first; else `faults` has a sentence for each fault of `Misfit`, under `none` for nothing picked
    where something must be, under `too many parts` for picks of an act that has no such part then,
    under `""` for any other.
    """

    name: str
    faults: Mapping[str, Sentence] = {}
    parts: Parts | None = None
    why: Callable[[Table, int, Act, Misfit], Refusal | None] | None = None


#: What is said where other picks are made than a text asks for, in the last row of a game's picks.
AS_PRINTED: Sentence = ("what the text says, and as many as it says",)


def usual_picks(*order: str) -> tuple[Pick, ...]:
    """What is said of bad picks of the parts that texts have in every game.

    `order`: the rules by which cards are put in order, where they are not those by which it is
    asked.
    """
    return (
        Pick("order", {"": ("every card once, in the order you want", *order)}),
        Pick("mode", {"": ("one of the ways the text gives",)}),
        Pick("text", {"": ("a list of clauses, as JSON", "house:declared")}),
    )


class Row(Struct, frozen=True, kw_only=True):
    """A kind of act.

    `label`: how people read it; `{card}`, `{}` and `{place}` say what follows the verb. One that
    people try and no rule knows has none.
    `at`: the kinds of decisions it answers; `against`: those that take it against the rules only.
    `cards`: the cards it may be done with; None: it is offered without a card, to the seat that is
    asked.
    `types`: of these, cards of which types; empty: of any. `texts`: which texts of one it uses;
    None: it is done with the card itself.
    `when`: the checks that look at no card, asked before those that do (`checks`); both stand in
    the order in which a judge asks.
    `met`: those of the checks that each of its `cards` meets, so that an offer need not ask.
    `together`: what is asked of several parts at once (a sum to be paid from places that are also
    placed on); where no picks can meet it the act is not offered, and the sum's `Pick` says why.
    `meets`: its checks see to it that some picks do, so that nobody need look for them.
    `play_anyway`: what carries it out beside the open decision, against the rules; None: nothing.
    `idle`: it does nothing; texts may leave it out. `passes`: it only declines a chance to act, so
    that an auto-pass may do it (`passes.autopass`) and the next act at a real table implies it;
    ending one's own phase or turn is no such act. `stands`: when it stands open to a seat beside
    any decision. `free`: it uses nothing up, so that it may be done for ever.
    `steady`: each of its picks has one part, except the last, which may have none: so they can be
    found by their names before it is offered.
    `parts`: what its parts are called where that is not the names of its picks: one of these makes
    several, or what asks makes the offer.
    `which`: the rule that asks for the text to be named; `unasked`: the sentence for a legal one
    that is not offered.
    """

    name: str
    label: str = ""
    at: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    cards: Cards | None = None
    types: tuple[str, ...] = ()
    texts: Texts | None = None
    picks: tuple[Pick, ...] = ()
    parts: tuple[str, ...] = ()
    together: Together | None = None
    meets: bool = False
    when: tuple[Check, ...] = ()
    checks: tuple[Check, ...] = ()
    met: tuple[Check, ...] = ()
    allows: tuple[str, ...] | Allows = ()
    do: Do | None = None
    play_anyway: Do | None = None
    idle: bool = False
    passes: bool = False
    free: bool = False
    steady: bool = False
    stands: Callable[[Position, int], Iterable[Act]] | None = None
    which: str = ""
    unasked: Sentence = ()


#: The questions that all games ask, in the same words: the label of the reply, the kind of
#: decision, and the refusal if nothing of the kind is asked.
USUAL = {
    "first": ("goes first", "turn-order", phrase("the choice is not yours")),
    "second": ("goes second", "turn-order", phrase("the choice is not yours")),
    "yes": ("does it", "may", phrase("nothing is asked of you")),
    "no": ("declines", "may", phrase("it must be done")),
    "choose": ("chooses {}", "target", phrase("there is nothing for you to choose now")),
    "discard": ("discards {}", "discard", phrase("there is nothing for you to discard")),
    "order": ("puts in order {}", "arrange", phrase("there is nothing for you to put in order")),
    "mode": ("chooses way {}", "mode", phrase("there is no way to choose")),
}
IDLE = frozenset({"no"})


def reply(
    name: str,
    rule: str,
    label: str = "",
    to: str = "",
    otherwise: str = "",
    *,
    allows: tuple[str, ...] | Allows = (),
    check: Callable[[str, str, str], Check] = at,
    do: Do | None = None,
    idle: bool = False,
    passes: bool = False,
    which: str = "",
    unasked: Sentence = (),
    picks: tuple[Pick, ...] = (),
    parts: tuple[str, ...] = (),
) -> Row:
    """A row for what answers one kind of decision, and is refused by its rule at any other.

    That rule allows it as well, unless others do. The words of the usual replies are known.
    """
    usual = USUAL.get(name, ("", "", ""))
    label, to, otherwise = label or usual[0], to or usual[1], phrase(otherwise or usual[2])
    return Row(
        name=name,
        label=label,
        at=(to,),
        picks=picks,
        parts=parts,
        when=(check(to, rule, otherwise),),
        allows=allows or (rule,),
        do=do,
        idle=idle or name in IDLE,
        passes=passes,
        which=which,
        unasked=unasked,
    )


def redrawing(rule: str, waits: Callable[[Position, int], tuple[str, ...]]) -> tuple[Row, Row]:
    """The rows for the first hand: it is drawn again or kept; `waits` says who decides first."""
    when, allows = (redraw_once(rule, waits),), (rule,)
    return (
        Row(name="redraw", label="redraws", at=("redraw",), when=when, allows=allows),
        reply("keep", rule, "keeps the hand", "redraw", check=lambda *_: when[0], idle=True),
    )


def unnamed(label: str, at: tuple[str, ...], cards: Cards) -> Row:
    """The row for a card of a real table that nobody has named: it may be anything."""
    text = "say which card it is, and what is done with it"
    return Row(name=UNNAMED, label=label, at=at, cards=cards, checks=(never("house:named", text),))


def concession(label: str, allows: str, *cites: str, why: str = CONCEDE) -> Row:
    """The row for conceding, which ends the game (citing `cites`) at any point."""

    def concede(t: Table, seat: int, act: Act) -> Play:
        lose(t, seat, why, *cites or (allows,))
        raise Over
        yield

    def stands(p: Position, seat: int) -> tuple[Act, ...]:
        return (Act(CONCEDE),)

    return Row(name=CONCEDE, label=label, allows=(allows,), do=concede, stands=stands)


def end_step(t: Table, seat: int, act: Act) -> Play:
    """End the step of the turn that comes round again; what an act does that ends a phase."""
    yield from t.game.turn.end(t)


def declaring(
    label: str,
    terms: Terms,
    faults: Callable[[str, Effect, Position], list[Phrase]],
    busy: Check,
    follow: Callable[[Table], Play],
    before: Callable[[Table], None] | None = None,
    unread: frozenset[str] = frozenset(),
) -> Row:
    """The row for declaring what a text does (`effects.declared`), where it is reached and beside.

    `faults` says what is wrong with what is declared, `busy` why nothing can be declared now; what
    it sets off is carried out by `follow`. `before` notes what the open decision begins again with.
    `unread` are the cards of which a catalogue has the figures alone.
    """

    def declare(t: Table, seat: int, act: Act) -> Play:
        assert isinstance(act.card, int)
        if before is not None:
            before(t)
        text = declared.text_of(act.picks)
        return (yield from declared.declare(t, terms, seat, act.card, text, follow))

    return Row(
        name=DECLARE,
        label=label,
        at=(DECLARE,),
        parts=("text",),
        checks=(declaration(terms.effect, faults, busy, unread),),
        allows=(declared.RULE,),
        do=declare,
        stands=lambda p, seat: declared.open_acts(p, seat, unread),
    )
