"""The notation: acts as short text, as typed, in transcripts and in scenarios.

    attack GM -> player            pair Amuro Ray with Guntank pay EX Resource
    block Zowort                   activate White Base main
    choose Guntank, GM             choose none            no block            pass

A line is a verb (an act of the manifest), the acting card, and the picks of each part: `->` before
a target, `with` before a host, any other part after its own name (`pay`). A member that is picked
several times follows a number (`pay 3 reserve`). What is left out takes its default. Names are in
`names`, what follows them in `picks`.

Nothing here knows a game: verbs come from its manifest, names from its cards. What an act *does* is
the rulebook's, whether it answers the decision is `fitting.fit`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from domain.effects.language.spelling import meant
from domain.record.decisions import Act, Offer, Option, Part, joint
from domain.record.fitting.fit import completed
from domain.record.position import SEATS, Position, seat_of, zone_of
from domain.record.position import UNKNOWN as UNKNOWN
from domain.record.position import seat_letter as seat_letter
from domain.record.values import Ref
from domain.text.foreign import in_english
from domain.text.leads import split_picks
from domain.text.names import BadText as BadText
from domain.text.names import Names as Names
from domain.text.names import Several as Several
from domain.text.picks import LEADS, NONE, cap_of, composed, found_in, listed, read_picks, remaining
from domain.text.texts import effect_of, effect_word, printed
from domain.words.phrases import joined, phrase

if TYPE_CHECKING:  # reading a record needs no engine
    from domain.engine.rulebook import Rulebook

#: What leads in a text that is declared.
TEXT_LEAD = " text "


# -- reading ---------------------------------------------------------------------------------------


def parse(
    text: str,
    p: Position,
    rules: Rulebook,
    seat: int,
    offer: Offer | None = None,
    free: bool = False,
    named: dict[int, str] | None = None,
    spare: frozenset[int] = frozenset(),
    sees_all: bool = False,
    in_view: bool = False,
    any_card: bool = False,
) -> Act:
    """The act that a seat means by a text.

    With the `offer` it answers, every part is filled in. Without one, or for an act that is not on
    offer, the picks stand in the order in which they were written. `free` lets through verbs that
    the manifest does not know, so that their refusal can be asked for. With `named`, names may be
    those of unknown cards: it is filled with which card is which (`naming.read`), of which `spare`
    are taken last. With `sees_all`, cards that the seat can't see go by their names, too. With
    `in_view`, `guard.GM` means a card that lies open in that zone before one that lies hidden. With
    `any_card`, unknown cards may be given the names of cards that are in no list.
    """
    names = Names(
        p, rules, seat, named, spare, sees_all=sees_all, any_card=any_card, in_view=in_view
    )
    text = in_english(text, rules.manifest, rules.known(p.heading.prints))
    kind, rest = _verb(text.strip(), rules, offer, free)
    options = [option for option in offer.options if option.kind == kind] if offer else []
    shape = what_follows(kind, rules)
    about, lead, declared = rest.partition(TEXT_LEAD)
    if lead and not options:  # a text declared while a decision is open: any text, to the end
        return Act(kind, names.find(about, own=True), ((declared,),))
    if shape == "place" or (free and not options and _is_place(rest, rules)):
        return _place_act(kind, rest, names)
    found = split_picks(rest, options, rules)
    further = split_picks(rest, options, rules, further=True)
    if further == found:
        return _act(kind, found, options, offer, names)
    before = dict(named or {})
    try:
        return _act(kind, found, options, offer, names)
    except Several:
        raise
    except BadText as bad:  # it may name a part that no act on offer has
        if named is not None:
            named.clear()
            named.update(before)
        try:
            return _act(kind, further, options, offer, names)
        except BadText:
            raise bad from None


def _act(
    kind: str, kept: tuple[str, list[tuple[str, str]]], options: list[Option], offer: Offer | None,
    names: Names,
) -> Act:  # fmt: skip
    """The act of that kind that a head and groups of picks mean; `options` are those of it."""
    (head, groups), rules, named = kept, names.rules, names.named
    if what_follows(kind, rules) == "picks":
        return _direct(kind, head, groups, options, offer, names)
    hidden = (
        [o.card for o in offer.options if o.kind == "unknown"]
        if offer and named is not None
        else []
    )
    card, effect = _subject(head, options, names, hidden) if head else (0, "")
    fitting = [o for o in options if o.card == card and effect in ("", o.effect)]
    effects = dict.fromkeys(o.effect for o in fitting)
    if "" in effects:  # done with the card itself, unless a text of it is named
        fitting = [o for o in fitting if o.effect == effect]
    elif len(effects) > 1:
        raise Several([effect_word(o, fitting) for o in effects])
    option = fitting[0] if fitting else None
    if option is None and kind in rules.manifest.composed:
        return Act(kind, card, composed(rules.manifest.composed[kind], groups, names), effect)
    picks = read_picks(groups, option, offer, names)
    return Act(kind, card, picks, option.effect if option else effect)


def _verb(text: str, rules: Rulebook, offer: Offer | None, free: bool) -> tuple[str, str]:
    kinds = {word.name for word in rules.manifest.acts}
    offered = {option.kind for option in offer.options} if offer else set()
    for kind in sorted(kinds | offered, key=len, reverse=True):
        for spelling in (kind, kind.replace("-", " ")):
            if text == spelling or text.startswith(spelling + " "):
                return kind, text[len(spelling) :].strip()
    word, _, rest = text.partition(" ")
    starting = sorted(kind for kind in offered or kinds if kind.startswith(word))
    if not starting and "unknown" in offered:  # a card that nobody has named may do anything
        starting = sorted(kind for kind in kinds if kind.startswith(word))
    if len(starting) == 1 and word:
        return starting[0], rest.strip()
    if free and re.fullmatch(r"[a-z-]+", word):
        return word, rest.strip()
    known = joined(", ", sorted(offered or kinds))
    raise BadText(
        phrase(
            "{word!r} is not one of: {known}{near}",
            word=word,
            known=known,
            near=meant(word, offered | kinds),
        )
    )


def verbs(text: str, rules: Rulebook, offered: Iterable[str]) -> set[str]:
    """The kinds of acts that a text may begin with; if any of the offered, only that.

    Raises `BadText` if there is none.
    """
    kinds = [word.name for word in rules.manifest.acts]
    try:
        return {_verb(text.strip(), rules, Offer(tuple(map(Option, offered))), False)[0]}
    except BadText:
        word = text.strip().partition(" ")[0]
        found = {kind for kind in kinds if word and kind.startswith(word)}
        if not found:
            raise BadText(
                phrase(
                    "{word!r} is not one of: {known}", word=word, known=joined(", ", sorted(kinds))
                )
            ) from None
        return found


def what_follows(kind: str, rules: Rulebook) -> str:
    """The parts after a verb, by its label in the manifest: a card, picks, a place or nothing."""
    label = rules.manifest.label("acts", kind)
    for mark, shape in (("{place}", "place"), ("{card}", "card"), ("{}", "picks")):
        if mark in label:
            return shape
    return "card"


def _is_place(text: str, rules: Rulebook) -> bool:
    word = text.split(" ")[0].rpartition(".")[2].partition("/")[0]
    return any(zone.name == word for zone in rules.manifest.zones)


def place_of(text: str, rules: Rulebook, seat: int) -> str:
    """The place that `trash`, `B.trash` or `trash/1` names; one's own without a seat."""
    letter, dot, zone = text.rpartition(".")
    name, _, number = zone.partition("/")
    declared = next((z for z in rules.manifest.zones if z.name == name), None)
    if declared is None:
        known = joined(", ", (z.name for z in rules.manifest.zones))
        raise BadText(phrase("{name!r} is no zone; there are {known}", name=name, known=known))
    if declared.shared:
        return name
    whose = int(number) if number else SEATS.index(letter) if dot else seat
    return f"{name}/{whose}"


