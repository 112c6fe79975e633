"""The occurrences that card texts wait for, derived from the record.

The times of a turn stand in the table of its steps (`flow.turn`), those of a battle in its chapter
(`flow.damage`), what answers a link or a Summon in `timing`: none of them is an event.
"""

from __future__ import annotations

from collections.abc import Callable

from domain.effects.constant.calculator import CONSTANT
from domain.engine.table import Table
from domain.games.kit.effects.occurrences import Case, Note, Occurrences, Pattern
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.field.attack_changes import PATTERNS as AROUND_ATTACKS
from domain.games.yugioh.effects.field.places import DESTROYED
from domain.games.yugioh.effects.texts import CARD, TRIGGERS
from domain.games.yugioh.effects.waiting.applied import RULE
from domain.games.yugioh.lists.words import COUNT
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.position import zone_of

NORMAL = ("normal", "tribute")


def _method(case: Case) -> str:
    """How the monster is Summoned whose Summon is going on; empty if none is."""
    frames = [frame for frame in case.t.pos.frames if frame.kind == "summon"]
    return str(frames[-1].facts.get("method", "")) if frames else ""


def _summoned(case: Case) -> bool:
    return case.event.why == "succeeded" and _method(case) in NORMAL


def _awake(case: Case) -> bool:
    """A Gemini monster was Normal Summoned once more (`figures.awake`)."""
    return case.event.key == figures.SUMMONED_TWICE and bool(case.event.value)


def _special(case: Case) -> bool:
    """A Special Summon: by an effect, or one that uses no chain and has succeeded."""
    return case.event.why in ("special", "token") or (
        case.event.why == "succeeded" and _method(case) not in NORMAL
    )


def _token(case: Case) -> bool:
    """A Token comes: by an effect, which Special Summons it."""
    return bool(case.event.token)


def _summons(case: Case) -> bool:
    """Somebody Summons, in whichever way, and some text of the match asks how often he has."""
    if COUNT not in figures.stock(case.t.pos).noted:
        return False
    return not isinstance(case.event, ev.CardsMoved) or _summoned(case) or _special(case)


def _count(t: Table, note: Note) -> None:
    """Note on a player that he has Summoned: whose effect is carried out, or whose turn it is."""
    p = t.pos
    doing = [act.seat for act in p.pending.values() if act.resolving]
    seat = f"seat/{doing[-1] if doing else p.turn_seat}"
    so_far = p.mark(seat, COUNT)
    n = so_far if isinstance(so_far, int) else 0
    t.mark(seat, COUNT, n + 1, "ygo:golden.card.1")


def _flipped(case: Case) -> bool:
    """A monster was turned face up, by battle or by an effect (ygo:effect.flip.2)."""
    place = zone_of(case.t.pos.cards[case.card].place)
    return bool(case.event.up) and place == "monster" and not _method(case)


def _flip_summoned(case: Case) -> bool:
    """A Flip Summon has succeeded (ygo:flip.summon.2)."""
    return case.event.key == "changed" and _method(case) == "flip"


def _moved(dst: str = "", src: str = "", why: str = "") -> Callable[[Case], bool]:
    """A card goes from that zone, to that one, for that reason; empty: whichever."""

    def fits(case: Case) -> bool:
        e = case.event
        moved = not e.kept and dst in ("", zone_of(e.dst))
        return moved and src in ("", zone_of(e.src)) and why in ("", e.why)

    return fits


def _lay(case: Case) -> bool:
    """A card lay on the field before this, and not below an Xyz Monster."""
    return figures.was_on_field(case.t.pos, case.card)


def _buried(case: Case) -> bool:
    """A card goes from the field to a Graveyard."""
    return _lay(case) and _moved("grave")(case)


def _by_effect_of(own: bool | None) -> Callable[[Case], bool]:
    """A card is discarded by an effect, of its player's or of the other's: not as a cost."""
    discarded = _moved("grave", "hand", "discard")

    def fits(case: Case) -> bool:
        p = case.t.pos
        doing = [act.seat for act in p.pending.values() if act.resolving]
        whose = p.card(case.now).owner
        return bool(doing) and discarded(case) and own in (None, doing[-1] == whose)

    return fits


def _destroyed(case: Case) -> bool:
    return case.event.why in DESTROYED and _lay(case)


def _wrecked(case: Case) -> bool:
    """A card was destroyed by battle or by an effect and sent from the field to a Graveyard."""
    return _destroyed(case) and case.event.why != "rule" and zone_of(case.event.dst) == "grave"


def _buried_by_rival(case: Case) -> bool:
    """A card went from the field of its owner to his Graveyard, by an effect of his opponent."""
    p, card = case.t.pos, case.t.pos.card(case.card)
    by = [act.seat for act in p.pending.values() if act.resolving]
    sent = case.event.why in ("destroyed", "effect", "tribute", "material")
    own = sent and bool(by) and card.owner == card.controller != by[-1]
    return own and _buried(case)


def _by_rival(case: Case) -> bool:
    """A card of its owner's was destroyed by the other player's, and went to the Graveyard."""
    p, was = case.t.pos, case.t.pos.card(case.card)
    if not _destroyed(case) or zone_of(case.event.dst) != "grave" or was.owner != was.controller:
        return False
    if case.event.why == "battle":
        victor = _victor(case)
        return bool(victor) and p.card(victor).controller != was.controller
    carried = [act.seat for act in p.pending.values() if act.resolving]
    return bool(carried) and carried[-1] != was.controller


def _host_overlaid(case: Case) -> bool:
    """An Equip Card goes to the Graveyard since its monster has become Xyz Material."""
    overlaid = bool(case.t.pos.card(case.card).marks.get("overlaid"))
    return overlaid and zone_of(case.event.dst) == "grave"


