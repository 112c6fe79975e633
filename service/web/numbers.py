"""Numbers in addresses (`{seq:number}`): without signs or leading zeros, and never long ones.

The framework's own take as many digits as somebody cares to send, and fail at thousands.
"""

from __future__ import annotations

from starlette.convertors import Convertor, register_url_convertor


class _Number(Convertor[int]):
    regex = "(?:0|[1-9][0-9]{0,8})"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


def register() -> None:
    """Have templates of routes know them."""
    register_url_convertor("number", _Number())
