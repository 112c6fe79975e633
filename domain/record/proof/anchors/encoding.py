"""Base64 and decimal numbers as signed texts have them: one form for each value, none else read."""

from __future__ import annotations

import binascii
import re


class Malformed(ValueError):
    """A text that is not of the form that it should have."""


def base64(data: bytes) -> str:
    """Standard base64 with its padding (RFC 4648, section 4)."""
    return binascii.b2a_base64(data, newline=False).decode()


def unbase64(text: str) -> bytes:
    """The bytes of a base64 text; raises `Malformed` for all but its one form."""
    try:
        data = binascii.a2b_base64(text.encode("ascii"), strict_mode=True)
    except ValueError as error:
        raise Malformed(f"no base64: {error}") from error
    if base64(data) != text:
        raise Malformed("base64 in another form than the one that its bytes have")
    return data


def number(text: str) -> int:
    """A number in decimal digits without leading zeros, below 2^63; raises `Malformed`."""
    if not re.fullmatch(r"0|[1-9][0-9]{0,18}", text) or int(text) >= 1 << 63:
        raise Malformed("no number, or one with leading zeros")
    return int(text)
