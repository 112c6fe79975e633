"""The language of a call: its `accept-language`, if there are tables for it.

`LANGUAGE` is set while a call is answered (`guard`). Reasons and rules are the same in all.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any

from domain.words.tables import Language, language

LANGUAGE: ContextVar[Language | None] = ContextVar("language", default=None)


def requested(metadata: Iterable[tuple[str, Any]] | None) -> Language:
    """The language that the metadata of a call ask for; English where there is no better one."""
    tags = [str(value) for key, value in metadata or () if key == "accept-language"]
    return language(", ".join(tags))


def current() -> Language:
    """The language of the call that is being answered."""
    return LANGUAGE.get() or language("")
