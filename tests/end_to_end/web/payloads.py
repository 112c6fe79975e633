"""Texts that would do harm where a page takes them for more than text, and what they name."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import NamedTuple

from domain.engine.match import Deck
from domain.games import rulebook
from domain.tournament.record import HEAD_JUDGE, Format, Table
from service.client.client import CallError, Client

#: `pwned` is what they would call.
PRINTABLE = (
    "<script>pwned(1)</script>",
    '"><img src=x onerror=pwned(2)>',
    "' onmouseover='pwned(3)' x='",
    "javascript:pwned(4)",
    "<svg/onload=pwned(5)>",
    "</title></style></textarea><script>pwned(6)</script>",
    "{{7*7}} ${7*7} {% raw %} #{7*7}",
    "--><iframe src=javascript:pwned(7)>",
    "&lt;script&gt;pwned(8)&lt;/script&gt; &#x3c;b&#x3e;",
    "]]><a href=//evil.example>x</a>\\u003cscript>",
    "W" * 79,
)
#: Such as no name may have.
UNPRINTABLE = ("\u202egnp.\u202c\u2066\u200b{}", "a\0b\x1b[31m\r\nset-cookie: x=y")
PAYLOADS = (*PRINTABLE, *UNPRINTABLE)
#: Matches of them: so many that each payload names somebody.
MATCHES = 4


class Named(NamedTuple):
    """Matches and an event in which all that people may write is a payload."""

    matches: list[str]
    event: str


def name_everything(host: Client) -> Named:
    """Open matches and an event in which every text by people is one of the payloads."""
    assert [text for text in PAYLOADS if not _taken(host, text)] == [*UNPRINTABLE]
    at = iter(PRINTABLE * 20)
    parts = rulebook("gundam").decks["ST01"]
    matches = []
    for n in range(MATCHES):
        card = {"id": f"X-{n}", "name": next(at), "type": "unit", "color": "blue",
                "lv": 1, "cost": 1, "ap": 2, "hp": 3}  # fmt: skip
        deck = Deck(next(at), {**parts, "main": [*parts["main"][:46], *[f"X-{n}"] * 4]})
        opened = host.open_match(
            "gundam", [next(at), next(at)], [deck, deck], prints=[json.dumps(card)],
            labels={"event": next(at), "table": next(at), "round": next(at)}, seed=n,
        )  # fmt: skip
        for text in (next(at), *UNPRINTABLE):
            with suppress(CallError):
                host.note(opened.id, text, public=True)
        host.rule(opened.id, next(at))
        host.penalise(opened.id, 0, "warning", next(at))
        for seat, token in enumerate(opened.seats):
            host.with_token(token).position(opened.id, view=seat)
        matches.append(opened.id)
    return Named(matches, _event(host, at))


def _event(host: Client, at: object) -> str:
    texts = iter(at)  # type: ignore[call-overload]
    event = host.open_tournament(next(texts), Format("gundam", mode="dealer")).id
    people = host.enter_players(event, [*dict.fromkeys(next(texts) for _ in range(4))])
    listed = Deck(next(texts), rulebook("gundam").decks["ST01"])
    for player in people:
        host.hand_in_list(event, player, listed)
    host.accept_lists(event, people)
    host.name_official(event, next(texts), HEAD_JUDGE)
    host.pair_round(event, [Table(1, *people[:2]), Table(2, *people[2:])])
    host.open_round(event)
    host.start_round(event)
    host.raise_call(event, 1, next(texts))
    host.note_as_judge(event, next(texts), table=1)
    host.penalise_player(event, people[0], "warning", next(texts))
    return event


def _taken(host: Client, text: str) -> bool:
    """Whether the service takes a text as a name at all."""
    try:
        host.open_match("toy", [text, "B"], ["ones", "tens"])
    except CallError:
        return False
    return True
