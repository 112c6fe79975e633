"""What others have done at an event since somebody looked, of what concerns his act.

Of two who do the same the second is asked whether he still wants to.
"""

from __future__ import annotations

from kifu.v1 import tournament_service_pb2 as pb

from domain.telling.tournament import sentence
from domain.tournament.state import State
from domain.words.phrases import phrase
from service import wire
from service.web.site import Site
from service.web.visitors import Visitor


async def news(
    site: Site,
    visitor: Visitor,
    s: State,
    seen: int,
    kinds: tuple[type, ...],
    field: str = "",
    about: str = "",
) -> tuple[str, ...]:
    """The entries of these kinds after the one that was `seen` last (0: not known), as sentences.

    With a `field`, those of which it says what the act is `about`.
    """
    if not 0 < seen < s.seq:
        return ()
    request = pb.ListTournamentEntriesRequest(event_id=s.id, after=seen)
    found = await site.ask(request, visitor.sender)
    entries = [wire.tournament_entry_of(one) for one in found.entries]
    return tuple(
        phrase("{what} ({who})", what=sentence(one.event, s), who=one.by)
        for one in entries
        if isinstance(one.event, kinds) and (not field or str(getattr(one.event, field)) == about)
    )
