"""What the effects of cards were made of: rows of `lists/sources/*.tsv`, a card a line.

A row has the digest of the normal text (SHA-256, hex) that the effects of the card say: where the
text of a card has another, its data are to be made again. Why some are made by hand stands there,
too. Nothing that is played needs these files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import astuple

#: A printed text, by a grammar; by hand, for a reason; not at all: it is declared when it is
#: played; and a card without a text.
PRINT, HAND, DECLARED, NOTHING = "print", "hand", "declared", "-"
#: Where the files lie in the folder of a game.
FOLDER = Path("lists") / "sources"


class Source(Struct, frozen=True):
    """What the effects of a card were `made` of, the digest of its text, why it was done so."""

    id: str
    made: str
    digest: str = ""
    why: str = ""


_HEAD = "\t".join(Source.__struct_fields__)


@cache
def known(game: Path) -> Mapping[str, Source]:
    """The rows of a game, by card, from its folder."""
    found: dict[str, Source] = {}
    for file in sorted((game / FOLDER).glob("*.tsv")):
        _, *lines = file.read_text("utf-8").splitlines()
        found |= {row[0]: Source(*row) for row in (line.split("\t") for line in lines)}
    return found


def laid_out(rows: Iterable[Source]) -> str:
    """The text of a file with these rows, in order of their ids."""
    lines = ("\t".join(astuple(row)) for row in sorted(rows, key=lambda row: row.id))
    return "\n".join([_HEAD, *lines, ""])
