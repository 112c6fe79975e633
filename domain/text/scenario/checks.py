"""Expectations: each check returns what was found instead, or None."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from domain.games.kit.game import Game
from domain.record.decisions import Misfit, Offer, Option
from domain.record.entries import Entry, name_of
from domain.record.fitting.fit import fit
from domain.record.position import NOBODY, UNKNOWN, Card, Position, seat_of
from domain.record.values import Ref
from domain.record.views import OFFICIAL
from domain.text.notation import BadText, Names, parse, place_of, write
from domain.text.plain import plain
from domain.text.scenario.patterns import Story
from domain.text.scenario.text import (
    SEATS,
    BadScenario,
    Expect,
    Item,
    Zone,
    items,
    listed,
)
from domain.words.phrases import joined, labelled, message_of, phrase


class Context(Struct):
    """The context of an expectation: the record so far, its entries, one viewer's view.

    `window` are the entries since the choices before; `at` is how far into them `then` has come,
    `moment` when the last one that was found happened, None where the last was not found.
    """

    rules: Game
    story: Story
    p: Position
    window: Sequence[Entry]
    viewer: int = OFFICIAL
    at: int = 0
    moment: int | None = -1

    def names(self, seat: int = NOBODY) -> Names:
        """The names of things: of hidden cards too, if no seat's view is used."""
        return Names(self.p, self.rules, seat, sees_all=self.viewer == OFFICIAL)


def check(context: Context, statement: Expect) -> str | None:
    """The actual state if it differs from the expectation; None if it does not."""
    try:
        return CHECKS[statement.sort](context, statement)
    except BadText as bad:
        return message_of(bad)


# -- events ----------------------------------------------------------------------------------------


def _then(context: Context, statement: Expect) -> str | None:
    """The event happens after those found before."""
    for at in range(context.at, len(context.window)):
        if _fits(context, context.window[at], statement):
            context.at, context.moment = at + 1, context.window[at].moment
            return None
    context.moment = None
    return _nearest_entries(context, statement, context.window[context.at :])


def _and(context: Context, statement: Expect) -> str | None:
    """Check that the event is at the moment of the one found before; skipped if none was found."""
    if context.moment is None:
        return None
    now = [entry for entry in context.window if entry.moment == context.moment]
    if any(_fits(context, entry, statement) for entry in now):
        return None
    found = _nearest_entries(context, statement, now)
    return phrase("{entries} (at that moment)", entries=found)


def _never(context: Context, statement: Expect) -> str | None:
    found = [entry for entry in context.window if _fits(context, entry, statement)]
    return "\n".join(map(context.story.words, found)) or None


def _exactly(context: Context, statement: Expect) -> str | None:
    found = [entry for entry in context.window if _fits(context, entry, statement)]
    if len(found) == int(statement.kind.split()[1]):
        return None
    times = phrase("{n} times", n=len(found))
    return joined("\n", [times, _nearest_entries(context, statement, found or context.window)])


def _fits(context: Context, entry: Entry, statement: Expect) -> bool:
    return context.story.fits(entry, statement.about, statement.text, statement.cites)


def _nearest_entries(context: Context, statement: Expect, entries: Sequence[Entry]) -> str:
    """The entries that come nearest: of that name, or else all there are."""
    same = [entry for entry in entries if name_of(entry.event) == statement.about]
    shown = same or [e for e in entries if name_of(e.event) != "options.offered"]
    if not shown:
        return phrase("nothing")
    more = [phrase("… and {n} more", n=len(shown) - 12)] if len(shown) > 12 else []
    return joined("\n", [*map(context.story.words, shown[:12]), *more])


# -- zones and cards -------------------------------------------------------------------------------


def _zone(context: Context, statement: Expect) -> str | None:
    wanted = statement.zone
    assert wanted is not None
    for place in _places(context, wanted):
        seat = seat_of(place)
        shared = context.rules.manifest.zone(place).shared
        lying = list(context.p.zone(wanted.zone if shared else place))
        if shared and seat != NOBODY:
            lying = [number for number in lying if context.p.cards[number].controller == seat]
        found = _compare(context, wanted, lying, place)
        if found is not None:
            return found
    return None


def _places(context: Context, wanted: Zone) -> list[str]:
    if wanted.zone not in {declared.name for declared in context.rules.manifest.zones}:
        raise BadScenario(wanted.line, phrase("{zone!r} is no zone", zone=wanted.zone))
    if not wanted.seat:
        return [wanted.zone]
    if wanted.seat == "each":
        return [f"{wanted.zone}/{seat}" for seat in range(context.rules.manifest.seats)]
    return [f"{wanted.zone}/{SEATS.index(wanted.seat)}"]


