"""The acts of the hall's forms about people: players are entered, lists taken in, officials named.

Each becomes a request of the API, as the acts on rounds and tables do (`acts`). A list is typed as
it is shown: its parts under their names in brackets, then `4 ST01-001`, a count and a card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kifu.v1 import code_service_pb2 as codes

from domain.telling import tournament
from domain.telling import tournament_consequences as consequences
from domain.text import decklists, pasted
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


async def _check_in(a: Asked) -> Prepared:
    number, name = a.player
    return a.prepared(rows.CheckIn(number), phrase("{player} is here.", player=name))


async def _identify(a: Asked) -> Prepared:
    number, name = a.player
    done = phrase("{player} is here, identity document seen.", player=name)
    return a.prepared(rows.CheckIn(number, identified=True), done)


async def _check_out(a: Asked) -> Prepared:
    number, name = a.player
    done = phrase("{player} is not here.", player=name)
    warning = ""
    if a.state.players[number].identified:
        warning = phrase("{player} is not here, and his identity document not seen.", player=name)
    return a.prepared(rows.CheckIn(number, absent=True), done, warning)


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
    parts = _parts(a, a.form.lines("cards"))
    cards = {part: tuple(listed) for part, listed in parts.items()}
    return Deck(a.form.text("name") or a.player[1], cards)


async def _register(a: Asked) -> Prepared:
    number, name = a.player
    parts = _parts(a, a.form.lines("cards"), whole=True)
    pool = Deck(name, {part: tuple(listed) for part, listed in parts.items()})
    warning = ""
    if number in a.state.pools:
        warning = phrase("The pool of {player} that is registered is replaced.", player=name)
    done = phrase("The pool of {player} is registered.", player=name)
    return a.prepared(rows.RegisterPool(number, pool), done, warning)


async def _draw_pods(a: Asked) -> Prepared:
    warning = ""
    if a.state.pods:
        warning = phrase("The pods are drawn again, and all sit down anew.")
    return a.prepared(rows.DrawPods(), phrase("The pods are drawn."), warning)


async def _seat_late(a: Asked) -> Prepared:
    return a.prepared(rows.DrawPods(add=True), phrase("Who came late sits in a pod."))


async def _open_pools(a: Asked) -> Prepared:
    return a.prepared(rows.ClosePools(open=True), phrase("Players may register their pools."))


def _parts(a: Asked, lines: list[str], whole: bool = False) -> Mapping[str, Sequence[str]]:
    """The list that is typed or pasted; raises `Fault`. `whole`: no part of it is left out.

    In our own notation it may have cards that nobody knows: those are faults of the list.
    """
    book = a.site.book(a.state.format.game, a.visitor.sender.language, a.state.format.prints)
    try:
        typed = pasted.read("\n".join(lines), book.cards, book.decks)
        return typed if whole else pasted.completed(typed, book.decks)
    except pasted.BadList as error:
        try:
            return decklists.parts(lines)
        except ValueError:
            raise malformed("cards", message_of(error)) from None


async def _open_lists(a: Asked) -> Prepared:
    return a.prepared(rows.CloseLists(open=True), phrase("Players may hand in their lists."))


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


async def _drop(a: Asked) -> Prepared:
    number, name = a.player
    warning = consequences.player_drops(a.state, number)
    warning = warning or phrase("{player} plays no further rounds.", player=name)
    return a.prepared(a.act(rows.DropPlayer), phrase("{player} has dropped.", player=name), warning)


async def _bar(a: Asked) -> Prepared:
    name = a.form.needed("name")
    warning = phrase("{name} may not be entered, nor checked in.", name=name)
    found = [one for one in a.state.players.values()
             if name.casefold() in (one.name.casefold(), one.key.casefold())]  # fmt: skip
    if found and not found[0].dropped:
        text = phrase("{player} takes part: he plays on until he is dropped.", player=found[0].name)
        if found[0].present:
            text = phrase("{player} is checked in: he plays on until he is dropped.",
                          player=found[0].name)  # fmt: skip
        warning = joined(" ", [warning, text])
    done = phrase("{name} is barred.", name=name)
    return a.prepared(rows.BarPlayer(name, a.form.text("why")), done, warning)


async def _lift(a: Asked) -> Prepared:
    name = a.form.needed("name")
    done = phrase("{name} is barred no longer.", name=name)
    return a.prepared(rows.BarPlayer(name, lift=True), done)


ACTS: Mapping[str, Act] = {
    "enter": _enter,
    "check-in": _check_in, "check-in-id": _identify, "check-out": _check_out,
    "drop": _drop, "bar": _bar, "unbar": _lift,
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
    "close-lists": plain(
        rows.CloseLists, phrase("Players hand in no more lists."),
        phrase("Players hand in no more lists themselves; officials still take them in."),
    ),
    "open-lists": _open_lists,
    "pool": _register, "pods": _draw_pods, "pods-late": _seat_late,
    "close-pools": plain(
        rows.ClosePools, phrase("Players register no more pools."),
        phrase("Players register no more pools themselves; officials still do."),
    ),
    "open-pools": _open_pools,
    "draw": plain(rows.DrawDecks, phrase("Decks to be checked were drawn.")),
    "name": _name, "dismiss": _dismiss, "code": _code,
}  # fmt: skip
