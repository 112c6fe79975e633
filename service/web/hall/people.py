"""What the hall's forms do about people: players are entered, lists taken in, officials named.

Each becomes a request of the API, as the acts on rounds and tables do (`acts`). A list is typed as
it is shown: its parts under their names in brackets, then `4 ST01-001`, a count and a card.
"""

from __future__ import annotations

from collections.abc import Mapping

from kifu.v1 import code_service_pb2 as codes
from kifu.v1 import tournament_service_pb2 as pb
from kifu.v1.match_service_pb2 import DeckChoice
from kifu.v1.values_pb2 import DeckPart

from domain.telling import tournament
from domain.text import decklists
from domain.words.phrases import joined, message_of, phrase
from service.api.calls.errors import malformed
from service.identity import Role
from service.web.hall.asked import Act, Asked
from service.web.hall.prepared import Prepared


async def _enter(a: Asked) -> Prepared:
    names = a.form.lines("names")
    if not names:
        raise malformed("names", phrase("are missing"))
    key = a.form.text("key") if len(names) == 1 else ""
    players = [pb.NewPlayer(name=name, key=key) for name in names]
    request = pb.EnterPlayersRequest(event_id=a.state.id, players=players)
    return Prepared(request, "", phrase("Entered: {names}.", names=joined(", ", names)))


async def _drop(a: Asked) -> Prepared:
    number, name = a.player
    request = pb.DropPlayerRequest(event_id=a.state.id, player=number, why=a.form.text("why"))
    warning = phrase("{player} plays no further rounds.", player=name)
    return Prepared(request, warning, phrase("{player} has dropped.", player=name))


async def _reinstate(a: Asked) -> Prepared:
    number, name = a.player
    request = pb.ReinstatePlayerRequest(event_id=a.state.id, player=number, why=a.form.text("why"))
    return Prepared(request, "", phrase("{player} plays on.", player=name))


async def _rename(a: Asked) -> Prepared:
    number, _ = a.player
    name, key = a.form.needed("name"), a.form.text("key")
    request = pb.CorrectPlayerRequest(event_id=a.state.id, player=number, name=name, key=key)
    return Prepared(request, "", phrase("Player {n} is {name}.", n=number, name=name))


async def _accept(a: Asked) -> Prepared:
    players = a.form.numbers("player")
    request = pb.AcceptListsRequest(event_id=a.state.id, players=players)
    return Prepared(request, "", phrase("The lists are accepted."))


async def _reopen(a: Asked) -> Prepared:
    number, name = a.player
    request = pb.ReopenListRequest(event_id=a.state.id, player=number, why=a.form.needed("why"))
    warning = phrase("The list of {player} is accepted no more, until it is again.", player=name)
    return Prepared(request, warning, phrase("{player} may hand in his list anew.", player=name))


async def _publish(a: Asked) -> Prepared:
    warning = phrase("Everybody may read the lists that are accepted; that can't be taken back.")
    done = phrase("The lists are published.")
    return Prepared(pb.PublishListsRequest(event_id=a.state.id), warning, done)


async def _hand_in(a: Asked) -> Prepared:
    number, name = a.player
    request = pb.HandInListRequest(event_id=a.state.id, player=number, deck=_deck(a))
    warning = ""
    if a.state.players[number].list:
        warning = phrase("The list that {player} has handed in is replaced.", player=name)
    return Prepared(request, warning, phrase("{player} has handed in a list.", player=name))


def _deck(a: Asked) -> DeckChoice:
    """A ready-made deck, if one is chosen, or else the list that was typed; raises `Fault`."""
    ready = a.form.text("deck")
    if ready:
        return DeckChoice(name=ready)
    if not a.form.text("cards"):
        raise malformed("cards", phrase("are missing"))
    try:
        parts = decklists.parts(a.form.lines("cards"))
    except ValueError as error:
        raise malformed("cards", message_of(error)) from None
    sent = [DeckPart(part=part, cards=rows) for part, rows in parts.items()]
    return DeckChoice(name=a.form.text("name") or a.player[1], parts=sent)


# -- officials -------------------------------------------------------------------------------------


async def _name(a: Asked) -> Prepared:
    name, role = a.form.needed("name"), a.form.needed("role")
    request = pb.NameOfficialRequest(event_id=a.state.id, name=name, role=role)
    return Prepared(
        request, "", phrase("{name} is {role}.", name=name, role=tournament.ROLES.get(role, role))
    )


async def _dismiss(a: Asked) -> Prepared:
    name = a.form.needed("name")
    request = pb.NameOfficialRequest(event_id=a.state.id, name=name)
    warning = phrase("{name} is no official of the event any more, and gets in no more.", name=name)
    return Prepared(request, warning, phrase("{name} is no official any more.", name=name))


async def _code(a: Asked) -> Prepared:
    name = a.form.needed("name")
    holder = codes.CodeHolder(role=Role.OFFICIAL, event_id=a.state.id, name=name)
    request = codes.IssueCodesRequest(holders=[holder], replace=True)
    warning = phrase("Codes that {name} was given before are worth nothing then.", name=name)
    done = phrase("The code of {name}, which is told now and never again:", name=name)
    return Prepared(request, warning, done)


ACTS: Mapping[str, Act] = {
    "enter": _enter, "drop": _drop, "reinstate": _reinstate, "rename": _rename,
    "hand-in": _hand_in, "accept": _accept, "reopen": _reopen, "publish": _publish,
    "name": _name, "dismiss": _dismiss, "code": _code,
}  # fmt: skip
