"""Negated activations and effects: acts that were declared, or wait, and are void.

A negated *activation* is over at once: it was never activated, and nothing of it is carried out. A
negated *effect* was activated and stays where it is; when its turn comes nothing is done. Books
differ on what happens to the card, and whether the act counts as used: the game decides
(`Book.after`). `Negate` is an instruction that a game adds to its words and carries out by
`negating`; code that carries out waiting acts calls `ended` first.

Texts that a card has lost are another matter (`effects.constant.silence`): there nobody negates an
act.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal, NamedTuple

from domain.effects.instructions.doing import cited
from domain.effects.language.instruction import Aimed, Run
from domain.effects.language.vocabulary import Clause, Phrases
from domain.effects.select import Done, Running, Terms
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.record.position import Pending, Position
from domain.record.schema.manifest import Word
from domain.words.phrases import phrase

#: What can be negated.
What = Literal["activation", "effect"]
#: How a negated act ends, and the mark of one whose turn has not come; a game declares them.
OUTCOMES = (
    Word("activation negated", "activation negated"),
    Word("effect negated", "effect negated"),
)
MARK = Word("negated", "negated")


class Negate(Aimed, tag="negate", kw_only=True):
    """What waits of these cards, or else the act that was declared last before, is negated.

    Its `activation`, or its `effect`.
    """

    key: What

    example = 'key = "activation", to = { zone = "cause" }'
    phrases: ClassVar[Phrases] = {
        "activation": phrase("negate the activation that is answered"),
        "effect": phrase("negate the effect that is answered"),
    }


class Book(NamedTuple):
    """A book's rules about negated acts."""

    #: what may be negated so, of what waits; the rest is not done
    may: Callable[[Position, Pending, What], bool]
    #: the fate of the card and of uses, once a negated act has ended
    after: Callable[[Table, Pending, What], None]
    #: the rules by which one ends
    cites: tuple[str, ...] = ()


def negating(book: Book) -> Run:
    """The instruction by a book."""

    def negate(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        what: What = "activation" if c.key == "activation" else "effect"
        acts = [act for act in _meant(t.pos, run, c, numbers) if book.may(t.pos, act, what)]
        acts = [act for act in acts if not _negated(t.pos, act)]
        words = cited(terms, run, c.do)
        run.it = [act.source for act in acts if isinstance(act.source, int)]
        for act in acts:
            if what == "activation":
                t.end_act(act.id, "activation negated", *words)
                book.after(t, act, what)
            else:
                t.mark(_subject(act), MARK.name, True, *words)
        asked = max(len(numbers), 1)
        if not acts:
            t.not_done(c.do, run.this, "impossible", *terms.words["impossible"], run.text, asked=1)
        return Done(asked, len(acts))
        yield

    return negate


def _meant(p: Position, run: Running, c: Clause, numbers: list[int]) -> list[Pending]:
    """The acts that wait and that a clause is about, the latest first."""
    waiting = [act for act in p.pending.values() if not act.resolving and act.id != run.act]
    if c.to is not None or c.choose is not None:
        return [act for act in reversed(waiting) if act.source in numbers]
    declared = [act for act in waiting if act.kind != "triggered"]
    return [act for act in declared if not run.act or act.id < run.act][-1:]


def _subject(act: Pending) -> str:
    return f"act/{act.id}"


def _negated(p: Position, act: Pending) -> bool:
    return p.mark(_subject(act), MARK.name) is not None


def ended(t: Table, act: Pending, book: Book) -> bool:
    """Whether the turn of an act has come whose effect was negated: then it is over."""
    if not _negated(t.pos, act):
        return False
    with t.at_once():
        t.mark(_subject(act), MARK.name, None, *book.cites)
        t.end_act(act.id, "effect negated", *book.cites)
        book.after(t, act, "effect")
    return True
