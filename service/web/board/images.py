"""Pictures of cards, where an organiser has a folder of them: `GAME/CARD.webp`, `.png` or `.jpg`.

What is asked for is looked up among the files that are there, and those by the cards that the
catalogue has: no path is ever made of what somebody sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

#: The address of a picture of a card, by its id; empty: none.
Images = Callable[[str], str]
#: The kinds of files, the best first.
KINDS = {
    ".webp": "image/webp",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
}


def pictures(folder: Path | None, game: str, cards: Iterable[str]) -> Mapping[str, Path]:
    """The pictures of a game's cards, by card. A folder that can't be read has none."""
    if folder is None:
        return {}
    try:
        changed = (folder / game).stat().st_mtime_ns
        return _listed(folder / game, changed, frozenset(cards))
    except OSError:
        return {}


def images(folder: Path | None, game: str, cards: Iterable[str]) -> Images:
    """Says where a picture of a card is served."""
    found = pictures(folder, game, cards)
    return lambda card: f"/images/{game}/{quote(card, safe='')}" if card in found else ""


def no_images(card: str) -> str:
    """Where nobody has a picture of any card."""
    return ""


@lru_cache(maxsize=16)
def _listed(folder: Path, changed: int, cards: frozenset[str]) -> Mapping[str, Path]:
    """The files of a folder as it was when it last changed."""
    order = [*KINDS]
    files = [one for one in folder.iterdir() if _is_picture(one)]
    files.sort(key=lambda one: order.index(one.suffix), reverse=True)
    return {one.stem: one for one in files if one.stem in cards}


def _is_picture(file: Path) -> bool:
    """Whether a file is called a picture, and so is what it leads to if it is a link.

    Else a link that came with somebody's pictures could show any file of the machine.
    """
    try:
        return file.suffix in KINDS and file.is_file() and file.resolve().suffix in KINDS
    except (OSError, RuntimeError):  # it leads in a circle
        return False