def _place_act(kind: str, rest: str, names: Names) -> Act:
    word, _, cards = rest.partition(" ")
    place = place_of(word, names.rules, names.seat)
    refs: list[Ref] = []
    for item in listed(cards):
        zone = names.p.zone(place)
        refs.append(names.find(item, [n for n in zone if n not in refs] or zone))
    return Act(kind, place, (tuple(refs),) if refs else ())


def _direct(
    kind: str, head: str, groups: list[tuple[str, str]], options: list[Option],
    offer: Offer | None, names: Names,
) -> Act:  # fmt: skip
    """Acts that consist of picks alone: `choose A, B`."""
    if head:
        groups = [("", head), *groups]
    option = options[0] if options else None
    picks = read_picks(groups, option, offer, names)
    return Act(kind, option.card if option else 0, picks, option.effect if option else "")


def picks_of(text: str, rules: Rulebook, offer: Offer) -> str:
    """The rest of a text besides the verb and the card that acts; "" if nothing."""
    kind, rest = _verb(text.strip(), rules, offer, False)
    options = [option for option in offer.options if option.kind == kind]
    head, groups = split_picks(rest, options, rules)
    parts = [f"{lead} {items}".strip() for lead, items in groups]
    return " ".join(parts if what_follows(kind, rules) == "card" else [head, *parts]).strip()


def what_is_named(text: str, rules: Rulebook) -> tuple[str, list[str]]:
    """The verb of a text and all that it names, independent of the table; raises `BadText`."""
    kind, rest = _verb(text.strip(), rules, None, False)
    head, groups = split_picks(rest, [], rules)
    return kind, [item for part in (head, *(picks for _, picks in groups)) for item in listed(part)]


def subject(text: str, rules: Rulebook) -> str:
    """A text without its picks: the verb, and the card that acts."""
    kind, rest = _verb(text.strip(), rules, None, True)
    if what_follows(kind, rules) != "card":
        return text
    return f"{kind} {split_picks(rest, [], rules)[0]}"


