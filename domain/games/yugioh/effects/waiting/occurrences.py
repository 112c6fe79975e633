"""The occurrences that card texts wait for, derived from the record.

The times of a turn stand in the table of its steps (`flow.turn`), those of a battle in its chapter
(`flow.damage`), what answers a link or a Summon in `timing`: none of them is an event.
"""

from __future__ import annotations

from collections.abc import Callable

from domain.effects.constant.calculator import CONSTANT
from domain.engine.table import Table
from domain.games.kit.effects.occurrences import Case, Note, Occurrences, Passage, Pattern
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


def _for(*why: str) -> Callable[[Passage], bool]:
    """A card comes for one of these reasons."""
    return lambda passage: passage.why in why


_SUCCEEDED, _COMES = _for("succeeded"), _for("special", "token", "succeeded")


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


def _moved(dst: str = "", src: str = "", *why: str) -> Callable[[Passage], bool]:
    """A card goes from that zone, to that one, for such a reason; empty: whichever."""
    return lambda passage: (
        not passage.kept
        and dst in ("", passage.dst)
        and src in ("", passage.src)
        and (not why or passage.why in why)
    )


_DISCARDED = _moved("grave", "hand", "discard")


def _lay(case: Case) -> bool:
    """A card lay on the field before this, and not below an Xyz Monster."""
    return figures.was_on_field(case.t.pos, case.card)


def _by_effect_of(own: bool | None) -> Callable[[Case], bool]:
    """A card is discarded by an effect, of its player's or of the other's: not as a cost."""

    def fits(case: Case) -> bool:
        p = case.t.pos
        doing = [act.seat for act in p.pending.values() if act.resolving]
        whose = p.card(case.now).owner
        return bool(doing) and own in (None, doing[-1] == whose)

    return fits


def _destroyed(case: Case) -> bool:
    return case.event.why in DESTROYED and _lay(case)


def _wrecked(passage: Passage) -> bool:
    """A card was destroyed by battle or by an effect and sent to a Graveyard."""
    return passage.why in DESTROYED and passage.why != "rule" and passage.dst == "grave"


def _buried_by_rival(case: Case) -> bool:
    """A card went from the field of its owner to his Graveyard, by an effect of his opponent."""
    p, card = case.t.pos, case.t.pos.card(case.card)
    by = [act.seat for act in p.pending.values() if act.resolving]
    return bool(by) and card.owner == card.controller != by[-1] and _lay(case)


def _by_rival(case: Case) -> bool:
    """A card of its owner's, on the field, was destroyed by the other player's."""
    p, was = case.t.pos, case.t.pos.card(case.card)
    if not _lay(case) or was.owner != was.controller:
        return False
    if case.event.why == "battle":
        victor = _victor(case)
        return bool(victor) and p.card(victor).controller != was.controller
    carried = [act.seat for act in p.pending.values() if act.resolving]
    return bool(carried) and carried[-1] != was.controller


def _host_overlaid(case: Case) -> bool:
    """An Equip Card goes to the Graveyard since its monster has become Xyz Material."""
    return bool(case.t.pos.card(case.card).marks.get("overlaid"))


def _leaves(passage: Passage) -> bool:
    """A card goes off the field; one that becomes Xyz Material does not (ygo:xyz.def.3)."""
    return not passage.kept and passage.why != "overlay" and passage.dst not in figures.FIELD


