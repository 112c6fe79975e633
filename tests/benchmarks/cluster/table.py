"""A match on several servers, whose commands are sent to whichever is wanted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import grpc
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.match_service_pb2_grpc import MatchServiceStub

from service.client.client import opened as read_tokens
from tests.benchmarks.service_commands import DECKS, GAME, Played, bearer
from tests.support import serving
from tests.support.serving import Running

OWN = [("grpc.use_local_subchannel_pool", 1)]


@contextmanager
def servers(url: str, n: int, folder: Path, **settings: Any) -> Iterator[list[Running]]:
    """So many servers on one database; their keys are in a folder. `{n}` is a server's number."""
    with ExitStack() as stack:
        found = []
        for number in range(n):
            more = {name: value.format(n=number) if isinstance(value, str) else value
                    for name, value in settings.items()}  # fmt: skip
            running = serving.start(folder / "matches.kifu", forked=False, store=url, **more)
            stack.callback(running.kill)
            found.append(running)
        yield found


class Table:
    """A match that was played in advance, to be sent command by command."""

    def __init__(self, running: Sequence[Running], played: Played) -> None:
        self._channels = [grpc.insecure_channel(one.address, OWN) for one in running]
        self.stubs = [MatchServiceStub(channel) for channel in self._channels]
        request = pb.OpenMatchRequest(
            game=GAME, seats=["A", "B"], decks=[pb.DeckChoice(name=name) for name in DECKS],
            seed=played.seed,
        )  # fmt: skip
        response = self.stubs[0].OpenMatch(request, metadata=bearer(running[0].token))
        self.match = read_tokens(response.match.id, response.tokens)
        self.last = int(response.match.entries)
        self._left = iter(played.commands)

    def command(self, at: int = 0) -> int:
        """Carry out the next command on a server; the last entry."""
        seat, command = next(self._left)
        command.match_id = self.match.id
        done = self.stubs[at].Choose(command, metadata=bearer(self.match.seats[seat]))
        self.last = int(done.last_seq)
        return self.last

    def watch(self, at: int) -> Any:
        """The entries that come from now on, as the public gets them from a server."""
        request = pb.WatchEventsRequest(match_id=self.match.id, after_seq=self.last)
        return self.stubs[at].WatchEvents(request, metadata=bearer(self.match.public))

    def close(self) -> None:
        """Leave all servers."""
        for channel in self._channels:
            channel.close()
