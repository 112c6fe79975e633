"""Finds passwords in typed text and messages, and conceals them.

An address of a database or of NATS may have one, and may be typed where a file is meant, or
wrongly. So repeated input leaves out everything between a colon and an `@`, and the value of
`password=`.
"""

from __future__ import annotations

import re

#: What stands for what was left out.
HIDDEN = "…"
_BETWEEN = re.compile(r"(:)(?!\\)[^\s'\"]*(?=@)")
_VALUE = re.compile(
    r"(pass(?:word|wd)?(?:\s|%20)*(?:=|%3d)(?:\s|%20)*)('(?:[^'\\]|\\.)*'|[^\s'\"&]+)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:postgres(?:ql)?|nats|tls):\S*@", re.IGNORECASE)


def concealed(text: str) -> str:
    """A text without the passwords that are in it."""
    if "@" not in text and "pass" not in text.lower():
        return text
    return _VALUE.sub(rf"\1{HIDDEN}", _BETWEEN.sub(rf"\1{HIDDEN}", text))


def is_secret(text: str) -> bool:
    """Whether a text is an address, or what libpq takes for one, with a password in it."""
    return bool(_ADDRESS.search(text) or _VALUE.search(text))
