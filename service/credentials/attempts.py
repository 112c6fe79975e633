"""Limits on codes that are tried and are none: for each address that they come from, and for all.

Each has so many attempts that it may use at once, and gets new ones over time. Whoever has none
left is refused without a look at what he tries, also if it would be right; so nothing can be
learned by trying more. What a right code has used is given back. What this leaves to guessing is
computed in CREDENTIALS.md.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from urllib.parse import unquote

#: Wrong codes from one address: so many at once, and so many an hour.
EACH, EACH_HOUR = 10, 60
#: The same from all together.
ALL, ALL_HOUR = 60, 200
#: Addresses that are remembered.
REMEMBERED = 10_000


class TooMany(Exception):
    """There are no attempts left; there is one again `after` so many seconds."""

    def __init__(self, after: float) -> None:
        super().__init__(f"try again after {after:.0f} s")
        self.after = after


class Bucket:
    """Attempts that are left, and come back over time."""

    def __init__(self, most: int, hourly: int, now: float) -> None:
        self._most, self._rate = most, hourly / 3600
        self._left, self._since = float(most), now

    def wait(self, now: float) -> float:
        """How long until there is one, in seconds; 0: there is."""
        self._left = min(self._left + (now - self._since) * self._rate, self._most)
        self._since = now
        return 0.0 if self._left >= 1 else (1 - self._left) / self._rate

    def take(self, n: int = 1) -> None:
        """Use some, or give them back (-1)."""
        self._left -= n


class Attempts:
    """The attempts of a service. The clock is one that nobody sets."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._all = Bucket(ALL, ALL_HOUR, clock())
        self._each: OrderedDict[str, Bucket] = OrderedDict()

    def use(self, peer: str) -> tuple[Bucket, ...]:
        """Use an attempt of somebody at an address, as gRPC writes it; raises `TooMany`.

        What is returned gets it back (`Bucket.take`) if he was right.
        """
        now, address = self._clock(), address_of(peer)
        own = self._each.pop(address, None) or Bucket(EACH, EACH_HOUR, now)
        self._each[address] = own
        if len(self._each) > REMEMBERED:
            self._each.popitem(last=False)
        buckets = (own, self._all)
        after = max(bucket.wait(now) for bucket in buckets)
        if after:
            raise TooMany(after)
        for bucket in buckets:
            bucket.take()
        return buckets


def address_of(peer: str) -> str:
    """Whose attempts they are: an address without its port; of IPv6 its network."""
    host = re.sub(r"^(ipv4|ipv6):|:\d+$", "", unquote(peer)).strip("[]").partition("%")[0]
    try:
        address = ip_address(host)
    except ValueError:
        return peer
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64))
    return host
