"""Remove from a printed text what says nothing: reminders, spacing, kinds of dots.

What is removed, and why, is a table a game and language: rows of a pattern, its replacement and the
reason, applied in order. The digest of a text is of what is left, so that an erratum is noticed and
a mended space is not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256

Normal = Callable[[str], list[str]]
_SENTENCE = re.compile(r"(^|[.:：】■] ?|[.] \")([A-Z])(?=[a-z])", re.MULTILINE)


def normal(table: str) -> Normal:
    """Makes the lines of a text out of it, by a table of three columns: pattern, text, reason."""
    rows = []
    for line in table.splitlines():
        if line and not line.startswith("#"):
            pattern, text, _reason = line.split("\t")
            rows.append((re.compile(pattern, re.MULTILINE), text.replace("\\n", "\n")))

    def lines(text: str) -> list[str]:
        for pattern, replacement in rows:
            text = pattern.sub(replacement, text)
        return [small(line) for line in text.split("\n") if line]

    return lines


def small(line: str) -> str:
    """A line whose sentences begin with small letters: they do elsewhere in a sentence, too."""
    return _SENTENCE.sub(lambda found: found[1] + found[2].lower(), line)


def digest(lines: list[str]) -> str:
    """SHA-256 of a normal text, hex."""
    return sha256("\n".join(lines).encode()).hexdigest()
