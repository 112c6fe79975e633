"""Corrections: an official changes a position by the table's own verbs, and says why.

A correction is a list of `Fix`es. It is rehearsed on a copy of the position first, so that one bad
fix refuses them all and nothing has changed then. Afterwards the rulebook does what is due
(`Rulebook.amend`) and asks the open decision anew, which it can where that was opened at rest. What
no table can hold is refused then, too (`irregular.sound`).
A card may be named along with what is done to it, at a real table, where nobody has named it yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from domain.effects.calculator import CONSTANT
from domain.engine import naming
from domain.engine.match import Match
from domain.engine.naming import Told
from domain.engine.rulebook import Refusal, Refused, Rulebook
from domain.engine.signals import Chance, NameRequired, Play
from domain.engine.table import Table
from domain.officials import checks
from domain.officials.frame import Official, frame
from domain.officials.irregular import at_rest, carried_out, sound
from domain.record import bounds
from domain.record import events as ev
from domain.record.events import EVERYONE, OFFICIALS, Change, Ref, Sealed, Value
from domain.record.interventions import Irregularity
from domain.record.position import UNKNOWN, Position, decoded, seat_of

RULE, WHY = "house:correction", "correction"
#: How many fixes a correction may have.
MOST = 100


class Fix(Struct, frozen=True):
    """One thing that is put right: a verb, and as much of the rest as the verb needs.

    `move` cards to a place (`at` from the bottom, `up`, `orient`); `draw` the top `n` of `src` to a
    place; `turn` cards (`up`, `orient`); `show` cards to seats (none: to all); `name` cards, anew
    where they were named wrongly;
    `counters`: `n` of a `kind` from `src` to `dst` (a card's number or `seat/0`; empty: the
    supply); `mark` a `subject` with `kind` and `value` (None: erased); `order` a place as `cards`
    say, bottom to top; `shuffle` a place; `control` of cards to a seat; `attach` cards to `host` in
    a role; `remove` cards; `make` tokens by `names` at a place; `modify` cards: `kind`, `value`,
    `op` (empty: `add`), `until` (empty: `turn`); `end` the modifiers `ids`. `names` are card ids,
    in the order of `cards`.
    """

    verb: str
    cards: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    place: str = ""
    at: int | None = None
    up: bool | None = None
    orient: str | None = None
    kind: str = ""
    n: int = 0
    src: Ref = ""
    dst: Ref = ""
    subject: Ref = ""
    value: Value = None
    op: str = ""
    until: str = ""
    host: int = 0
    role: str = ""
    seat: int | None = None
    seats: tuple[int, ...] = ()
    ids: tuple[int, ...] = ()


def correct(
    match: Match, by: Official, fixes: Sequence[Fix], rule: str = "", seat: int = -1
) -> None:
    """Put a position right, and go on from it. `rule` is the rule that was broken, by `seat`.

    Raises `Refused` (`BAD_CORRECTION`, `NOT_AT_REST` and others), `NameRequired` where a card
    must be named, and `Impossible` where the rulebook can't go on from the position, or no table
    can be so.
    """
    checks.going_on(match, RULE)
    match.playable()
    checks.worded(by.why, RULE)
    if rule:
        checks.cited(match, (rule,), RULE)
    if seat >= 0:
        checks.seated(match, seat, RULE)
    if not 0 < len(fixes) <= MOST:
        raise _bad(f"a correction has from 1 to {MOST} fixes")
    at_rest(match, RULE)
    _rehearse(match, fixes)
    with (
        carried_out("the rulebook can't go on from that position"),
        sound(match),
        frame(match, by, "correction", anew=True) as cites,
    ):
        if rule:
            match.table.emit(Irregularity(rule, by.why, seat), rule, *cites)
        for fix in fixes:
            through(_do(match.rules, match.table, fix, cites), match.driver.chance)


def through(play: Play, chance: Callable[[Chance], tuple[int, ...]]) -> None:
    """Carry out something that needs nothing from outside but chance."""
    try:
        wants = next(play)
        while True:
            assert isinstance(wants, Chance)
            wants = play.send(chance(wants))
    except StopIteration:
        return


def _rehearse(match: Match, fixes: Sequence[Fix]) -> None:
    """Do it all on a copy; raises `Refused`."""
    real = match.pos.heading.mode == "table"
    known = match.rules.known(match.pos.heading.prints)
    scratch = Table(decoded(match.pos.encoded()), match.rules.manifest)
    for number, fix in enumerate(fixes, 1):
        try:
            for fault in _faults(scratch, fix, known):
                raise _bad(f"fix {number} ({fix.verb}): {fault}")
            work = _do(match.rules, scratch, fix, ())
            through(work, lambda wants: () if real else tuple(range(wants.of)))
            naming.listed(scratch.pos, match.rules, Told(dict(_named(fix))))
        except NameRequired:
            raise
        except Refused as refused:
            said = refused.refusal
            rules = dict.fromkeys((*said.rules, RULE, "house:official"))
            raise Refused(Refusal(tuple(rules), said.text, said.fault)) from None
        except (LookupError, ValueError, TypeError) as error:
            raise _bad(f"fix {number} ({fix.verb}) can't be done") from error


def _bad(text: str) -> Refused:
    return checks.refused(text, RULE, "BAD_CORRECTION")


def _named(fix: Fix) -> Iterator[tuple[int, str]]:
    return zip(fix.cards, fix.names, strict=False)


# -- whether it makes sense ------------------------------------------------------------------------

#: Verbs that name the cards to all: these must be such as all can follow.
_OPENLY = frozenset({"turn", "control", "attach", "modify"})
#: What a lasting effect may do; nothing: add.
_OPS = ("", "add", "set", "forbid", "allow")
#: What each verb can't do without.
_NEEDS: Mapping[str, tuple[str, ...]] = {
    "move": ("cards", "place"),
    "draw": ("n", "src", "place"),
    "turn": ("cards",),
    "show": ("cards",),
    "name": ("cards", "names"),
    "counters": ("kind", "n"),
    "mark": ("subject", "kind"),
    "order": ("place", "cards"),
    "shuffle": ("place",),
    "control": ("cards",),
    "attach": ("cards",),
    "remove": ("cards",),
    "make": ("names", "place"),
    "modify": ("cards", "kind"),
    "end": ("ids",),
}


def _faults(t: Table, fix: Fix, known: Mapping[str, object]) -> Iterator[str]:
    """What is wrong with a fix, as the table stands."""
    p, manifest = t.pos, t.manifest
    if fix.verb not in _NEEDS:
        yield f"there is no such verb; there are: {', '.join(_NEEDS)}"
        return
    if not all(-bounds.FIGURE <= n <= bounds.FIGURE for n in (fix.n, fix.value) if type(n) is int):
        yield f"a number goes from -{bounds.FIGURE:,} to {bounds.FIGURE:,}"
    yield from (f"it needs {name}" for name in _NEEDS[fix.verb] if not getattr(fix, name))
    gone = [number for number in fix.cards if not p.present(number)]
    yield from (f"there is no card @{number} here" for number in gone)
    if gone:
        return
    if len(set(fix.cards)) < len(fix.cards):
        yield "a card is there twice"
    places = set(manifest.places())
    for place in (fix.place, fix.src if fix.verb == "draw" else ""):
        if place and place not in places:
            yield f"there is no place {place!r}"
            return
    yield from _hidden(t, fix)
    yield from (f"there is no card {name!r}" for name in fix.names if _strange(name, known, t))
    yield from _misnamed(p, fix)
    yield from _misfits(t, fix)
    yield from _undeclared(t, fix)


def _hidden(t: Table, fix: Fix) -> Iterator[str]:
    openly = fix.cards if fix.verb in _OPENLY else ()
    refs: tuple[Ref, ...] = (*openly, fix.src, fix.dst, fix.subject, fix.host)
    holders = {"match", *t.manifest.places(), *(f"seat/{n}" for n in range(t.manifest.seats))}
    for ref in refs if fix.verb != "draw" else ():
        if not ref or ref in holders:
            continue
        if not isinstance(ref, int) or not t.pos.present(ref):
            yield f"there is no {ref!r} here"
        elif t.pos.cards[ref].follow != EVERYONE:
            yield f"@{ref} lies hidden: everybody would learn which it is"


def _strange(name: str, known: Mapping[str, object], t: Table) -> bool:
    real = t.pos.heading.mode == "table"
    return name not in known and not (real and name == UNKNOWN)


def _misnamed(p: Position, fix: Fix) -> Iterator[str]:
    if fix.verb == "make":
        return
    for number, name in _named(fix):
        known = p.cards[number].id not in ("", name) and fix.verb != "name"
        if p.heading.mode != "table" or known:
            yield f"it is known which card @{number} is"
    if len(fix.names) > len(fix.cards):
        yield "more names than cards"


def _misfits(t: Table, fix: Fix) -> Iterator[str]:
    p = t.pos
    seats = range(t.manifest.seats)
    match fix.verb:
        case "draw" if len(p.zone(str(fix.src))) < fix.n:
            yield f"there are only {len(p.zone(str(fix.src)))} cards"
        case "move" if fix.at is not None and not 0 <= fix.at <= len(p.zone(fix.place)):
            yield f"place {fix.at} is none in {fix.place}"
        case "order" if sorted(fix.cards) != sorted(p.zone(fix.place)):
            yield "it names every card of the place once"
        case "show" if any(seat not in seats for seat in fix.seats):
            yield "there is no such seat"
        case "show" if len({p.cards[number].place for number in fix.cards}) > 1:
            yield "cards of one place at a time"
        case "control" if fix.seat not in seats:
            yield "there is no such seat"
        case "turn" if fix.up is None and fix.orient is None:
            yield "it says neither over nor sideways"
        case "attach" if fix.host in fix.cards:
            yield "nothing is laid with itself"
        case "counters" if fix.src == "" and fix.dst == "":
            yield "they come from somewhere or go somewhere"
        case "counters" if fix.n < 0 or (fix.src != "" and p.counters(fix.src, fix.kind) < fix.n):
            yield "there are not so many"
        case "modify" if fix.until == CONSTANT or fix.op not in _OPS:
            yield "no such change"
        case "modify" if fix.op not in ("forbid", "allow") and not _amount(p, fix):
            yield "a figure is a number, a keyword there or not"
        case "end" if any(number not in p.modifiers for number in fix.ids):
            yield "there is no such lasting effect"


def _amount(p: Position, fix: Fix) -> bool:
    """Whether a change is by what its figure is: what is a number now stays one."""
    now = {type(p.cards[number].stats.get(fix.kind)) for number in fix.cards}
    return type(fix.value) is int if int in now else not isinstance(fix.value, str)


def _undeclared(t: Table, fix: Fix) -> Iterator[str]:
    manifest = t.manifest
    if fix.verb == "counters" and fix.kind not in {word.name for word in manifest.counters}:
        yield f"there are no counters {fix.kind!r}"
    marks = {word.name for word in manifest.marks}
    if fix.verb == "mark" and fix.kind.partition(":")[0] not in marks:
        yield f"there is no mark {fix.kind!r}"
    if fix.orient is not None and fix.verb in ("move", "turn"):
        places = [fix.place] if fix.verb == "move" else [t.pos.cards[n].place for n in fix.cards]
        if any(fix.orient not in (manifest.zone(place).orients or ("",)) for place in places):
            yield f"cards do not lie {fix.orient!r} there"


# -- carrying it out -------------------------------------------------------------------------------


def _do(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> Play:
    if fix.verb != "make":
        _bind(t, fix, cites)
    cards, place = list(fix.cards), fix.place
    match fix.verb:
        case "move":
            t.move(cards, place, WHY, *cites, at=fix.at, up=fix.up, orient=fix.orient)
        case "draw":
            t.move(t.top(str(fix.src), fix.n), place, WHY, *cites)
        case "turn":
            t.turn(cards, *cites, orient=fix.orient, up=fix.up)
        case "show":
            t.show(cards, sum(1 << seat for seat in fix.seats) or EVERYONE, WHY, *cites)
        case "counters":
            t.counters(fix.kind, fix.n, *cites, src=fix.src, dst=fix.dst)
        case "mark":
            t.mark(fix.subject, fix.kind, fix.value, *cites)
        case "order":
            t.order(place, cards, WHY, *cites)
        case "shuffle":
            yield from t.shuffle(place, *cites)
        case "control":
            rules.control(t, cards, fix.seat or 0, *cites)
        case "attach":
            t.emit(ev.CardsAttached(tuple(cards), fix.host, fix.role), *cites)
        case "remove":
            t.remove(cards, WHY, *cites)
        case "make":
            owner = seat_of(place) if fix.seat is None else fix.seat
            t.make(fix.names, place, WHY, *cites, owner=owner, token=True, orient=fix.orient)
        case "modify":
            change = Change(fix.kind, fix.op or "add", True if fix.value is None else fix.value)
            t.modify(cards[0], cards, change, fix.until or "turn", *cites)
        case "end":
            t.end_modifiers(fix.ids, WHY, *cites)


def _bind(t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    """Say which cards these are, for the record alone: who else gets to know is the verb's."""
    for number, name in _named(fix):
        card = t.pos.cards[number]
        if card.id != name:
            pairs: tuple[tuple[int, str], ...] = ((number, name),)
            t.emit(ev.CardsKnown(1, card.place, Sealed(OFFICIALS, pairs), WHY), *cites)
            to = t.manifest.faces(card.place, card.up) & card.follow | card.seen
            if fix.verb == "name" and to:
                t.show([number], to, WHY, *cites)
