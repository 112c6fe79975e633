"""Later editions of a game's book: what its manifest says otherwise.

How an edition numbers the rules that code cites is in `record.schema.citations`; where the books
mean different things, the game's own code looks at a setting.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from domain.record.schema.citations import NUMBERS, Numbers, Rule
from domain.record.schema.manifest import Manifest, Word, Zone


def later(
    first: Manifest,
    edition: str,
    old: Mapping[str, Rule],
    new: Mapping[str, Rule],
    **words: tuple[Word | Zone, ...],
) -> Manifest:
    """The manifest of a later edition, given that of the first and both rule indexes.

    `words`: those that it adds, by the lists of the manifest that they belong to; one that is there
    already it declares otherwise.
    """
    game = f"{first.game}@{edition}"
    version = first.version.replace(first.game, game, 1)
    NUMBERS[game] = Numbers(edition, old, new)
    more = {
        kind: tuple({one.name: one for one in (*getattr(first, kind), *added)}.values())
        for kind, added in words.items()
    }
    return replace(first, game=game, title=f"{first.title} {edition}", version=version, **more)
