"""Effects that trigger: what sets them off, how they wait, and which of them comes next.

There is one queue. What waits in it is in the position (`Position.waiting`), in groups that a
growing number tells apart; a game's `Policy` says which group, which class in it and whose effect
comes next, and who puts in order what the book leaves open. `Triggers` carries the policy out:
`occur` sets off the texts that wait for something that has happened, `follow_up` lets the rules
settle and hands what waits to the game, one by one. What has happened is derived from the record in
`occurrences`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from domain.effects.conditions import all_hold
from domain.effects.constant.silence import in_force, silenced
from domain.effects.foresight.alike import alike
from domain.effects.instructions.replacement import concerns
from domain.effects.language.vocabulary import Effect, every
from domain.effects.select import Running, Terms, works
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.effects import negation
from domain.record.decisions import Offer, Option
from domain.record.position import Pending, Position
from domain.record.values import Ref

#: A number for a waiting effect: of several, those with the lowest come first.
Rank = Callable[[Position, Pending], int]
#: A text that is on no card among the workplaces, or that a keyword stands for: what it is a text
#: of, the seat, the name and the effect.
Extra = tuple[Ref, int, str, Effect]
#: The kinds of texts that something sets off; a constant one that says `on` is done at once.
_SET_OFF = ("triggered", "constant")


class More(NamedTuple):
    """What else belongs to an occurrence: the other card in it, and how much it is."""

    against: Ref = 0
    n: int = 0


#: An occurrence that is about one card alone.
NO_MORE = More()
#: The marks on the source of a waiting effect that have these: the word, and its number.
OTHER, MEASURE = "against", "x"


class Policy(NamedTuple):
    """In which order a book has waiting effects carried out."""

    #: Which group comes first: the `newest` (what an effect has set off comes before what waited
    #: already, so effects go depth first), the `oldest`, or `all` that wait together. Of `all`,
    #: what triggers meanwhile waits until those are done.
    group: Literal["newest", "oldest", "all"]
    #: Who puts several in order: their `own` player, whose turn it is first; the `turn` player,
    #: whosever they are; or the turn player unless they are all the other's (`either`).
    orders: Literal["own", "turn", "either"]
    #: Effects before all others that wait, in any group.
    before: Rank | None = None
    #: The classes of a group.
    classes: Rank | None = None
    #: Whether a text fits several things of one moment once only, as often as a card has it.
    once_a_moment: bool = False
    #: The fate of a waiting effect whose card has lost that text meanwhile (`effects.silence`): it
    #: has triggered and `stays`, or is `void`.
    lost: Literal["stays", "void"] = "stays"
    #: Whether a waiting effect is lost if something else has happened since it triggered.
    misses: Callable[[Position, Pending], bool] | None = None


class Book(NamedTuple):
    """A game's rules about effects that trigger, besides their order."""

    #: the rules by which a text triggers, its own citation among them; `about` others or its card
    cites: Callable[[Position, str, Effect], Sequence[str]]
    #: the rule by which somebody puts several in order
    order: str
    #: what some card of the match has a text about that befalls others
    watched: Callable[[Position], frozenset[str]]
    #: carries one waiting effect out
    carry_out: Callable[[Table, Pending], Play]
    #: the cards, by name, that have a text which waits for this, themselves or for the card that
    #: they are with; None: others may have one now, too
    waiting: Callable[[Position, str], Container[str] | None] = lambda p, on: None
    #: whether a text has been used up, and so does not trigger; it may note that on the table
    used_up: Callable[[Table, Ref, Running], bool] = lambda t, source, run: False
    #: texts beside those of the cards at work, by what they wait for
    extra: Callable[[Position, str], Iterator[Extra]] = lambda p, on: iter(())
    #: what is due when nothing waits any more; whether anything was
    at_last: Callable[[Table], Play] | None = None
    #: whether the order of some effects can't matter, for a reason of this game's
    no_matter: Callable[[Position, Sequence[Pending]], bool] = lambda p, acts: False
    #: the rules by which a text triggers once more that a card has several times over
    once_more: tuple[str, ...] = ()
    #: the rules for an effect that has missed its time
    missed: tuple[str, ...] = ()
    #: the rules for one whose text its card has lost
    lost: tuple[str, ...] = ()
    #: what a book says about negated effects, if any can be
    negation: negation.Book | None = None


def may_wait(p: Position, number: int, names: Container[str] | None) -> bool:
    """Whether a card, or one that lies with it, is of those names; True for one that has left."""
    card = p.cards.get(number)
    if names is None or card is None or card.id in names:
        return True
    return any(p.card(n).id in names for n in card.attached) if card.attached else False


