"""The last section of SCENARIOS.md: every word that a scenario may use, from where it is declared.

`kifu scenario --words` prints it; a test holds the page against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from inspect import cleandoc

from domain.games.kit.game import Game
from domain.officials.acts import ACTS
from domain.record.entries import TYPES, name_of
from domain.record.schema.manifest import Word
from domain.record.schema.wording import sorts_of
from domain.text import desk, fixes
from domain.text.picks import LEADS

#: How the page's section begins.
HEADING = "## All words"

_INTRODUCTION = """\
Events, with the fields that a pattern may name (`n=2`); what is in a field of cards goes by name,
in one of zones as `A hand`, in one of seats by letter. Then the acts of officials, and the fixes of
a correction. Then, game by game, the words of its manifest and of its card texts. A verb stands
with what may follow it, in this order: the card that it is done with, one of its effects if it has
several, its parts (`…`: the picks of one).
"""
#: The lists of a game, by what they are called here.
_LISTS = (
    ("zones", "zones"), ("steps", "steps"), ("parts", "parts of an act"),
    ("decisions", "decisions"), ("reasons", "reasons"), ("outcomes", "outcomes"),
    ("marks", "marks"), ("counters", "counters"), ("stats", "figures"), ("roles", "roles"),
    ("durations", "durations"), ("frames", "frames"), ("chances", "chance"),
    ("damages", "damage"), ("declarations", "declared acts"), ("attempts", "not done"),
)  # fmt: skip


def reference(games: Iterable[Game]) -> str:
    """The section, in Markdown."""
    return "\n".join([HEADING, "", _INTRODUCTION, *_events(), *_officials(), *_games(games)])


def parts(rules: Game, kind: str) -> tuple[str, ...]:
    """The names of the parts of an act, if its row has them."""
    row = rules.acts.rows.get(kind)
    if row is None:
        return ()
    return row.parts or tuple(pick.name for pick in row.picks if pick.parts is not None)


def usage(rules: Game, word: Word) -> str:
    """How an act is typed: `pair CARD with … pay …`, `choose …`, `pass`."""
    row, leads = rules.acts.rows.get(word.name), {part: lead for lead, part in LEADS.items()}
    typed = [word.name]
    if "{card}" in word.label:
        typed += ["CARD", "EFFECT"] if row is not None and row.texts is not None else ["CARD"]
    typed += ["ZONE"] if "{place}" in word.label else []
    named = parts(rules, word.name)
    alone = "{}" in word.label and len(named) < 2
    typed += ["…"] if alone else [f"{leads.get(part, part)} …" for part in named]
    return " ".join(typed)


def _events() -> Iterator[str]:
    yield "| event | fields |"
    yield "|---|---|"
    for event in TYPES.values():
        fields = (f"{field}: {' or '.join(sorts)}" for field, sorts in sorts_of(event).items())
        yield f"| `{name_of(event)}` | {' · '.join(fields)} |"
    yield ""


def _officials() -> Iterator[str]:
    """What may follow `@ desk`, and `-f` of a correction."""
    yield "| `@ desk` | |"
    yield "|---|---|"
    for name, act in ACTS.items():
        if name not in desk.WITH_STORE:
            meaning = cleandoc(act.__doc__ or "").partition("\n")[0]
            yield f"| `{desk.usage(name)}` | {meaning} |"
    yield ""
    yield "| `-f` | |"
    yield "|---|---|"
    for typed, means in fixes.notation():
        escaped = typed.replace("|", "\\|")
        yield f"| `{escaped}` | {means} |"
    yield ""


def _games(games: Iterable[Game]) -> Iterator[str]:
    for rules in games:
        yield f"### {rules.manifest.title} (`game {rules.manifest.name}`)"
        yield ""
        yield "| | |"
        yield "|---|---|"
        words = rules.words
        lists = [
            ("verbs", [usage(rules, word) for word in rules.manifest.acts]),
            *((title, list(rules.manifest.words(kind))) for kind, title in _LISTS),
            ("occurrences", sorted(words.occurrences)),
            ("timings", sorted(words.timings)),
            ("keywords", sorted(words.keywords)),
            ("instructions", sorted(words.instructions)),
        ]
        for title, listed in lists:
            if listed:
                yield f"| {title} | {', '.join(f'`{word}`' for word in listed)} |"
        yield ""