def _subject(
    text: str, options: list[Option], names: Names, hidden: Sequence[Ref] = ()
) -> tuple[Ref, str]:
    """The card that acts, and the effect if one is named after it; maybe one of the unknown."""
    scope = [*(option.card for option in options), *hidden]
    head, _, last = text.rpartition(" ")
    cards = [option.card for option in options]
    unclear: BadText | None = None
    for seen in (*filter(None, (cards if text.startswith(UNKNOWN) else (), scope)), ()):
        for name, effect in ((text, ""), (head, last)):
            try:
                with_it = found_in(names, name, seen)
            except BadText as bad:
                if not effect:
                    raise
                unclear = unclear or bad  # it may be no effect but part of a card's name
                continue
            if with_it is not None and with_it in (names.named or ()):
                return with_it, printed(with_it, effect, names)
            if with_it is not None and (not effect or effect_of(with_it, effect, options, names)):
                return with_it, effect_of(with_it, effect, options, names)
    if unclear is not None and found_in(names, text, ()) is None:
        raise unclear
    return names.find(text, scope, own=True), ""


# -- writing ---------------------------------------------------------------------------------------


def write(
    act: Act,
    p: Position,
    rules: Rulebook,
    seat: int,
    offer: Offer | None = None,
    apart: str = "",
    kept: Collection[Ref] = (),
) -> str:
    """The text of an act; with the offer it answers, `parse` reads the same act from it.

    `apart`: hidden cards are called by their names alone, or by their zones as well, and others as
    though the hidden were not there: for readers who do not know them. Picks among `kept` are never
    left out.
    """
    names = Names(p, rules, seat, apart=apart)
    shape = what_follows(act.kind, rules)
    words = [act.kind.replace("-", " ")]
    if shape == "place":
        place = str(act.card)
        mine = seat_of(place) in (seat, -1)
        words.append(zone_of(place) if mine else f"{SEATS[seat_of(place)]}.{zone_of(place)}")
        words += [_list(picked, names, p.zone(place)) for picked in act.picks]
        return " ".join(words)
    options = [option for option in offer.options if option.kind == act.kind] if offer else []
    option = next((o for o in options if o.card == act.card and act.effect in ("", o.effect)), None)
    if shape == "card" and act.card:
        words.append(names.name(act.card, [o.card for o in options]))
        several = [o for o in options if o.card == act.card]
        if len({o.effect for o in several}) > 1 or (act.effect and not options):
            words.append(effect_word(act.effect, several))
    words += _written(act, option, offer, names, shape, kept)
    return " ".join(word for word in words if word)


def _written(
    act: Act,
    option: Option | None,
    offer: Offer | None,
    names: Names,
    shape: str,
    kept: Collection[Ref] = (),
) -> Iterator[str]:
    if option is None or offer is None:
        for at, picked in enumerate(act.picks):
            if any(isinstance(ref, str) and ref.startswith("[") for ref in picked):
                yield f"{TEXT_LEAD.strip()} {picked[0]}"
                continue
            lead = "" if shape == "picks" and at == 0 else "->"
            yield f"{lead} {_list(picked, names, ())}".strip()
        return
    whole = completed(offer, option, dict(enumerate(act.picks[: len(option.parts)])))
    left = left_out(act, option, offer, names.rules, kept)
    for at, part in enumerate(option.parts):
        if at in left:
            continue
        picked, lead = whole[at], _lead(part, act.kind)
        direct = shape == "picks" and at == 0
        pool = offer.pools[part.pool] if part.pool >= 0 else ()
        listed = (
            ", ".join(map(str, picked)) or NONE
            if part.pool < 0
            else _list(picked, names, pool, part)
        )
        yield listed if direct else f"{lead} {listed}"


def left_out(
    act: Act, option: Option, offer: Offer, rules: Rulebook, kept: Collection[Ref] = ()
) -> set[int]:
    """The parts of an act that its text leaves out: they get their default picks."""
    label = rules.manifest.label("acts", act.kind)
    direct = what_follows(act.kind, rules) == "picks"
    if joint(option):  # then the default of one part depends on the picks of others
        return set()
    usual = completed(offer, option)
    whole = completed(offer, option, dict(enumerate(act.picks[: len(option.parts)])))
    return {
        at
        for at, part in enumerate(option.parts)
        if whole[at] == usual[at]
        and not {*whole[at]}.intersection(kept)
        and not (direct and at == 0)
        and _lead(part, act.kind) == part.name
        and f"{{{part.name}}}" not in label
    }


def _lead(part: Part, kind: str) -> str:
    for lead, name in LEADS.items():
        if part.name == name:
            return lead
    return "->" if part.name == kind else part.name


def _list(
    picked: Iterable[Ref], names: Names, pool: Sequence[Ref], part: Part | None = None
) -> str:
    """Names one after the other, each in what the ones before it left of the pool."""
    before: list[Ref] = []
    words = []
    for ref, same in groupby(picked):
        name, n = names.name(ref, remaining(part, pool, before) or pool), len([*same])
        words += [f"{n} {name}"] if n > 1 and cap_of(part) > 1 else [name] * n
        before += [ref] * n
    return ", ".join(words) or NONE
