"""Rewinds: an official takes a match back to an earlier decision; nothing is deleted.

`preview` lists what would be undone and who has seen which cards since; `rewind` does it. After the
`Rewound` entry an official's frame puts back what was seen: as it was, at random (what a seat drew
goes back as a random card of its hand), or shuffled into its zone. A match that is over goes back
like any other: its end is abandoned with what followed it, and it is live again. `undo` takes back
the last entry of a real table's scorekeeper while the match goes on, `fork` begins another match
with this one's first entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.match import Match
from domain.engine.rulebook import Dice, Refused, Rulebook
from domain.engine.signals import Chance, Play
from domain.engine.table import Table
from domain.officials import bringing, checks, clocks
from domain.officials.corrections.checks import mixable
from domain.officials.corrections.correcting import run_play
from domain.officials.corrections.verbs import mix
from domain.officials.frame import KIND, Official, frame
from domain.officials.irregular import carried_out
from domain.officials.ways import AS_THEY_WERE, RANDOM, WAYS
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.entries import Entry, active
from domain.record.folding.fold import fold, fold_all
from domain.record.interventions import Rewound
from domain.record.position import seat_of
from domain.record.proof import draws
from domain.record.schema.manifest import Manifest
from domain.record.values import BY_OFFICIAL, EVERYONE, OFFICIALS, TABLE, Sealed
from domain.record.views import answered
from domain.words.phrases import phrase

RULE, WHY = "house:rewind", "rewind"
#: What an official's frame says that leads to nothing.
_PLAIN = {"who", "what", "why", "ticket", "rule"}


class Undone(Struct, frozen=True):
    """A decision that would be undone: what was answered, seat by seat, and by which entry."""

    n: int
    seq: int
    time: int
    kind: str
    seats: tuple[int, ...]
    acts: tuple[tuple[int, Act, int], ...] = ()


class Seen(Struct, frozen=True):
    """A card that somebody has seen since: its number and place then, which it is, who saw it.

    `to` are those who did not know it (a mask); `went` is the hand it went to, unseen by others.
    """

    card: int
    place: str
    id: str
    to: int
    went: str = ""


class Preview(Struct, frozen=True):
    """The consequences of going back to decision `n`. `to` is the last entry that would stand.

    `rest`: whether cards can be put back other than as they were; `near`: the decisions next to it
    at which they can.
    """

    n: int
    to: int
    rest: bool
    decisions: tuple[Undone, ...]
    seen: tuple[Seen, ...]
    entries: int
    near: tuple[int, ...] = ()


# -- what it would mean ----------------------------------------------------------------------------


def preview(log: Sequence[Entry], n: int, manifest: Manifest) -> Preview:
    """The consequences of going back to decision `n` of the active line; raises `Refused`.

    O(entries).
    """
    line = active(log)
    end = _open_at(line, n)
    then = fold_all(line[:end])
    if end == len(line):
        raise checks.refused(
            phrase("decision {n} is open: there is nothing to undo", n=n), RULE, "NOTHING_TO_UNDO"
        )
    assert then.decision is not None
    return Preview(
        n,
        line[end - 1].seq,
        then.decision.rest,
        tuple(_undone(line, end)),
        tuple(_seen(line, end, manifest)),
        log[-1].seq - line[end - 1].seq,
        near(line, n),
    )


def near(line: Iterable[Entry], n: int) -> tuple[int, ...]:
    """The decisions before and after number `n` that come nearest and can be asked again."""
    opened = [entry.event for entry in line if isinstance(entry.event, ev.DecisionOpened)]
    resting = [event.n for event in opened if event.rest and event.n != n]
    sides = ([at for at in resting if at < n][-1:], [at for at in resting if at > n][:1])
    return tuple(at for side in sides for at in side)


def _open_at(line: Sequence[Entry], n: int) -> int:
    """How many entries of a line to keep so that decision `n` stands open; raises `Refused`.

    Entries of officials without consequences while it was open are kept.
    """
    end = _asked(line, n)
    while end < len(line):
        event = line[end].event
        if (
            not isinstance(event, ev.FrameOpened)
            or event.kind != KIND
            or event.facts.keys() - _PLAIN
        ):
            break
        closed = (
            at for at, entry in enumerate(line[end:], end)
            if isinstance(entry.event, ev.FrameClosed) and entry.event.id == event.id
        )  # fmt: skip
        end = next(closed) + 1
    return end


def _asked(line: Sequence[Entry], n: int) -> int:
    """How many entries of a line there are up to the options of decision `n`."""
    for at, entry in enumerate(line):
        if isinstance(entry.event, ev.DecisionOpened) and entry.event.n == n:
            offers = range(at + 1, len(line))
            last = (i for i in offers if not isinstance(line[i].event, ev.OptionsOffered))
            return next(last, len(line))
    raise checks.refused(
        phrase("there is no decision {n} on the line that is played", n=n), RULE, "NO_SUCH_DECISION"
    )


def _undone(line: Sequence[Entry], end: int) -> Iterator[Undone]:
    found: dict[int, Undone] = {}
    p = fold_all(line[:end])
    if p.decision is not None:
        d = p.decision
        found[d.n] = Undone(d.n, d.seq, d.time, d.kind, tuple(d.seats))
    for entry in line[end:]:
        event = entry.event
        if isinstance(event, ev.DecisionOpened):
            found[event.n] = Undone(event.n, entry.seq, entry.time, event.kind, event.seats)
        elif isinstance(event, ev.DecisionMade) and p.decision is not None:
            _, act = answered(event, p.decision.offers.get(event.seat), True)
            if act is not None and event.n in found:
                was = found[event.n]
                found[event.n] = replace(was, acts=(*was.acts, (event.seat, act, entry.seq)))
        fold(p, entry)
    yield from found.values()


def _seen(line: Sequence[Entry], end: int, manifest: Manifest) -> Iterator[Seen]:
    """Follow every card from its number then, through moves and shuffles, to who learned of it."""
    then, p = fold_all(line[:end]), fold_all(line[:end])
    origin = {number: number for number in then.cards}
    learned: dict[int, int] = {}
    names: dict[int, str] = {}
    went: dict[int, str] = {}
    for entry in line[end:]:
        match entry.event:
            case ev.GameBegan():
                origin.clear()
            case ev.CardsMoved(was=was, now=now, dst=dst) if was.value and now.value:
                for old, new in zip(was.value, now.value, strict=True):
                    first = origin[new] = origin.get(old, 0)
                    if first and _private(manifest, dst) and then.cards[first].place != dst:
                        went.setdefault(first, dst)
            case ev.CardsOrdered(place=place, base=base, order=order) if base and order.value:
                old_ones = list(p.zones[place])
                for at, index in enumerate(order.value):
                    origin[base + at] = origin.get(old_ones[index], 0)
            case ev.CardsKnown(cards=cards):
                for number, name in cards.value or ():
                    first = origin.get(number, 0)
                    fresh = cards.to & ~then.cards[first].seen if first else 0
                    if fresh and name:
                        all_see = cards.to == EVERYONE  # the public too, which has no bit
                        learned[first] = EVERYONE if all_see else learned.get(first, 0) | fresh
                        names[first] = name
        fold(p, entry)
    for card, to in sorted(learned.items()):
        place = then.cards[card].place
        hand = went.get(card, "")
        alone = hand if hand and to == 1 << seat_of(hand) else ""
        yield Seen(card, place, names[card], to, alone)


def _private(manifest: Manifest, place: str) -> bool:
    zone = manifest.zone(place)
    return zone.faces == zone.follow == "owner"


# -- doing it --------------------------------------------------------------------------------------


def rewind(
    rules: Rulebook,
    log: Sequence[Entry],
    n: int,
    by: Official,
    dice: Dice,
    put_back: str | Mapping[int, str] = AS_THEY_WERE,
) -> Match:
    """The match gone back to decision `n` of its active line; `collect` has the new entries.

    `put_back` says how revealed cards are put back, all or card by card (as
    numbered in the preview; as they were, if not named). Raises `Refused`.
    """
    checks.worded(by.why, RULE)
    found = preview(log, n, rules.manifest)
    ways = _ways(found, put_back, rules.manifest)
    last = log[-1]
    before = fold_all(active(log))
    by = replace(by, now=max(by.now, last.time))
    event = Rewound(found.to, by.why, by.who)
    cites = (RULE, "house:official")
    gone = Entry(last.seq + 1, by.now, last.moment + 1, 0, BY_OFFICIAL, cites, event)
    match = Match.resume(rules, [*log, gone], dice)
    match.table.out.append(gone)
    anew = {"anew": True} if any(way != AS_THEY_WERE for way in ways.values()) else {}
    with (
        carried_out("the rulebook can't go on from there"),
        frame(match, by, "rewind", **anew) as cited,
    ):
        clocks.restore(match.table, before, *cited, gone=True)
        bringing.restore(match.table, before, *cited)
        _put_back(match, found, ways, cited)
    return match


def _ways(found: Preview, put_back: str | Mapping[int, str], manifest: Manifest) -> dict[int, str]:
    """How each revealed card is put back; raises `Refused`."""
    by_card = put_back if isinstance(put_back, Mapping) else {s.card: put_back for s in found.seen}
    seen = {one.card: one for one in found.seen}
    given = {put_back} if isinstance(put_back, str) else set(put_back.values())
    if given - set(WAYS):
        raise checks.refused(
            phrase("cards are put back {names}", names=", ".join(WAYS)), RULE, "BAD_PUT_BACK"
        )
    if by_card.keys() - seen.keys():
        raise checks.refused("no one has seen that card since", RULE, "BAD_PUT_BACK")
    ways = {card: by_card.get(card, AS_THEY_WERE) for card in seen}
    changed = [seen[card] for card, way in ways.items() if way != AS_THEY_WERE]
    if changed and not found.rest:
        text = phrase(
            "decision {n} can't be asked again: cards can only be left as they were", n=found.n
        )
        if found.near:
            others = ", ".join(map(str, found.near))
            text = phrase("{text} (of those near it, {others} can)", text=text, others=others)
        raise checks.refused(text, RULE, "NOT_AT_REST")
    for one in changed:
        if not one.went and not mixable(manifest.zone(one.place)):
            text = phrase(
                "the cards of {place} can't be mixed: they can only be left as they were",
                place=one.place,
            )
            raise checks.refused(text, RULE, "BAD_PUT_BACK")
    return ways


def _put_back(
    match: Match, found: Preview, ways: Mapping[int, str], cites: tuple[str, ...]
) -> None:
    drawn: dict[tuple[str, str], list[Seen]] = {}
    known: dict[tuple[str, int], list[Seen]] = {}
    mixed: dict[str, None] = {}
    for one in found.seen:
        if ways[one.card] == AS_THEY_WERE:
            known.setdefault((one.place, one.to), []).append(one)
        elif ways[one.card] == RANDOM and one.went:
            drawn.setdefault((one.place, one.went), []).append(one)
        else:
            mixed[one.place] = None
    for (place, to), some in known.items():
        _reveal(match.table, place, to, some, cites)
    for (place, hand), some in drawn.items():
        run_play(_exchange(match.table, place, hand, some, cites), match.driver.chance)
    for place in mixed:
        run_play(mix(match.table, place, WHY, *cites), match.driver.chance)


def _reveal(t: Table, place: str, to: int, seen: Sequence[Seen], cites: tuple[str, ...]) -> None:
    """Show cards that lie there again to those who had seen them."""
    zone = t.pos.zone(place)
    ordered = sorted(seen, key=lambda one: zone.index(one.card) if one.card in zone else -1)
    pairs = tuple((one.card, one.id) for one in ordered)
    t.emit(ev.CardsKnown(len(pairs), place, Sealed(to, pairs), WHY), *cites)


def _exchange(
    t: Table, place: str, hand: str, seen: Sequence[Seen], cites: tuple[str, ...]
) -> Play:
    """Draw again what was drawn, and return as many random cards of the hand."""
    zone = t.pos.zone(place)
    places = sorted(zone.index(one.card) for one in seen)
    t.move([zone[at] for at in places], hand, WHY, *cites)
    there = list(t.pos.zone(hand))
    order = yield Chance("shuffle", len(there), cites)
    picked = [there[index] for index in order or range(len(there))][: len(places)]
    for at, card in zip(places, picked, strict=True):
        t.move([card], place, WHY, *cites, at=at)


# -- undoing one's own entry, and forking ----------------------------------------------------------


def undo(rules: Rulebook, log: Sequence[Entry], by: Official, dice: Dice) -> Match:
    """Take back the last thing that `by` entered for a seat at a real table; raises `Refused`.

    It can be done until somebody else enters something, or an official speaks.
    """
    line = active(log)
    p = fold_all(line)
    if p.heading.mode != "table":
        raise checks.refused(
            "at a dealt table players act for themselves", "house:undo", "NOT_A_TABLE"
        )
    if p.over:
        raise checks.refused("the match is over", "house:undo", "MATCH_OVER")
    at = _own_last(line, by.who)
    last = log[-1]
    event = Rewound(line[at - 1].seq, by.why, by.who)
    now = max(by.now, last.time)
    gone = Entry(last.seq + 1, now, last.moment + 1, 0, TABLE, ("house:undo",), event)
    match = Match.resume(rules, [*log, gone], dice)
    match.table.out.append(gone)
    with frame(match, replace(by, now=now, voice=TABLE), "undo") as cites:
        clocks.restore(match.table, p, *cites)
        bringing.restore(match.table, p, *cites)
    return match


def _own_last(line: Sequence[Entry], who: str) -> int:
    """Where somebody's last entry for a seat is in a line; raises `Refused`."""
    for at in range(len(line) - 1, -1, -1):
        event = line[at].event
        facts = event.facts if isinstance(event, ev.FrameOpened) and event.kind == KIND else None
        if facts is not None and facts.get("who") != who:
            raise checks.refused("an official has spoken since", "house:undo", "NOTHING_TO_UNDO")
        if isinstance(event, ev.DecisionMade | ev.Interjected):
            if event.stated.value is None or event.stated.value.who != who:
                raise checks.refused("others have gone on from it", "house:undo", "NOTHING_TO_UNDO")
            return at
    raise checks.refused("you have entered nothing yet", "house:undo", "NOTHING_TO_UNDO")


def fork(log: Sequence[Entry], name: str, n: int, ticket: str = "") -> list[Entry]:
    """The log of a match that stands at decision `n` of this one (`name`), on any line.

    Officials may play it on; it is unofficial. `ticket` names the command. Raises `Refused`.
    """
    first = log[0].event
    assert isinstance(first, ev.MatchOpened)
    if first.origin is not None:
        raise checks.refused("a fork is not forked again", "house:fork", "FORKED_ALREADY")
    try:
        end = _asked(log, n)
    except Refused:
        raise checks.refused(
            phrase("there is no decision {n}", n=n), "house:fork", "NO_SUCH_DECISION"
        ) from None
    origin = ev.Origin(name, log[end - 1].seq)
    own = {} if first.chance in ("", draws.TABLE) else {"chance": draws.SYSTEM, "commitment": b""}
    opened = replace(first, origin=origin, ticket=Sealed(OFFICIALS, ticket), **own)
    return [replace(log[0], event=opened), *log[1:end]]
