"""Made-up parts of card texts that not every game takes up (`effects.language.words.NEWER`).

The texts they stand in are made up in `texts`; what they mean is on the page FURTHER.md of
`domain.effects`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from random import Random
from typing import Any

from domain.effects.language.words import Words

Data = dict[str, Any]
#: Makes up a group, or a filter.
Makes = Callable[[], Data]


def keys(words: Words) -> Mapping[str, Collection[str]]:
    """What instructions that a game has taken up may be about."""
    return {
        "place": words.counters,
        "take": words.counters,
        "roll": words.chances,
        "redirect": words.zones,
    }


def amount(words: Words, rng: Random, group: Makes) -> Data:
    """A number that is counted, one thing or another."""
    numbers = sorted(key for key, types in words.attributes.items() if int in types)
    made: Data
    match rng.choice(("cards", "cards", "sum", "different", "counter", "done", "noted")):
        case "sum" if numbers:
            take = rng.choice(("sum", "most", "least"))
            made = {"of": group(), "figure": rng.choice(numbers), "take": take}
        case "different":
            made = {"of": group(), "different": rng.choice(sorted(words.attributes))}
        case "counter" if words.counters:
            made = {"counter": rng.choice(sorted(words.counters))}
            made["whose"] = rng.choice(("yours", "theirs"))
        case "done":
            made = {"done": True}
        case "noted" if words.noted:
            made = {"noted": rng.choice(sorted(words.noted))}
        case _:
            made = {"of": group()}
    if rng.random() < 0.3:
        made |= {"over": 2, "up": rng.random() < 0.5, "plus": rng.choice((-1, 0, 1))}
    return made


def part(words: Words, rng: Random, group: Makes, filter_: Makes, name: str) -> Any:
    """A newer field of a group, a condition or a cost; None where its type says enough."""
    match name:
        case "like":
            return {"key": rng.choice(sorted(words.attributes)), "of": group()}
        case "during":
            return [rng.choice(sorted(words.steps))]
        case "rolled":
            return rng.sample(range(1, 7), 3)
        case "amount" | "than" | "per":
            return amount(words, rng, group)
        case "answers":
            made: Data = {"kind": rng.sample(sorted(words.answered), 1)} if words.answered else {}
            return made | rng.choice(({}, {"whose": "theirs"}, {"match": filter_()}))
    return None
