"""A triggered effect that waits: what it is as something carried out, and what keeps it from that.

It has triggered, and is activated only if it can be by then: its card where it acts from, something
to aim at, what it costs. When it is looked at, and who orders several, is in `gathering`.
"""

from __future__ import annotations

from collections.abc import Callable

from domain.effects.conditions import all_hold
from domain.effects.foresight.idle import idle
from domain.effects.language.vocabulary import Effect
from domain.effects.select import Running
from domain.engine.table import Table
from domain.games.yugioh.choices import costs, uses
from domain.games.yugioh.choices.legal import effects as legal_effects
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.texts import TERMS, marked
from domain.games.yugioh.lists.words import PARTING, PHASED
from domain.record.position import Pending, Position, zone_of

#: What a monster does, and must be there for.
_BY_IT = frozenset({"beats", "fells", "inflicts"})


def running(p: Position, act: Pending) -> Running:
    """A link, or an effect that waits, as something that is carried out."""
    this = act.source if isinstance(act.source, int) else 0
    about = p.mark(f"act/{act.id}", "about") or act.about
    assert isinstance(about, int | str)
    run = Running(act.id, act.effect, uses.effect_of(p, act.effect), this, act.seat, about)
    run.x = act.x
    if run.effect.about is not None and isinstance(about, int) and about:
        run.it = [about, *marked(p, act.id)]
    return run


def unfit(t: Table, act: Pending) -> tuple[str, ...] | None:
    """Why an effect that has triggered can't be activated now, and by which rules; None if it can.

    A mandatory one is not activated either that has nothing to target (ygo:base.cost.1).
    """
    run = running(t.pos, act)
    return next(filter(None, (why(t, run) for why in _CHECKS)), None)


def _misplaced(t: Table, run: Running) -> tuple[str, ...] | None:
    """A monster has to be face up on the field, or where its text acts from (ygo:effect.trigger.2).

    A text about the results of its own act applies only to these (ygo:effect.trigger.4).
    """
    p, effect = t.pos, run.effect
    if not run.this or _there(p, run.this, effect):
        return None
    return ("place", "ygo:effect.trigger.4" if effect.on in _BY_IT else "ygo:effect.trigger.2")


def _there(p: Position, number: int, effect: Effect) -> bool:
    if effect.zone not in ("", figures.BELOW):
        return p.present(number) and zone_of(p.cards[number].place) == effect.zone
    if effect.on in PARTING and effect.about is None:
        return True
    return figures.on_field(p, number) and p.cards[number].up


def _not_now(t: Table, run: Running) -> tuple[str, ...] | None:
    """One of a phase comes later than its phase began: what it asks for has to hold still."""
    late = run.effect.on in PHASED and not all_hold(TERMS, t.pos, run.effect.when, run)
    return ("impossible", "ygo:effect.trigger.1") if late else None


def _used_up(t: Table, run: Running) -> tuple[str, ...] | None:
    spent = bool(run.effect.limit) and uses.used(t.pos, run)
    return ("impossible", "ygo:main1.effect.1") if spent else None


def _unpaid(t: Table, run: Running) -> tuple[str, ...] | None:
    """Its cost can't be paid, as far as all can see: a hand may or may not have it."""
    lacking = costs.payable(t.pos, run)
    if lacking is None or (run.effect.may and costs.in_secret(t.pos, run, lacking)):
        return None
    return ("impossible", "ygo:base.cost.1")


def _forbidden(t: Table, run: Running) -> tuple[str, ...] | None:
    """Other texts say that it can't be activated, or that its player can't Special Summon."""
    if by := legal_effects.silenced_by(t.pos, run.this):
        return ("forbidden", "ygo:negate.activate.1", *by)
    by = legal_effects.not_to_summon(t.pos, run.seat, run.effect)
    return ("forbidden", "ygo:golden.card.1", *by) if by else None


def _roomless(t: Table, run: Running) -> tuple[str, ...] | None:
    cites = legal_effects.roomless(t.pos, run.seat, run.effect)
    return ("impossible", *cites) if cites else None


def _aimless(t: Table, run: Running) -> tuple[str, ...] | None:
    lacks = any(len(pool) < part.low for part, pool in uses.aims(t, run))
    return ("no target", "ygo:base.cost.1") if lacks else None


def _idle(t: Table, run: Running) -> tuple[str, ...] | None:
    """An optional effect is not activated if everybody sees that it would do nothing."""
    useless = run.effect.may and idle(t, TERMS, run, run.effect.do)
    return ("impossible", legal_effects.IDLE) if useless else None


_CHECKS: tuple[Callable[[Table, Running], tuple[str, ...] | None], ...] = (
    _misplaced, _not_now, _forbidden, _used_up, _unpaid, _aimless, _idle, _roomless,
)  # fmt: skip
