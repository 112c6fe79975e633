"""The last section of SCENARIOS.md: every word that a scenario may use, from where it is declared.

`kifu scenario --words` prints it; a test holds the page against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.effects.language.words import INSTRUCTIONS
from domain.games.kit.game import Game
from domain.record.entries import TYPES, name_of
from domain.record.schema.wording import FIELDS

#: How the page's section begins.
HEADING = "## All words"

_INTRODUCTION = """\
Events, with the fields that a pattern may name (`n=2`); what is in a field of cards goes by name,
in one of zones as `A hand`, in one of seats by letter. Then, game by game, the words of its
manifest and of its card texts.
"""
#: The lists of a game, by what they are called here.
_LISTS = (
    ("zones", "zones"), ("steps", "steps"), ("acts", "verbs"), ("parts", "parts of an act"),
    ("decisions", "decisions"), ("reasons", "reasons"), ("outcomes", "outcomes"),
    ("marks", "marks"), ("counters", "counters"), ("stats", "figures"), ("roles", "roles"),
    ("durations", "durations"), ("frames", "frames"), ("chances", "chance"),
    ("damages", "damage"), ("declarations", "declared acts"), ("attempts", "not done"),
)  # fmt: skip


def reference(games: Iterable[Game]) -> str:
    """The section, in Markdown."""
    return "\n".join([HEADING, "", _INTRODUCTION, *_events(), *_games(games)])


def _events() -> Iterator[str]:
    yield "| event | fields |"
    yield "|---|---|"
    for event in TYPES.values():
        fields = (f"{field}: {' or '.join(sorts)}" for field, sorts in FIELDS[event].items())
        yield f"| `{name_of(event)}` | {' · '.join(fields)} |"
    yield ""


def _games(games: Iterable[Game]) -> Iterator[str]:
    for rules in games:
        yield f"### {rules.manifest.title} (`game {rules.manifest.game}`)"
        yield ""
        yield "| | |"
        yield "|---|---|"
        words = rules.words
        instructions = {*INSTRUCTIONS, *words.instructions} - set(words.lacking)
        lists = [
            *((title, list(rules.manifest.words(kind))) for kind, title in _LISTS),
            ("occurrences", sorted(words.occurrences)),
            ("timings", sorted(words.timings)),
            ("keywords", sorted(words.keywords)),
            ("instructions", sorted(instructions)),
        ]
        for title, listed in lists:
            if listed:
                yield f"| {title} | {', '.join(f'`{word}`' for word in listed)} |"
        yield ""
