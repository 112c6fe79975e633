"""An event and matches in which everything is going on, and all pages that show them.

For tests and pictures of the pages in every language: names of people are in no letters that a
sentence is in, so that whatever else is can be told from them.
"""

from __future__ import annotations

from typing import NamedTuple

from kifu.v1 import code_service_pb2 as codes

from domain.games import rulebook
from domain.tournament.record import HEAD_JUDGE, Format, Infraction, Outcome, Table
from service.client.client import Client, Opened
from tests.end_to_end.browser.watching import play

#: The two players of a match, those of the event, and what people write.
SEATS = ("山田", "李明")
PLAYERS = ("陳大文", "佐藤", "鈴木", "王芳", "高橋", "林志明")
EVENT, TEXT = "秋季大会", "確認"


class Shown(NamedTuple):
    """A page: what it is called in pictures, where it is, who looks, and when it is drawn."""

    name: str
    path: str
    token: str = ""
    ready: str = "body"


class Staged(NamedTuple):
    """What is going on."""

    game: str
    match: Opened
    table: Opened
    event: str
    official: str
    player: str

    def pages(self, organiser: str) -> list[Shown]:
        """All pages, each for one who may see it."""
        match, event, hall = self.match.id, f"/e/{self.event}", f"/hall/{self.event}"
        desk, seat = f"/desk/{self.event}.r2.t1", self.match.seats[0]
        card = "ST01-001" if self.game == "gundam" else ""
        return [
            Shown("home", "/"),
            Shown("home-organiser", "/", organiser),
            Shown("in", "/in"),
            Shown("session", "/me", seat),
            Shown("session-organiser", "/me", organiser),
            Shown("nothing", "/nothing"),
            Shown("refused", "/hall"),
            Shown("match", f"/m/{match}", ready="#match[data-ready]"),
            Shown("match-why", f"/m/{match}?at=40&why=40", ready="#match[data-ready]"),
            Shown("match-options", f"/m/{match}?at=40&decision=6", ready="#match[data-ready]"),
            Shown("match-official", f"/m/{match}?as=official", self.match.official),
            Shown("seat", f"/seat/{match}", seat, "#ask button"),
            Shown("seat-entered", f"/seat/{self.table.id}?seat=0", self.table.scorekeeper),
            Shown("table", f"/table/{self.table.id}", self.table.scorekeeper, "#table"),
            Shown("desk", f"/desk/{match}", self.match.official),
            Shown("desk-of-event", desk, self.official),
            Shown("desk-whole", f"{desk}?as=official", self.official),
            Shown("desk-back", f"/desk/{match}/back/8", self.match.official),
            Shown("halls", "/hall", organiser),
            Shown("hall", hall, organiser),
            *(Shown(f"hall-{part}", f"{hall}/{part}", organiser) for part in _PARTS),
            Shown("hall-player", f"{hall}/players/1", organiser),
            Shown("hall-screen", f"{hall}?screen=1", organiser),
            Shown("event", event),
            Shown("event-screen", f"{event}?screen=1"),
            Shown("event-own", f"{event}/me", self.player),
            Shown("event-results", f"{event}/results/1"),
            Shown("event-list", f"{event}/players/1", organiser),
            Shown("play", "/play", organiser),
            Shown("play-decks", f"/play?game={self.game}", organiser),
            Shown("overlay-settings", "/overlay", organiser),
            Shown("overlay", f"/overlay/{match}", ready="body[data-seq]"),
            Shown("api", "/api"),
            *([Shown("card", f"/cards/{self.game}/{card}")] if card else []),
        ]  # fmt: skip


_PARTS = ("players", "check-in", "standings", "officials", "penalties", "log")


def staged(host: Client, game: str = "gundam", decisions: int = 120) -> Staged:
    """Matches that are being played, and an event whose officials are at work."""
    first, *_, last = rulebook(game).decks
    match = host.open_match(game, SEATS, [first, last], seed=4)
    play(host, match, decisions, game=game)
    table = host.open_match(game, SEATS, [first, last], mode="table", rolls=[(0,)])
    event, official, player = _event(host, game, (first, last))
    return Staged(game, match, table, event, official, player)


def _event(host: Client, game: str, decks: tuple[str, str]) -> tuple[str, str, str]:
    """An event, a token of its officials, and one of its first player."""
    slow = Infraction("slow-play", TEXT, "warning", "game-loss")
    settled = Format(game, mode="dealer", seconds=3000, rounds=3, infractions=(slow,))
    opened = host.open_tournament(EVENT, settled)
    event = opened.id
    people = host.enter_players(event, [*PLAYERS])
    for n in people[:-1]:
        host.hand_in_list(event, n, decks[n % 2])
    host.accept_lists(event, people[:-2])
    host.check_in(event, people[0])
    host.name_official(event, TEXT, HEAD_JUDGE)
    host.bar_player(event, "X", TEXT)
    for n in (1, 2):
        host.pair_round(event, [Table(1, *people[:2]), Table(2, *people[2:4])])
        host.open_round(event)
        host.start_round(event)
        host.report_result(event, 2, Outcome(1, 0, 0, people[2]))
        if n == 1:
            host.report_result(event, 1, Outcome(0, 1, 0, people[1]))
            host.end_round(event)
    _officials(host, event)
    return event, opened.official, _player(host, event)


def _officials(host: Client, event: str) -> None:
    """What officials do while a round is played."""
    call = host.raise_call(event, 1, TEXT)
    host.answer_call(event, call, TEXT, 120)
    host.raise_call(event, 2, TEXT)
    host.raise_appeal(event, TEXT, call)
    host.penalise_player(event, 2, "warning", TEXT)
    given = host.penalise_player(event, 3, "warning", TEXT)
    host.withdraw_penalty(event, given, TEXT)
    host.note_as_judge(event, TEXT, 1)
    host.draw_decks(event, 2)


def _player(host: Client, event: str) -> str:
    holder = codes.CodeHolder(role="seat", event_id=event, player=1)
    [(code, _)] = host.issue_codes([holder])
    asked = codes.ExchangeCodeRequest(code=code, at_event=True)
    return str(host.call(host.codes.ExchangeCode, asked).token)
