"""Network namespaces: a server with a network card of its own, which can be pulled and disturbed.

What is sent while it is pulled is lost, and nobody is told, as between real machines. Where the
kernel has `netem`, packets are also delayed, lost and put out of order. It takes root and the `ip`
and `tc` of iproute2; where that can't be had (`available`) servers share the machine's network.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache

#: The first numbers of the addresses; each pair of cards has a net of its own.
NET = "10.213"
#: What is done to packets, as `tc` has it.
NETEM = "delay 40ms 30ms distribution normal loss 3% reorder 20% duplicate 1%"


class Namespace:
    """A network namespace with one card, on the other side of which is the machine."""

    def __init__(self, number: int) -> None:
        pid = os.getpid() % 1000
        self.name, self.card = f"kifu{pid}n{number}", f"kifu{pid}v{number}"
        net = f"{NET}.{number}"
        self.address, self.outside = f"{net}.2", f"{net}.1"
        _ip("netns", "add", self.name)
        _ip("link", "add", self.card, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        _ip("addr", "add", f"{self.outside}/24", "dev", self.card)
        _ip("link", "set", self.card, "up")
        _ip("-n", self.name, "addr", "add", f"{self.address}/24", "dev", "eth0")
        for card in ("lo", "eth0"):
            _ip("-n", self.name, "link", "set", card, "up")

    @property
    def prefix(self) -> list[str]:
        """What is put before a command that is to run here."""
        return ["ip", "netns", "exec", self.name]

    def pull(self) -> None:
        """Lose every packet."""
        _ip("link", "set", self.card, "down")

    def plug(self) -> None:
        """Lose none any more."""
        _ip("link", "set", self.card, "up")

    def disturb(self) -> None:
        """Delay packets, lose some, send some twice or out of order."""
        _tc("add", self.card, *NETEM.split())

    def calm(self) -> None:
        """Do so no more."""
        _tc("del", self.card)

    def close(self) -> None:
        """Take it down; what runs in it has ended."""
        subprocess.run(["ip", "netns", "del", self.name], check=False)


@cache
def available() -> bool:
    """Whether namespaces can be made here."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    try:
        Namespace(255).close()
    except subprocess.CalledProcessError:  # root of a container may be none of the network
        return False
    return True


@cache
def disturbable() -> bool:
    """Whether packets can be disturbed here."""
    if not available() or shutil.which("tc") is None:
        return False
    tried = Namespace(254)
    try:
        tried.disturb()
    except subprocess.CalledProcessError:
        return False
    finally:
        tried.close()
    return True


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def _tc(what: str, card: str, *more: str) -> None:
    kind = ["netem", *more] if more else []
    command = ["tc", "qdisc", what, "dev", card, "root", *kind]
    subprocess.run(command, check=True, capture_output=True)