def _compare(context: Context, wanted: Zone, lying: list[int], place: str) -> str | None:
    if wanted.how != ":":
        fitting = [
            item for item in wanted.items if sum(_is(context, n, item) for n in lying) >= item.n
        ]
        good = len(fitting) == len(wanted.items) if wanted.how == "has" else not fitting
        return None if good else _shown(context, lying)
    slots = [item for item in wanted.items for _ in range(item.n)]
    if wanted.end:
        cut = lying[::-1][: len(slots)] if wanted.end == "top" else lying[: len(slots)]
        good = len(cut) == len(slots) and all(map(lambda n, i: _is(context, n, i), cut, slots))
        return None if good else _shown(context, cut)
    if len(slots) != len(lying):
        return phrase("{n} cards: {cards}", n=len(lying), cards=_shown(context, lying))
    if context.rules.manifest.zone(place).ordered:
        good = all(map(lambda n, i: _is(context, n, i), lying, slots))
    else:
        good = _matched(context, lying, slots)
    return None if good else _shown(context, lying)


def _matched(context: Context, lying: list[int], slots: list[Item]) -> bool:
    """Whether the cards can be paired off with the items, in any order."""
    left = list(lying)
    for slot in sorted(slots, key=lambda item: -len(item.traits) - 2 * bool(item.name)):
        found = next((n for n in left if _is(context, n, slot)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _is(context: Context, number: int, item: Item) -> bool:
    """Whether a card is what an item says: its name, and all that stands in brackets."""
    if not number:
        return item.name in ("", UNKNOWN) and not item.traits
    names = context.names()
    if item.name == UNKNOWN:
        named = context.p.card(number).id in ("", UNKNOWN)
    else:
        named = not item.name or bool(names.matching(item.name, [number]))
    return named and all(_trait(context, number, trait) is None for trait in item.traits)


def _shown(context: Context, lying: Sequence[int]) -> str:
    return joined(", ", (_card(context, number) for number in lying)) or phrase("none")


def _card(context: Context, number: int) -> str:
    if not number:
        return UNKNOWN
    card = context.p.card(number)
    says = [card.orient, *(f"{kind} {n}" for kind, n in card.counters.items())]
    says += [f"{key} {value}" for key, value in card.stats.items()]
    says += [f"with {context.names().bare(n)}" for n in card.attached]
    inner = ", ".join(word for word in says if word)
    name = context.names().bare(number)
    return f"{name} [{inner}]" if inner else name


def _about(context: Context, statement: Expect) -> str | None:
    """`Guntank is ap 5, linked, not rested`."""
    number = context.names().find(statement.about)
    if not isinstance(number, int):
        return phrase("{text!r} is no card", text=statement.about)
    wrong = [found for trait in listed(statement.text) if (found := _trait(context, number, trait))]
    return labelled(joined("; ", wrong), _card(context, number)) if wrong else None


def _trait(context: Context, number: int, trait: str) -> str | None:
    """The state of a card without a trait; None if it has the trait."""
    if trait.startswith("not "):
        return trait if _trait(context, number, trait[4:]) is None else None
    card = context.p.card(number)
    simple = _boolean_trait(context, card, trait)
    if simple is not None:
        return None if simple else trait
    if trait.startswith("with "):
        called = trait[5:]
        roles = {context.p.card(n).role for n in card.attached}
        first, _, rest = called.partition(" ")
        called = rest if first in roles and rest else called
        names = context.names()
        return None if names.called(called, card.attached) else trait
    key, _, value = trait.partition(" ")
    actual = _value(context, card, key)
    if _same(actual, value):
        return None
    return phrase("{key} is {value}", key=key, value=actual)


def _boolean_trait(context: Context, card: Card, trait: str) -> bool | None:
    """Words that are true of a card or not; None for any other."""
    orients = {lies for zone in context.rules.manifest.zones for lies in zone.orients}
    if trait in orients:
        return card.orient == trait
    facts: dict[str, Callable[[], bool]] = {
        "up": lambda: card.up,
        "down": lambda: not card.up,
        "new": lambda: card.came == context.p.turn,
        "token": lambda: card.token,
        "alone": lambda: not card.attached,
    }
    return facts[trait]() if trait in facts else None


def _value(context: Context, card: Card, key: str) -> object:
    """A value of a card by its word: counters, figures in force, marks, what is printed."""
    kinds = {word.name for word in context.rules.manifest.counters}
    if key in kinds:
        return card.counters.get(key, 0)
    for table in (card.stats, card.marks):
        if key in table:
            return table[key]
    if key in ("owner", "controller"):
        return SEATS[getattr(card, key)]
    if key in {word.name for word in context.rules.manifest.stats} and card.stats:
        return None
    return getattr(context.story.known.get(card.id), key.replace("-", "_"), None)


def _same(actual: object, value: str) -> bool:
    if value == "":
        return bool(actual)
    if value == "none":
        return actual in (None, "", (), [])
    if isinstance(actual, (list, tuple)):
        return any(plain(str(one)) == plain(value) for one in actual)
    if isinstance(actual, dict):
        return value in map(str, actual.values())
    if isinstance(actual, str) and any(plain(one) == plain(value) for one in actual.split(", ")):
        return True
    return plain(str(actual)) == plain(value)


# -- decisions -------------------------------------------------------------------------------------


def _asked(context: Context, statement: Expect) -> str | None:
    decision = context.p.decision
    seat = SEATS.index(statement.about)
    if decision is None:
        return phrase("nobody is asked anything")
    if seat in decision.seats and decision.kind == statement.text:
        return None
    asked = joined(", ", (SEATS[seat] for seat in decision.seats))
    return phrase("{asked} is asked {kind}", asked=asked, kind=decision.kind)


def _offer(context: Context, about: str) -> tuple[int, Offer]:
    seat = SEATS.index(about[0])
    decision = context.p.decision
    found = decision.offers.get(seat) if decision is not None else None
    return seat, found or Offer(())


def _offered(context: Context, statement: Expect) -> str | None:
    seat, offer = _offer(context, statement.about)
    missing = [
        text for text in statement.text.split(";") if not _on_offer(context, seat, offer, text)
    ]
    return _options(context, seat, offer) if missing else None


def _not_offered(context: Context, statement: Expect) -> str | None:
    seat, offer = _offer(context, statement.about)
    there = [text for text in statement.text.split(";") if _on_offer(context, seat, offer, text)]
    return _options(context, seat, offer) if there else None


def _only_offered(context: Context, statement: Expect) -> str | None:
    seat, offer = _offer(context, statement.about)
    texts = statement.text.split(";")
    good = len(texts) == len(offer.options) and all(
        _on_offer(context, seat, offer, text) for text in texts
    )
    return None if good else _options(context, seat, offer)


def _on_offer(context: Context, seat: int, offer: Offer, text: str) -> bool:
    try:
        act = parse(text.strip(), context.p, context.rules, seat, offer, sees_all=True)
        fit(offer, act)
    except (BadText, ValueError, Misfit):
        return False
    return True


def _options(context: Context, seat: int, offer: Offer) -> str:
    statement = []
    for option in offer.options:
        text = write(option.act(), context.p, context.rules, seat)
        pools = [
            f"{part.name}: {', '.join(_pool(context, seat, offer, option, at))}"
            for at, part in enumerate(option.parts)
            if part.pool >= 0 and part.name != "pay"
        ]
        statement.append(f"{text} ({'; '.join(pools)})" if pools else text)
    if not statement:
        return phrase("nothing is on offer")
    return phrase("on offer: {acts}", acts=joined("; ", statement))


def _pool(context: Context, seat: int, offer: Offer, option: Option, at: int) -> list[str]:
    pool = offer.pools[option.parts[at].pool]
    return [context.names(seat).name(ref, pool) for ref in pool]


def _picks(context: Context, statement: Expect) -> str | None:
    """Everything there is to pick first in an option (or in the one named)."""
    seat, offer = _offer(context, statement.about)
    act = statement.about[1:].strip()
    options = list(offer.options)
    if act:
        wanted = parse(act, context.p, context.rules, seat, offer, sees_all=True)
        options = [o for o in options if (o.kind, o.card) == (wanted.kind, wanted.card)]
    for option in options:
        for at, part in enumerate(option.parts):
            if part.high and part.pool >= 0 and part.name != "pay":
                return _pool_is(
                    context, seat, offer, option, at, items(statement.line, statement.text)
                )
    return _options(context, seat, offer)


def _pool_is(
    context: Context, seat: int, offer: Offer, option: Option, at: int, wanted: Sequence[Item]
) -> str | None:
    pool: list[Ref] = list(offer.pools[option.parts[at].pool])
    names = context.names(seat)
    left = list(pool)
    for slot in (item for item in wanted for _ in range(item.n)):
        found = next((ref for ref in left if _is_ref(context, names, ref, slot.name)), None)
        if found not in left or found is None:
            break
        left.remove(found)
    else:
        if not left:
            return None
    cards = joined(", ", _pool(context, seat, offer, option, at))
    return phrase("to pick from: {cards}", cards=cards)


def _is_ref(context: Context, names: Names, ref: Ref, text: str) -> bool:
    """Whether a text means this card, seat, zone or other pick."""
    if isinstance(ref, int):
        return bool(names.matching(text, [ref]))
    if text == ref or names.direct(text) == ref:
        return True
    letter, _, zone = text.replace(".", " ").rpartition(" ")
    seat = SEATS.index(letter) if letter in tuple(SEATS) else names.seat
    return bool(zone) and ref in (zone, f"{zone}/{seat}")


def _waiting(context: Context, statement: Expect) -> str | None:
    """Effects that wait, as `card effect`, in any order."""
    p = context.p
    names = context.names()
    there = []
    for act in p.waiting():
        name = names.bare(act.source) if isinstance(act.source, int) else str(act.source)
        there.append(f"{name} {act.effect.rpartition('/')[2]}")
    wanted = [] if statement.text == "none" else listed(statement.text)
    good = sorted(map(plain, there)) == sorted(map(plain, wanted))
    return None if good else ", ".join(there) or "none"


# -- the state of the game -------------------------------------------------------------------------


def _state(context: Context, statement: Expect) -> str | None:
    p, text = context.p, statement.text
    match statement.about:
        case "turn":
            actual = f"turn {p.turn} {_letter(p.turn_seat)}"
        case "step":
            actual = f"step {p.step}"
        case "winner":
            ended = p.over or p.why
            actual = f"winner {_letter(p.winner) if ended else 'undecided'}"
        case "why":
            actual = f"why {p.why}"
        case "lost":
            actual = "lost " + (" ".join(_letter(seat) for seat in sorted(p.lost)) or "none")
        case "over":
            actual = "over" if p.over else "not over"
        case "score":
            actual = "score " + "-".join(map(str, p.score))
        case "game":
            actual = f"game {p.game}"
        case "counters":
            return _counters(context, statement)
        case "in force":
            actual = f"in force {len(p.modifiers)}"
        case _:
            return _attack(context, statement)
    return None if plain(actual) == plain(text) else actual


def _counters(context: Context, statement: Expect) -> str | None:
    """`counters B: life 4000`: what a seat holds, or a zone."""
    holder, _, text = statement.text.removeprefix("counters ").partition(": ")
    seat = SEATS.find(holder) if len(holder) == 1 else -1
    place = f"seat/{seat}" if seat >= 0 else place_of(holder.replace(" ", "."), context.rules, 0)
    held = context.p.holders.get(place, {})
    wanted = dict(one.rpartition(" ")[::2] for one in listed(text) if text != "none")
    good = all(str(held.get(kind, 0)) == n for kind, n in wanted.items()) and (wanted or not held)
    found = ", ".join(f"{kind} {n}" for kind, n in held.items()) or "none"
    return None if good else f"counters {holder}: {found}"


def _attack(context: Context, statement: Expect) -> str | None:
    p = context.p
    names = context.names()
    if p.attack is None:
        return None if statement.text == "no attack" else "no attack"
    attacker, _, target = statement.text.removeprefix("attack ").partition("->")
    actual = f"attack {names.name(p.attack.attacker)} -> {names.name(p.attack.target)}"
    if statement.text == "no attack":
        return actual
    good = names.find(attacker) == p.attack.attacker and names.find(target) == p.attack.target
    return None if good else actual


def _letter(seat: int) -> str:
    return SEATS[seat] if seat >= 0 else "none"


#: What holds each kind of expectation against a context.
CHECKS: dict[str, Callable[[Context, Expect], str | None]] = {
    "then": _then,
    "and": _and,
    "never": _never,
    "exactly": _exactly,
    "zone": _zone,
    "is": _about,
    "asked": _asked,
    "offered": _offered,
    "not offered": _not_offered,
    "only offered": _only_offered,
    "picks": _picks,
    "waiting": _waiting,
    "state": _state,
}
