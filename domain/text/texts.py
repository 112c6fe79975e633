"""Which text of a card a word names, in the notation (`notation`), and which word names a text."""

from __future__ import annotations

from collections.abc import Sequence

from domain.record.decisions import Option
from domain.record.values import Ref
from domain.text.names import Names, Several


def printed(card: Ref, word: str, names: Names) -> str:
    """The effect of a card that is named only now; "" if it has none of that name."""
    id_ = (names.named or {}).get(int(card), "")
    effects = [effect.name for effect in getattr(names.cards.get(id_), "effects", ())]
    return f"{id_}/{word}" if word and word in effects else ""


def effect_of(card: Ref, word: str, options: list[Option], names: Names) -> str:
    """The effect of a card, or of one attached to it, that a word names; "" if there is none."""
    if not word:
        return ""
    meant = [
        option
        for option in options
        if option.card == card and word in (option.effect, option.effect.rpartition("/")[2])
    ]
    found = dict.fromkeys(option.effect for option in meant)
    if len(found) > 1:
        raise Several([effect_word(one, meant) for one in found])
    if found:
        return next(iter(found))
    if isinstance(card, int):
        object_ = names.p.card(card)
        for one in (card, *object_.attached):
            id_ = names.p.card(one).id
            for effect in getattr(names.cards.get(id_), "effects", ()):
                if word in (effect.name, f"{id_}/{effect.name}"):
                    return f"{id_}/{effect.name}"
    return ""


def effect_word(effect: str, several: Sequence[Option]) -> str:
    """The name of an effect, with its card's number where another has that name too."""
    short = effect.rpartition("/")[2]
    same = {o.effect for o in several if o.effect.rpartition("/")[2] == short}
    return effect if len(same) > 1 else short