def _victor(case: Case) -> int:
    """The monster that has destroyed this one in battle."""
    departure = case.t.pos.departures.get(case.card)
    by = departure.responsible if departure is not None else 0
    return by if isinstance(by, int) else 0


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
        Pattern("summoned", ev.CardsMoved, _summoned, _now, passes=_SUCCEEDED),
        Pattern("summoned", ev.Marked, _awake),
        Pattern("arrives", ev.Marked, _awake),
        Pattern("special-summoned", ev.CardsMoved, _special, _now, passes=_COMES),
        Pattern("flip-summoned", ev.Marked, _flip_summoned),
        Pattern("special-summoned", ev.CardsMade, _token, passes=_COMES),
        Pattern("arrives", ev.CardsMade, _token, passes=_COMES),
        Pattern(COUNT, ev.CardsMoved, _summons, _now, _count, passes=_COMES),
        Pattern(
            COUNT, ev.CardsMade, lambda c: _token(c) and _summons(c), _now, _count, passes=_COMES
        ),
        Pattern(COUNT, ev.Marked, lambda c: _flip_summoned(c) and _summons(c), then=_count),
        Pattern(
            "arrives", ev.CardsMoved, lambda c: _summoned(c) or _special(c), _now, passes=_COMES
        ),
        Pattern("arrives", ev.CardsMade, _special, passes=_COMES),
        Pattern("arrives", ev.Marked, _flip_summoned),
        Pattern("flip", ev.CardsTurned, _flipped),
        Pattern("flip", ev.Marked, _flip_summoned),
        Pattern("set", ev.CardsMoved, whom=_now, passes=_moved("", "", "set")),
        Pattern("attack", ev.AttackDeclared),
        Pattern("attacked", ev.AttackDeclared, _attacked, _attacked),
        Pattern("hurts", ev.DamageDealt, _hurts_rival),
        Pattern("inflicts", ev.DamageDealt, lambda case: case.event.kind == "battle"),
        Pattern("beaten", ev.CardsMoved, whom=_now, passes=_moved("grave", "", "battle")),
        Pattern("beats", ev.CardsMoved, _victor, _victor, passes=_moved("grave", "", "battle")),
        Pattern("destroyed", ev.CardsMoved, _lay, _now, passes=_for(*DESTROYED)),
        Pattern("destroyed", ev.CardsRemoved, _destroyed),
        Pattern("destroyed-face-up", ev.CardsMoved, _lay, passes=_for(*DESTROYED)),
        Pattern("destroyed-and-sent", ev.CardsMoved, _lay, passes=_wrecked),
        Pattern(
            "destroyed-by-rival",
            ev.CardsMoved,
            _by_rival,
            _now,
            passes=lambda passage: passage.why in DESTROYED and passage.dst == "grave",
        ),
        Pattern("destroyed-alone", ev.CardsMoved, passes=_for("destroyed")),
        Pattern("destroyed-alone", ev.CardsRemoved, lambda c: c.event.why == "destroyed"),
        Pattern(
            "host-overlaid",
            ev.CardsMoved,
            _host_overlaid,
            _now,
            passes=lambda passage: passage.dst == "grave",
        ),
        Pattern(
            "destroyed-by-effect", ev.CardsMoved, whom=_now, passes=_moved("", "", "destroyed")
        ),
        Pattern("buried", ev.CardsMoved, _lay, _now, passes=_moved("grave")),
        Pattern(
            "buried-by-rival",
            ev.CardsMoved,
            _buried_by_rival,
            _now,
            passes=_moved("grave", "", "destroyed", "effect", "tribute", "material"),
        ),
        Pattern("to-grave", ev.CardsMoved, whom=_now, passes=_moved("grave")),
        Pattern("discarded", ev.CardsMoved, whom=_now, passes=_DISCARDED),
        Pattern("discarded-by-effect", ev.CardsMoved, _by_effect_of(None), _now, passes=_DISCARDED),
        Pattern("discarded-by-yours", ev.CardsMoved, _by_effect_of(True), _now, passes=_DISCARDED),
        Pattern(
            "discarded-by-theirs", ev.CardsMoved, _by_effect_of(False), _now, passes=_DISCARDED
        ),
        Pattern("tributed", ev.CardsMoved, whom=_now, passes=_moved("", "", "tribute")),
        Pattern("tributed", ev.CardsRemoved, lambda c: c.event.why == "tribute"),
        Pattern("material", ev.CardsMoved, whom=_now, passes=_moved("", "", "material")),
        Pattern("banished", ev.CardsMoved, whom=_now, passes=_moved("banished")),
        Pattern("leaves", ev.CardsMoved, _lay, passes=_leaves),
        Pattern("leaves", ev.CardsRemoved, _lay),
        Pattern("card-activated", ev.ActDeclared, lambda case: case.event.mode == CARD),
        *AROUND_ATTACKS,
    ),
    HAPPENS,
    _keeps_timing,
)
