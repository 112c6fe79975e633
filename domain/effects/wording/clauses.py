"""The clauses and costs of a text, as phrases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from domain.effects.instructions.lasting import AtLast
from domain.effects.language.asked import fields_of
from domain.effects.language.vocabulary import Clause, Cost
from domain.effects.wording import groups
from domain.effects.wording.phrasebook import Words
from domain.words.phrases import Phrase, filled, joined, phrase, trimmed

_JOINS = {
    "sentence": phrase("{what}"),
    "then": phrase("then {what}"),
    "if so": phrase("if that was done, {what}"),
    "after all": phrase("if all of that was done, {what} afterwards"),
    "must": phrase("{what}, or else neither of the two"),
}


def sentence(w: Words, clauses: Sequence[Clause]) -> str:
    """Clauses in their order."""
    return joined(phrase("; "), [clause(w, one) for one in clauses])


def clause(w: Words, one: Clause) -> str:
    """One clause, with its conditions and how it hangs on the one before it."""
    found = _one_of(w, one) if one.options else _instruction(w, one)
    for text in _more(w, one):
        found = phrase("{what} {more}", what=found, more=text)
    if one.may:
        found = phrase("you may choose to {what}", what=found)
    found = filled(_JOINS[one.join], what=found)
    if one.when:
        wanted = groups.conditions(w, one.when)
        found = phrase("if {conditions}, {what}", conditions=wanted, what=found)
    return found


def _one_of(w: Words, one: Clause) -> str:
    names = one.value if isinstance(one.value, list) else [str(n + 1) for n in range(99)]
    ways = [
        phrase("({name}) {what}", name=_value(w, name), what=sentence(w, way))
        for name, way in zip(names, one.options, strict=False)
    ]
    text = w.own(one.phrases.get(one.key, one.phrases[""]))
    if len(one.options) == 1:
        return filled(text, ways=sentence(w, one.options[0]))
    return filled(text, ways=joined(phrase(", "), ways))


def _instruction(w: Words, one: Clause) -> str:
    phrases = {"": phrase("{cards}"), **one.phrases}
    kind = next((kind for kind in _variants(one) if kind in phrases), "")
    place, orient = _field(one, "source"), one.orient
    return filled(
        w.own(phrases[kind]),
        cards=_targets(w, one),
        n=_number(w, one),
        key=_key(w, one),
        place=_place(w, one),
        source=w.zone(place) if place else "",
        using=groups.cards(w, one.using) if one.using is not None else "",
        rider=groups.cards(w, rider) if (rider := _field(one, "rider")) is not None else "",
        value=_value(w, one.value),
        effect=one.effect,
        orient=w.of("values", orient) if orient else "",
        token=w.card(_field(one, "token") or ""),
    )


def _field(one: Clause, field: str) -> Any:
    """The value of a field that an instruction may lack."""
    return getattr(one, field, None)


def _variants(one: Clause) -> list[str]:
    """By what the phrase of an instruction may differ, the narrowest first."""
    value = one.value if isinstance(one.value, str) else ""
    found = [value and f"{one.key}/{value}", one.key, _field(one, "by"), value]
    found += [_field(one, "onto"), "defined" if isinstance(one.value, dict) else ""]
    if _field(one, "source"):
        found += [*(["source/place"] if one.place else []), f"{one.key}/source", "source"]
    elif one.place:
        found = [f"{one.key}/place", "place", *found]
    if _field(one, "rider") is not None:
        found.append("rider")
    if one.place == "deck" or _field(one, "at") == "bottom":
        found.append(_field(one, "at"))
    if one.orient:
        found.append("orient")
    return [kind for kind in found if kind]


def _targets(w: Words, one: Clause) -> str:
    if one.choose is not None:
        return groups.chosen(w, one.choose)
    if one.to is not None:
        unseen = one.from_stack and w.is_unseen(one.to.zone) and not one.to.top
        return groups.whole(w, replace(one.to, top=one.n) if unseen else one.to)
    return phrase("this card") if one.on_itself else phrase("them")


def _number(w: Words, one: Clause) -> str:
    by = _field(one, "by")
    if by == "multiply":
        return Phrase(str(one.value or one.n))
    if one.per is not None:
        found = groups.counted(w, abs(one.n), one.per)
        less = phrase("−({n})") if one.n < 0 else phrase("+({n})")
        return filled(less, n=found) if by == "add" else found
    if one.times:
        return phrase("X") if one.n == 1 else phrase("{n} × X", n=one.n)
    return Phrase(f"+{one.n}" if by == "add" and one.n > 0 else str(one.n).replace("-", "−"))


def _key(w: Words, one: Clause) -> str:
    """The figure, keyword, act, counter or place that a clause names, by what its field holds."""
    cls: Any = type(one)
    kind = next((f.of.kind for f in fields_of(cls) if f.name == "key"), "")
    if not one.key or not kind:
        return Phrase(one.key)
    match kind:
        case "figure":
            return w.figure(one.key)
        case "keyword" | "keyword or texts" if w.has("keywords", one.key):
            value = "" if one.value is True or one.value is None else str(one.value)
            if one.per is not None and isinstance(one.value, int):
                value = groups.counted(w, one.value, one.per)
            return trimmed(filled(w.of("keywords", one.key), n=value))
        case "keyword":
            return phrase("the {key} {value}", key=w.figure(one.key), value=_value(w, one.value))
        case "duty" | "damage":
            return w.of("can", one.key)
        case "act":
            of_player = f"player/{one.key}"
            of_whom = one.to is not None and one.to.zone == "player" and w.has("can", of_player)
            return w.of("can", of_player if of_whom else one.key)
        case "counter":
            return w.of("counters", one.key)
        case "zone":
            return phrase("the {zone}", zone=w.zone(one.key))
    return Phrase(one.key)


def _place(w: Words, one: Clause) -> str:
    if one.of_zone == "deck" and not one.place:
        return phrase("your deck")
    return phrase("the {zone}", zone=w.zone(one.place)) if one.place else ""


def _value(w: Words, value: object) -> str:
    if isinstance(value, str) and value:
        return w.of("values", value) if w.has("values", value) else Phrase(value)
    if isinstance(value, dict):
        return groups.described(w, value)
    return Phrase("" if value is None or isinstance(value, bool | list) else str(value))


def _more(w: Words, one: Clause) -> list[str]:
    """The parts of a clause that its phrase has no place for: how, against whom, until when."""
    found = list[str]()
    places = "".join(one.phrases.values())
    if _field(one, "reveal"):
        found.append(phrase("(shown to all)"))
    if _field(one, "random"):
        found.append(phrase("at random"))
    if one.orient and "{orient}" not in places:
        found.append(phrase("({orient})", orient=w.of("values", one.orient)))
    if one.place and "{place}" not in places:
        found.append(phrase("(to the {zone})", zone=w.zone(one.place)))
    if one.against is not None:
        found.append(phrase("(as to {cards})", cards=groups.cards(w, one.against)))
    if one.using is not None and "{using}" not in places:
        found.append(phrase("(with {cards})", cards=groups.cards(w, one.using)))
    if _field(one, "most"):
        found.append(phrase("(of {n} or less)", n=_field(one, "most")))
    if _field(one, "once"):
        found.append(phrase("(the next time alone)"))
    if _field(one, "who") == "owner":
        found.append(phrase("(their owner picks)"))
    if one.layer:
        found.append(w.of("values", f"layer/{one.layer}"))
    if one.until:
        found.append(_until(w, one))
    return found


def _until(w: Words, one: Clause) -> str:
    due = isinstance(one, AtLast)
    found = w.of("until", f"at/{one.until}" if due else one.until)
    if one.whose:
        text = {
            "yours": phrase("{when} (in your turn)"),
            "theirs": phrase("{when} (in your opponent's turn)"),
        }.get(one.whose, phrase("{when} (in its controller's turn)"))
        found = filled(text, when=found)
    if one.nth > 1:
        found = phrase("{when}, the {n}. time that this comes", when=found, n=one.nth)
    return found


def cost(w: Words, one: Cost) -> str:
    """The cost, as a phrase."""
    of = groups.cards(w, one.of) if one.of is not None else phrase("your cards")
    n: str = phrase("X") if one.x else groups.counted(w, one.n, one.per)
    key = w.of("counters", one.key) if one.do.startswith("take") else one.key
    if one.do == "oath" and one.key:
        key = w.of("can", one.key)
    name = f"{one.do}/of" if one.of is not None and w.has("costs", f"{one.do}/of") else one.do
    found: str = filled(w.of("costs", name), n=n, cards=of, key=key)
    if one.noted:
        text = phrase("{cost} (X is their {figure})")
        found = filled(text, cost=found, figure=w.figure(one.noted))
    return found