class Triggers:
    """A game's triggered effects."""

    def __init__(self, terms: Terms, policy: Policy, book: Book) -> None:
        self.terms, self.policy, self.book = terms, policy, book

    # -- setting off -----------------------------------------------------------------------------

    def occur(self, t: Table, on: str, number: int, cause: int, more: More = NO_MORE) -> None:
        """Something happened to or by a card: its texts for that, and others' about it, trigger.

        It is called within the batch of what happened (`occurrences`); `cause` is the entry.
        """
        p, terms, names = t.pos, self.terms, self.book.waiting(t.pos, on)
        seat = p.card(number).controller
        for ref, effect in in_force(terms, p, number) if may_wait(p, number, names) else ():
            if effect.on == on and effect.about is None:
                run = Running(0, ref, effect, number, seat, number, against=more.against)
                if effect.against is None or concerns(t, terms, run, number):
                    self.trigger(t, ref, effect, number, seat, cause, number, more)
        if on not in self.book.watched(p):
            return
        for watcher in list(self.watchers(p)):
            for ref, effect in in_force(terms, p, watcher) if may_wait(p, watcher, names) else ():
                if effect.on == on and effect.about is not None:
                    seat = p.cards[watcher].controller
                    run = Running(0, ref, effect, watcher, seat, number, against=more.against)
                    if concerns(t, terms, run, number) and not self.joins(t, watcher, ref, number):
                        self.trigger(t, ref, effect, watcher, seat, cause, number, more)

    def befall(self, t: Table, on: str, seat: Ref, cause: int, more: More = NO_MORE) -> None:
        """The same, of something that happened to a player."""
        p, terms, names = t.pos, self.terms, self.book.waiting(t.pos, on)
        for watcher in list(self.watchers(p)):
            for ref, effect in in_force(terms, p, watcher) if may_wait(p, watcher, names) else ():
                if effect.on == on:
                    own = p.cards[watcher].controller
                    run = Running(0, ref, effect, watcher, own, seat, against=more.against)
                    if concerns(t, terms, run, seat):
                        self.trigger(t, ref, effect, watcher, own, cause, 0, more)

    def watchers(self, p: Position) -> Iterable[int]:
        """The cards whose texts may wait for what happens to others: those at work."""
        return self.terms.workplaces(p)

    def joins(self, t: Table, watcher: int, ref: str, number: int) -> bool:
        """Whether a text that has triggered is made about this card too, and not set off again."""
        return False

    def may_trigger(self, p: Position, effect: Effect, source: Ref, about: Ref) -> bool:
        """Whether the rules let a text trigger now, whatever it says itself."""
        return True

    def time(self, t: Table, on: str) -> None:
        """A time has come that any card at work may wait for; its cause is the entry before it."""
        with t.at_once():
            cause = t.pos.seq
            for number in list(self.terms.workplaces(t.pos)):
                self.occur(t, on, number, cause)
            for source, seat, ref, effect in self.book.extra(t.pos, on):
                self.trigger(t, ref, effect, source, seat, cause, 0)

    def trigger(
        self,
        t: Table,
        ref: str,
        effect: Effect,
        source: Ref,
        seat: int,
        cause: int,
        about: Ref,
        more: More = NO_MORE,
    ) -> None:
        """A text triggers, if it is one that does, may, and is not used up."""
        p = t.pos
        this = source if isinstance(source, int) else 0
        if effect.kind not in _SET_OFF or (this and not works(self.terms, p, this, effect)):
            return
        if not self.may_trigger(p, effect, source, about):
            return
        run = Running(0, ref, effect, this, seat, 0)
        if not all_hold(self.terms, p, effect.when, run):
            return
        if effect.limit and self.book.used_up(t, source, run):
            return
        once_more: tuple[str, ...] = ()
        if self.policy.once_a_moment and (n := _triggered(t, source, ref)):
            if n >= self._times(p, source, ref):
                return
            once_more = self.book.once_more
        cites = self.book.cites(p, ref, effect)
        act = t.trigger(
            ref, source, seat, cause, *cites, *once_more,
            optional=effect.may, group=self.group(t), about=about,
        )  # fmt: skip
        if effect.against is not None:
            other = more.against
            hidden = isinstance(other, int) and not t.in_sight(other)
            t.mark(source, f"{OTHER}:{act}", 0 if hidden else other, *cites)
        if more.n and any(clause.times for clause in every(effect.do)):
            t.mark(source, f"{MEASURE}:{act}", more.n, *cites)

    def _times(self, p: Position, source: Ref, ref: str) -> int:
        """How often a card has a text: it may be lent it several times over."""
        texts = self.terms.effects(p, source) if isinstance(source, int) else ()
        return sum(name == ref for name, _ in texts)

    def group(self, t: Table) -> int:
        """The group of what triggers now; 0: that of its moment."""
        return t.group() if self.policy.group == "newest" else 0

    # -- carrying out ----------------------------------------------------------------------------

    def follow_up(self, t: Table) -> Play:
        """After any act: the rules settle, and all triggered effects are done."""
        if t.unsettled:
            yield from self.terms.settle(t)
        yield from self.resolve(t)

    def resolve(self, t: Table, after: int = 0) -> Play:
        """Carry out everything that waits, and what that sets off, until nothing does.

        `after`: only what has triggered since that group, where a book lets an effect that is being
        carried out wait for what it has set off.
        """
        if not t.pos.pending and self.book.at_last is None:
            return  # as it mostly is
        self.drop_missed(t)
        last = t.pos.next_act
        while True:
            self.drop_lost(t)
            waiting = [act for act in t.pos.waiting() if act.group > after]
            if self.policy.group == "all":
                waiting = [act for act in waiting if act.id < last]
            if waiting:
                act = yield from self.next(t, waiting)
                rule = self.book.negation
                if rule is None or not negation.ended(t, act, rule):
                    yield from self.book.carry_out(t, act)
            elif self.book.at_last is None or not (yield from self.book.at_last(t)):
                return

    def next(self, t: Table, waiting: Sequence[Pending]) -> Play:
        """Which of those that wait is carried out next; somebody may have to say."""
        p = t.pos
        acts = self.foremost(p, waiting)
        if alike(self.terms, p, acts) or self.book.no_matter(p, acts):
            return acts[0]
        options = (Option("resolve", act.source, effect=act.effect) for act in acts)
        offer = Offer(tuple(dict.fromkeys(options)))
        seat = self.orderer(p, acts)
        chosen = yield from t.ask(seat, "order", offer, *self.order_cites(p, acts), public=True)
        return next(a for a in acts if (a.source, a.effect) == (chosen.card, chosen.effect))

    def foremost(self, p: Position, waiting: Sequence[Pending]) -> Sequence[Pending]:
        """Those that may come next by the book: of the first group, class and player."""
        policy = self.policy
        acts = _lowest(p, waiting, policy.before)
        if policy.group != "all":
            pick = max if policy.group == "newest" else min
            group = pick(act.group for act in acts)
            acts = [act for act in acts if act.group == group]
        acts = _lowest(p, acts, policy.classes)
        if policy.orders == "own":
            acts = [act for act in acts if act.seat == p.turn_seat] or acts
        return acts

    def order_cites(self, p: Position, acts: Sequence[Pending]) -> tuple[str, ...]:
        """The rules by which somebody says which of these comes next."""
        return (self.book.order,)

    def orderer(self, p: Position, acts: Sequence[Pending]) -> int:
        """The player who chooses the next of these."""
        others = all(act.seat != p.turn_seat for act in acts)
        if self.policy.orders == "own" or (self.policy.orders == "either" and others):
            return acts[0].seat
        return p.turn_seat

    # -- missing its time ------------------------------------------------------------------------

    def missed(self, t: Table, act: Pending) -> bool:
        """Whether the cause of an effect was not the last thing to happen, and that matters."""
        misses = self.policy.misses
        return misses is not None and t.running.happened > act.moment and misses(t.pos, act)

    def drop_missed(self, t: Table) -> None:
        """Effects that have missed their time wait no longer."""
        if self.policy.misses is not None:
            self.drop(t, lambda act: self.missed(t, act), "missed", *self.book.missed)

    def drop_lost(self, t: Table) -> None:
        """Effects whose cards have lost the text wait no longer, where a book says so."""
        if self.policy.lost == "void":
            for act in [act for act in t.pos.waiting() if self.lost(t.pos, act)]:
                self.drop_one(t, act, "lost", *self.lost_cites(t.pos, act))

    def lost_cites(self, p: Position, act: Pending) -> tuple[str, ...]:
        """The rules for a waiting effect whose card has lost that text."""
        return self.book.lost

    def lost(self, p: Position, act: Pending) -> bool:
        """Whether the card of a waiting effect has lost that text, or had as it left."""
        kind = self.terms.effect(p, act.effect).kind
        this = isinstance(act.source, int)
        return this and silenced(self.terms, p, int(act.source), act.effect, kind)

    def drop(self, t: Table, which: Callable[[Pending], bool], why: str, *cites: str) -> None:
        """Some effects wait no longer, as where a card is to leave in another way after all."""
        for act in [act for act in t.pos.waiting() if which(act)]:
            self.drop_one(t, act, why, *cites)

    def drop_one(self, t: Table, act: Pending, why: str, *cites: str) -> None:
        """An effect waits no longer."""
        t.not_done("trigger", act.source, why, *cites)
        t.end_act(act.id, "void", *cites)


def recall(p: Position, run: Running) -> Running:
    """An effect that has been set off, with what else belonged to that."""
    against, n = (p.mark(run.this, f"{word}:{run.act}") for word in (OTHER, MEASURE))
    run.against = against if isinstance(against, int) else 0
    run.x = n if isinstance(n, int) else run.x
    return run


def _triggered(t: Table, source: Ref, ref: str) -> int:
    """How often a text of a card has triggered in this moment."""
    now = (act for act in t.pos.waiting() if act.moment == t.moment)
    return sum((act.source, act.effect) == (source, ref) for act in now)


def _lowest(p: Position, acts: Sequence[Pending], rank: Rank | None) -> Sequence[Pending]:
    """Those of the lowest rank."""
    if rank is None:
        return acts
    ranks: Mapping[int, int] = {act.id: rank(p, act) for act in acts}
    first = min(ranks.values())
    return [act for act in acts if ranks[act.id] == first]
