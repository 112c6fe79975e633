"""Where calls over gRPC came from, if a proxy passed them on.

The proxies whose word counts are named (`Settings.proxies`). Each says where a call came from at
the end of `x-forwarded-for`: what a client writes there himself comes before, and is believed by
nobody. Over HTTP the server of the pages does the same (`service.web.running`).
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network

from service.credentials.attempts import address_of


class Proxies:
    """The proxies in front, by address or network; raises `ValueError` if one is neither."""

    def __init__(self, named: Sequence[str] = ()) -> None:
        self._networks = [ip_network(one, strict=False) for one in named]

    def connection(self, peer: str, forwarded: str) -> str:
        """By which connection a call came, as gRPC writes it: `peer`, unless that is a proxy's.

        The port remains the proxy's, so that the people behind one address stay apart.
        """
        if not self._networks or not forwarded:
            return peer
        try:
            proxy = ip_address(address_of(peer))
            if not any(proxy in network for network in self._networks):
                return peer
            client = ip_address(forwarded.rpartition(",")[2].strip())
        except ValueError:
            return peer
        host = f"ipv6:[{client}]" if isinstance(client, IPv6Address) else f"ipv4:{client}"
        return f"{host}:{peer.rpartition(':')[2]}"
