"""The acts of the hall's forms about people: players are entered, lists taken in, officials named.

Each becomes a request of the API, as the acts on rounds and tables do (`acts`). A list is typed as
it is shown: its parts under their names in brackets, then `4 ST01-001`, a count and a card.
"""

from __future__ import annotations

from collections.abc import Mapping

from kifu.v1 import code_service_pb2 as codes

from domain.telling import tournament
from domain.text import decklists
from domain.tournament.acts import rows
from domain.tournament.record import Deck
from domain.words.phrases import joined, message_of, phrase
from service.api.calls.errors import malformed
from service.identity import Role
from service.web.hall.asked import Act, Asked, plain
from service.web.hall.prepared import Prepared


async def _enter(a: Asked) -> Prepared:
    names = a.form.lines("names")
    if not names:
        raise malformed("names", phrase("are missing"))
    key = a.form.text("key") if len(names) == 1 else ""
    act = rows.EnterPlayers([(name, key) for name in names])
    return a.prepared(act, phrase("Entered: {names}.", names=joined(", ", names)))


async def _rename(a: Asked) -> Prepared:
    act, (number, _) = a.act(rows.CorrectPlayer), a.player
    return a.prepared(act, phrase("Player {n} is {name}.", n=number, name=a.form.text("name")))


async def _hand_in(a: Asked) -> Prepared:
    number, name = a.player
    warning = ""
    if a.state.players[number].list:
        warning = phrase("The list that {player} has handed in is replaced.", player=name)
    done = phrase("{player} has handed in a list.", player=name)
    return a.prepared(rows.HandInList(number, _deck(a)), done, warning)


def _deck(a: Asked) -> Deck:
    """A ready-made deck, if one is chosen, or else the list that was typed; raises `Fault`."""
    ready = a.form.text("deck")
    if ready:
        return Deck(ready)
    if not a.form.text("cards"):
        raise malformed("cards", phrase("are missing"))
    try:
        parts = decklists.parts(a.form.lines("cards"))
    except ValueError as error:
        raise malformed("cards", message_of(error)) from None
    cards = {part: tuple(listed) for part, listed in parts.items()}
    return Deck(a.form.text("name") or a.player[1], cards)


# -- officials -------------------------------------------------------------------------------------


async def _name(a: Asked) -> Prepared:
    act, role = a.act(rows.NameOfficial), a.form.text("role")
    values = {"name": a.form.text("name"), "role": tournament.ROLES.get(role, role)}
    return a.prepared(act, phrase("{name} is {role}.", **values))


async def _dismiss(a: Asked) -> Prepared:
    name = a.form.needed("name")
    warning = phrase("{name} is no official of the event any more, and gets in no more.", name=name)
    done = phrase("{name} is no official any more.", name=name)
    return a.prepared(rows.NameOfficial(name, ""), done, warning)


async def _code(a: Asked) -> Prepared:
    name = a.form.needed("name")
    holder = codes.CodeHolder(role=Role.OFFICIAL, event_id=a.state.id, name=name)
    request = codes.IssueCodesRequest(holders=[holder], replace=True)
    warning = phrase("Earlier codes of {name} will be revoked.", name=name)
    done = phrase("The code of {name}, which is shown only once:", name=name)
    return Prepared(request, warning, done)


ACTS: Mapping[str, Act] = {
    "enter": _enter,
    "drop": plain(
        rows.DropPlayer, phrase("{player} has dropped."),
        phrase("{player} plays no further rounds."),
    ),
    "reinstate": plain(rows.ReinstatePlayer, phrase("{player} plays on.")),
    "rename": _rename,
    "hand-in": _hand_in,
    "accept": plain(rows.AcceptLists, phrase("The lists are accepted.")),
    "reopen": plain(
        rows.ReopenList, phrase("{player} may hand in a new list."),
        phrase("The list of {player} is accepted no more, until it is again."),
    ),
    "publish": plain(
        rows.PublishLists, phrase("The lists are published."),
        phrase("Everybody may read the lists that are accepted; that can't be taken back."),
    ),
    "name": _name, "dismiss": _dismiss, "code": _code,
}  # fmt: skip
