"""The events that effects answer.

That is what has just happened (`lately`), a link of the chain, or a Summon before its success.
Triggers are linked by themselves (`flow.gathering`), and so is what has to answer
(`flow.chain`).
"""

from __future__ import annotations

from domain.effects.instructions.replacement import concerns
from domain.effects.select import Running, fits
from domain.engine.table import Table
from domain.games.yugioh.choices.summons.summoning import summoned
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.summons.methods import method
from domain.games.yugioh.effects.texts import CARD, TERMS
from domain.games.yugioh.effects.waiting.lately import lately
from domain.games.yugioh.lists.words import ALONE, ARRIVALS, LINKS, SUMMONS
from domain.record.position import Position
from domain.record.values import Ref


def answered(t: Table, run: Running) -> Ref | None:
    """The card that a text would answer now; 0: none, for one that answers nothing; None: no."""
    on = run.effect.on
    if not on or (run.effect.kind == "triggered" and on not in LINKS):
        return 0
    if on in SUMMONS:
        return _summon(t, run)
    if on in LINKS:
        return _link(t, run)
    return next(iter(_lately(t, run)), None)


def also(t: Table, run: Running) -> list[int]:
    """The other cards that it answers with that, to which the same has just happened."""
    on = run.effect.on
    return _lately(t, run)[1:] if on and on not in (*SUMMONS, *LINKS) else []


def _lately(t: Table, run: Running) -> list[int]:
    """The cards to which what it answers has just happened; 0 stands for one that lies hidden."""
    return [number for number in _befallen(t, run) if _within_reach(t.pos, run, number)]


def outlived(t: Table, run: Running) -> bool:
    """Whether a monster came that a text would answer, and is out of its reach by now."""
    return any(not _within_reach(t.pos, run, number) for number in _befallen(t, run))


def _befallen(t: Table, run: Running) -> list[int]:
    noted = [number for word, number in lately(t.pos, run.effect) if word == run.effect.on]
    if run.effect.on == ALONE and len(noted) > 1:
        return []
    if run.effect.about is None:
        return noted
    return [number for number in noted if number and concerns(t, TERMS, run, number)]


def _within_reach(p: Position, run: Running, number: int) -> bool:
    """Whether a text can do to a monster that came what it does to it (reading:ygo/A39)."""
    first = run.effect.do[0].to if run.effect.do else None
    if run.effect.on not in ARRIVALS or first is None or first.zone != "it":
        return True
    return figures.is_monster(p, number) and fits(TERMS, p, number, first.match)


def _summon(t: Table, run: Running) -> Ref | None:
    p = t.pos
    if p.step != "summon/negate":
        return None
    special = method(p) not in ("normal", "tribute", "flip")
    if run.effect.on == "special-summoning" and not special:
        return None
    number = summoned(p)
    fits = run.effect.about is None or concerns(t, TERMS, run, number)
    return number if fits else None


def _link(t: Table, run: Running) -> Ref | None:
    p = t.pos
    links = [*p.declared()]
    if not links or not p.frames or p.frames[-1].kind != "chain":
        return None
    latest = links[-1]
    as_card = latest.mode == CARD
    if run.effect.on != "link" and as_card != (run.effect.on == "card-activated"):
        return None
    if not isinstance(latest.source, int):
        return None
    about = run.effect.about
    mine = latest.seat == run.seat
    if about is not None:
        if about.whose != "any" and mine != (about.whose == "yours"):
            return None
        known = latest.source in p.cards or latest.source in p.departed
        if not known or not figures.matches(TERMS, p, latest.source, about.match):
            return None
    return latest.source
