"""Which rule allows a legal act: what the answer to a decision is cited with."""

from __future__ import annotations

from domain.engine.table import Table
from domain.record.decisions import Act

ALLOWS = {
    "attack": ("hf:turn.main.2", "hf:combat.attack.1"),
    "end": ("hf:turn.main.1",),
    "defend": ("hf:combat.defend.1",),
    "no-defence": ("hf:combat.defend.1",),
    "pass": ("hf:inter.pass.1",),
    "continue": ("reading:hf/A1",),
    "place": ("hf:turn.energy.1",),
    "skip": ("hf:turn.energy.1",),
    "first": ("hf:setup.order.1",),
    "second": ("hf:setup.order.1",),
    "face-up": ("hf:key.secret.1", "hf:key.sky.1"),
    "redraw": ("hf:setup.redraw.1",),
    "keep": ("hf:setup.redraw.1",),
    "hurt": ("hf:damage.player.1",),
    "reveal": ("hf:key.trigger.1",),
    "conceal": ("hf:key.trigger.1",),
    "reload": ("hf:reload.step.1",),
    "lift": ("hf:turn.end.5",),
    "choose": ("hf:target.auto.1",),
    "order": ("hf:target.parts.2",),
    "resolve": ("hf:key.auto.3",),
    "mode": ("hf:target.parts.2",),
    "yes": ("hf:key.auto.1",),
    "no": ("hf:key.auto.1",),
    "declare": ("house:declared",),
    "extra-draw": ("hf:carn.draw.1", "hf:carn.use.1"),
    "concede": ("house:concede",),
}


def cites(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    """The rules that allow a legal act."""
    p = t.pos
    window = p.decision is not None and p.decision.kind == "window"
    match act.kind:
        case "play":
            when = ("hf:inter.act.1",) if window else ("hf:turn.main.4",)
            guard = isinstance(act.card, int) and p.cards[act.card].place.startswith("guard")
            return (*when, "hf:play.when.1", *(("hf:prep.guard.4",) if guard else ()))
        case "activate":
            return ("hf:inter.act.2" if window else "hf:turn.main.3", "hf:key.act.1")
        case "discard":
            return ("hf:turn.discard.1",) if p.step == "discard" else ("hf:prep.guard.5",)
    return ALLOWS[act.kind]
