"""How short codes are written: `7K2M-9QXR`, in letters that are not confused.

A code has eight letters of Crockford's base 32. Seven are drawn; the last follows from them, so
that one letter that is wrong, or two that changed places, are noticed without asking anybody. Codes
may be typed in small letters, with O for 0, I or L for 1, and without the hyphen.
"""

from __future__ import annotations

import re
import secrets

#: Crockford's letters: no I, L, O and U.
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
SIZE, DRAWN = 8, 7
#: How many codes there are.
CODES = len(LETTERS) ** DRAWN
_READ = str.maketrans("OIL", "011", "- ")
_LINK = re.compile(r"(?P<scheme>[a-z]+)://(?P<server>[^/#\s]+)[^#\s]*#(?P<code>\S+)", re.IGNORECASE)
#: Links that name a server of Kifu's, and whether it speaks TLS.
_SCHEMES = {"kifu": False, "kifus": True}


class Mistyped(ValueError):
    """A text that can be no code: a letter or more is wrong."""


def new() -> str:
    """A new code."""
    return _whole([secrets.randbelow(32) for _ in range(DRAWN)])


def read(text: str) -> str:
    """A code as it is written, however it was typed; raises `Mistyped`."""
    letters = text.strip().upper().translate(_READ)
    if len(letters) != SIZE or any(letter not in LETTERS for letter in letters):
        raise Mistyped(text)
    values = [LETTERS.index(letter) for letter in letters]
    whole = _whole(values[:DRAWN])
    if whole.replace("-", "") != letters:
        raise Mistyped(text)
    return whole


def looks_like(text: str) -> bool:
    """Whether somebody means a code by this, right or wrong, or the link to one."""
    text = in_link(text) or text
    letters = text.strip().upper().translate(_READ)
    return len(letters) == SIZE and all(letter in LETTERS for letter in letters)


def in_link(text: str) -> str:
    """The code in a link; empty if it has none."""
    found = _LINK.fullmatch(text.strip())
    return found["code"] if found is not None else ""


def server_of(text: str) -> tuple[str, bool]:
    """The server that a link names, HOST:PORT, and whether it speaks TLS; empty: it names none."""
    found = _LINK.fullmatch(text.strip())
    if found is None or found["scheme"].lower() not in _SCHEMES:
        return "", False
    return found["server"], _SCHEMES[found["scheme"].lower()]


def link(address: str, code: str, *, tls: bool = False) -> str:
    """The link to a code: at a server, HOST:PORT, or at a page of the web.

    The code stands where no browser sends it to anybody.
    """
    if "://" in address:
        return f"{address}#{code}"
    return f"{'kifus' if tls else 'kifu'}://{address}/join#{code}"


def link_in_browser(web: str, code: str, language: str = "") -> str:
    """The link by which a browser is signed in with a code, at the pages of a service.

    With a `language` the page speaks that, whatever the browser prefers.
    """
    return f"{web.rstrip('/')}/in{f'?lang={language}' if language else ''}#{code}"


def _whole(drawn: list[int]) -> str:
    """Drawn letters and the one that follows from them.

    They are the coefficients of a polynomial over the field of 32 that is zero at its generator.
    """
    check = 0
    for value in drawn:
        check = _times_x(check ^ value)
    letters = "".join(LETTERS[value] for value in (*drawn, check))
    return f"{letters[:4]}-{letters[4:]}"


def _times_x(value: int) -> int:
    """A value times the generator, modulo x⁵ + x² + 1."""
    value <<= 1
    return value ^ 0b100101 if value & 32 else value
