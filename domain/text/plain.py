"""Names as they are compared. What is called what at a table is in `names`."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import normalize


@lru_cache(maxsize=16384)  # a game may have thousands of cards, and each command compares them
def plain(name: str) -> str:
    """A name as it is compared: no case, no typographical variants (`Ⅱ` is `II`)."""
    return " ".join(normalize("NFKC", name).casefold().split())
