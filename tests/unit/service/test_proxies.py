"""Through a proxy a call is from whom the proxy says, if that is one of ours."""

from __future__ import annotations

import pytest

from service.api.calls.proxies import Proxies


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        ("ipv4:10.1.2.3:5000", "203.0.113.7", "ipv4:203.0.113.7:5000"),
        ("ipv4:10.1.2.3:5000", "127.0.0.1, 203.0.113.7", "ipv4:203.0.113.7:5000"),
        ("ipv4:10.1.2.3:5000", "2001:db8::1", "ipv6:[2001:db8::1]:5000"),
        ("ipv6:[::ffff:10.1.2.3]:5000", "203.0.113.7", "ipv4:203.0.113.7:5000"),
        ("ipv4:10.1.2.3:5000", "", "ipv4:10.1.2.3:5000"),
        ("ipv4:10.1.2.3:5000", "203.0.113.7, unknown", "ipv4:10.1.2.3:5000"),
        ("ipv4:192.0.2.1:5000", "203.0.113.7", "ipv4:192.0.2.1:5000"),
        ("unix:", "203.0.113.7", "unix:"),
    ],
)
def test_who_is_believed(peer: str, forwarded: str, found: str) -> None:
    assert Proxies(["10.0.0.0/8", "2001:db8::/64"]).connection(peer, forwarded) == found
    assert Proxies().connection(peer, forwarded) == peer