def _left(case: Case) -> bool:
    """A card leaves the field; one that becomes Xyz Material has not (ygo:xyz.def.3)."""
    e = case.event
    return not e.kept and e.why != "overlay" and _lay(case) and zone_of(e.dst) not in figures.FIELD


def _victor(case: Case) -> int:
    """The monster that has destroyed this one in battle."""
    departure = case.t.pos.departures.get(case.card)
    by = departure.responsible if departure is not None else 0
    return by if isinstance(by, int) else 0


def _beats(case: Case) -> bool:
    """A monster has destroyed another in battle and sent it to the Graveyard."""
    return _moved("grave", why="battle")(case) and bool(_victor(case))


def _attacked(case: Case) -> int:
    target = case.event.target
    return target if isinstance(target, int) else 0


def _hurts_rival(case: Case) -> bool:
    """A card damages the other player than the one who controls it."""
    rival = case.t.pos.rival(case.t.pos.card(case.card).controller)
    return bool(case.event.to == f"seat/{rival}")


def _now(case: Case) -> int:
    return case.now


def _keeps_timing(entry: Entry) -> bool:
    """Events that make nothing miss its timing: the sweep of used cards, showing one, a search.

    Nor do results of constant texts, or counts, once a link has been carried out.
    """
    event = entry.event
    if isinstance(event, ev.ModifierBegan):
        return event.until == CONSTANT
    if isinstance(event, ev.CountersMoved):
        return RULE in entry.cites
    return getattr(event, "why", "") in ("used", "shuffle", "reveal")


HAPPENS = frozenset(
    {
        ev.CardsMoved, ev.CardsTurned, ev.CardsMade, ev.CardsRemoved, ev.CardsControlled,
        ev.CountersMoved, ev.DamageDealt, ev.DepartureBegan, ev.ModifierBegan,
    }
)  # fmt: skip

OCCURRENCES = Occurrences(
    TRIGGERS,
    lambda p: figures.stock(p).heard,
    (
        Pattern("summoned", ev.CardsMoved, _summoned, _now),
        Pattern("summoned", ev.Marked, _awake),
        Pattern("arrives", ev.Marked, _awake),
        Pattern("special-summoned", ev.CardsMoved, _special, _now),
        Pattern("flip-summoned", ev.Marked, _flip_summoned),
        Pattern("special-summoned", ev.CardsMade, _token),
        Pattern("arrives", ev.CardsMade, _token),
        Pattern(COUNT, ev.CardsMoved, _summons, _now, _count),
        Pattern(COUNT, ev.CardsMade, lambda c: _token(c) and _summons(c), _now, _count),
        Pattern(COUNT, ev.Marked, lambda c: _flip_summoned(c) and _summons(c), then=_count),
        Pattern("arrives", ev.CardsMoved, lambda c: _summoned(c) or _special(c), _now),
        Pattern("arrives", ev.CardsMade, _special),
        Pattern("arrives", ev.Marked, _flip_summoned),
        Pattern("flip", ev.CardsTurned, _flipped),
        Pattern("flip", ev.Marked, _flip_summoned),
        Pattern("set", ev.CardsMoved, _moved(why="set"), _now),
        Pattern("attack", ev.AttackDeclared),
        Pattern("attacked", ev.AttackDeclared, _attacked, _attacked),
        Pattern("hurts", ev.DamageDealt, _hurts_rival),
        Pattern("inflicts", ev.DamageDealt, lambda case: case.event.kind == "battle"),
        Pattern("beaten", ev.CardsMoved, _moved("grave", why="battle"), _now),
        Pattern("beats", ev.CardsMoved, _beats, _victor),
        Pattern("destroyed", ev.CardsMoved, _destroyed, _now),
        Pattern("destroyed", ev.CardsRemoved, _destroyed),
        Pattern("destroyed-face-up", ev.CardsMoved, _destroyed),
        Pattern("destroyed-and-sent", ev.CardsMoved, _wrecked),
        Pattern("destroyed-by-rival", ev.CardsMoved, _by_rival, _now),
        Pattern("destroyed-alone", ev.CardsMoved, lambda c: c.event.why == "destroyed"),
        Pattern("destroyed-alone", ev.CardsRemoved, lambda c: c.event.why == "destroyed"),
        Pattern("host-overlaid", ev.CardsMoved, _host_overlaid, _now),
        Pattern("destroyed-by-effect", ev.CardsMoved, _moved(why="destroyed"), _now),
        Pattern("buried", ev.CardsMoved, _buried, _now),
        Pattern("buried-by-rival", ev.CardsMoved, _buried_by_rival, _now),
        Pattern("to-grave", ev.CardsMoved, _moved("grave"), _now),
        Pattern("discarded", ev.CardsMoved, _moved("grave", "hand", "discard"), _now),
        Pattern("discarded-by-effect", ev.CardsMoved, _by_effect_of(None), _now),
        Pattern("discarded-by-yours", ev.CardsMoved, _by_effect_of(True), _now),
        Pattern("discarded-by-theirs", ev.CardsMoved, _by_effect_of(False), _now),
        Pattern("tributed", ev.CardsMoved, _moved(why="tribute"), _now),
        Pattern("tributed", ev.CardsRemoved, lambda c: c.event.why == "tribute"),
        Pattern("material", ev.CardsMoved, _moved(why="material"), _now),
        Pattern("banished", ev.CardsMoved, _moved("banished"), _now),
        Pattern("leaves", ev.CardsMoved, _left),
        Pattern("leaves", ev.CardsRemoved, _lay),
        Pattern("card-activated", ev.ActDeclared, lambda case: case.event.mode == CARD),
        *AROUND_ATTACKS,
    ),
    HAPPENS,
    _keeps_timing,
)
