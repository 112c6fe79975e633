"""What the editions of the book differ in, beside numbers: a setting for each difference.

Code that carries out a chapter cites the first edition, and asks `settings` where a later one says
something else. What rules are called there follows from its index (`rules-1.9.tsv`,
`record.schema.citations.Numbers`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from domain.effects.select import Exact
from domain.record.position import Position

#: By what a Unit or a Base is deployed from hand.
PLAYED = MappingProxyType({"unit": "gcg:6-5-2-1-1", "base": "gcg:6-5-2-2-1"})


class Settings(Struct, frozen=True, kw_only=True):
    """The differences; each default is the first edition's way.

    `bursts_first`: Bursts come before all that waits (9-1-6-8); else in their group only, and what
    they set off before the Bursts that still wait (1.9: 10-1-6-8-1). `idle_repair`: Repair is
    activated without damage, too (1.9: 13-1-1-1). `trashing_destroys`: a text that puts a card from
    the field into the Trash destroys it, a Resource as well (1.9: 5-10-1). `targets`: what a target
    is and how the parts of a text hang together (1.9: 10-2-2-1, 5-20).

    What is only cited otherwise: the `steps` of playing a card (1.9: 7-5-2-2), by what each type is
    deployed (`deploys`), and why a `newcomer` does not attack.
    """

    bursts_first: bool = True
    idle_repair: bool = False
    trashing_destroys: bool = False
    targets: Exact | None = None
    #: a text that works once a turn stays unused where its only action is not carried out
    #: (reading:gcg@1.9/18)
    limit_unused: bool = False
    #: a name in a link condition is any name with that in it (1.9: 3-2-6-4)
    links_by_part: bool = False
    #: a paired Command is a "Command card", too, beside a "Pilot" (2-3-5-4-1-1; 1.9: 3-4-6-3)
    pilots_are_commands: bool = True
    #: a Pilot's texts marked `own`, or that name a place, stay its own (1.9: 3-3-9)
    pilots_keep_texts: bool = False
    #: tokens come from those outside the game, and go back there (1.9: 5-17-4)
    tokens_outside: bool = False
    #: When Linked and During Link are keywords, During Pair is one of any effect (1.9: 13-2-10 on)
    link_keywords: bool = False
    steps: Sequence[tuple[str, ...]] = ((), (), (), ())
    deploys: Mapping[str, str] = PLAYED
    newcomer: tuple[str, ...] = ()
    #: texts that ask whom an attack is on mean the target first declared (7-3-5-2), not the present
    #: one (reading:gcg@1.9/17)
    first_target: bool = True
    #: a card has its printed keywords wherever it lies, for texts that ask
    keywords_anywhere: bool = False
    #: texts may ask what has occurred in the turn so far
    remembers: bool = False
    #: texts may ask which cards are battling (1.9: 5-22)
    names_battling: bool = False


SETTINGS = {
    "gundam": Settings(),
    "gundam@1.9": Settings(
        bursts_first=False,
        idle_repair=True,
        trashing_destroys=True,
        targets=Exact(
            ("battle", "base", "resource", "trash"), ("gcg@1.9:5-20-1", "reading:gcg@1.9/4")
        ),
        links_by_part=True,
        tokens_outside=True,
        pilots_are_commands=False,
        pilots_keep_texts=True,
        link_keywords=True,
        limit_unused=True,
        steps=[(f"gcg@1.9:7-5-2-2-{n}",) for n in (1, 2, 3, 4)],
        deploys={"unit": "gcg@1.9:3-2-1", "base": "gcg@1.9:3-5-1"},
        newcomer=("gcg@1.9:3-2-4",),
        first_target=False,
        keywords_anywhere=True,
        names_battling=True,
        remembers=True,
    ),
}


def settings(p: Position) -> Settings:
    """The settings of the edition that a match is played by."""
    return SETTINGS[p.heading.game]
