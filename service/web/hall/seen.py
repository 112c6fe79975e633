"""The data of the hall's pages apart from tables (`rows`): calls, players, penalties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from kifu.v1 import match_service_pb2
from kifu.v1 import tournament_service_pb2 as pb
from kifu.v1.match_service_pb2 import ListMatchesRequest
from kifu.v1.values_pb2 import Label
from msgspec import Struct
from msgspec.structs import replace

from domain.record.views import PUBLIC
from domain.telling import ending, tournament
from domain.telling.names import countdown
from domain.telling.standings import cited
from domain.telling.tournament import GAMES
from domain.text import outcomes
from domain.tournament import manuals, progress
from domain.tournament.acts import decks
from domain.tournament.acts.players import is_barred
from domain.tournament.state import Appeal, Call, Player, Round, Stage, State
from domain.words.phrases import Phrase
from service import wire
from service.api.calls.errors import Fault
from service.identity import Role
from service.store.records import StoreError
from service.web.events import lists
from service.web.hall import acts, insiders, late
from service.web.hall.rows import Clock, Last, Progress, Row, role_of, rows
from service.web.hall.rows import progress as progress_of
from service.web.positions.feed import Feed
from service.web.positions.sights import at_once
from service.web.site import Site
from service.web.visitors import Visitor

#: How many lines of the event's record a page shows.
LINES = 100
#: Seconds between two looks of a page at how far the matches are.
EVERY = 4


class Seen(Struct, frozen=True):
    """An event, the round that is looked at (None: none is paired), who looks, and when.

    `jumped`: by how much the server's clock was set since the last round was started, in ms.
    """

    s: State
    now: Round | None
    time: int
    visitor: Visitor
    jumped: int = 0

    @property
    def runs(self) -> bool:
        """Whether the visitor does all that is done in the hall."""
        return insiders.runs(self.visitor.who)

    @property
    def calls(self) -> list[Call]:
        """The calls that wait: the visitor's own first, then those that nobody has taken."""
        found = [one for one in self.s.calls.values() if not one.answered]
        mine = self.visitor.who.subject
        return sorted(found, key=lambda one: (one.taken_by != mine, bool(one.taken_by), one.raised))

    @property
    def appeals(self) -> list[Appeal]:
        """The appeals that wait for the head judge."""
        return [one for one in self.s.appeals.values() if not one.answered]

    def name(self, player: int) -> str:
        """The name of a player."""
        return self.s.players[player].name if player in self.s.players else ""

    def names(self, call: Call | Appeal) -> list[str]:
        """The players at the table of a call."""
        table = self.s.rounds[call.round - 1].tables[call.table]
        return [self.name(player) for player in table.players]

    def match(self, call: Call) -> str:
        """The match of the table of a call; empty where none is recorded."""
        round_ = self.s.rounds[call.round - 1]
        return self.s.match(call.round, call.table) if (round_.format or self.s.format).mode else ""

    def ago(self, since: int) -> str:
        """How long ago something was."""
        return countdown(max(self.time - since, 0))

    def span(self, ms: int) -> str:
        """A span of time."""
        return countdown(ms)

    def left(self, clock: Clock) -> str:
        """The display of a clock."""
        gone = max(self.time - clock.since, 0) if clock.running else 0
        return countdown(clock.left - gone)


def data(site: Site, seen: Seen) -> dict[str, Any]:
    """The data of the hall's templates, for all parts."""
    now = seen.now
    return {
        "seen": seen,
        "s": seen.s,
        "now": now,
        "stage": tournament.STAGES[Stage(now.stage)] if now is not None else "",
        "clock": round_clock(seen),
        "steps": _steps(site, seen),
        "missing": now.missing if now is not None else [],
        "name": tournament.round_name(now, acts.planned(seen.s)) if now is not None else "",
        "playing": len(progress.active(seen.s)),
        "jumped": tournament.clock_jumped(seen.jumped),
        "every": EVERY,
        "late": seen.s.format.policy.delay,
        "role": role_of(seen.visitor.who.role),
        "penalties": acts.penalties(seen.s),
        "entered": seen.s.format.mode == "table",
        "best_of": ((now.format if now is not None else None) or seen.s.format).best_of,
    }


def _steps(site: Site, seen: Seen) -> list[Phrase]:
    """The steps by which matches end, once time was called at a table that plays on."""
    round_ = seen.now
    if round_ is None or round_.stage != Stage.STARTED:
        return []
    going = [one.clock for one in round_.tables.values() if one.clock and one.result is None]
    if not any(clock.called for clock in going):
        return []
    format_ = round_.format or seen.s.format
    manifest = site.book(format_.game, seen.visitor.sender.language).manifest
    return [*ending.steps(format_.policy, manifest, format_.best_of)]


def round_clock(seen: Seen) -> Clock | None:
    """The clock that most tables of a round share which play on."""
    if seen.now is None or not seen.now.seconds or seen.now.stage == Stage.ENDED:
        return None
    clocks = Counter(
        Clock(one.clock.left, one.clock.since, one.clock.running, one.clock.called)
        for one in seen.now.tables.values()
        if one.clock is not None and one.result is None
    )
    return clocks.most_common(1)[0][0] if clocks else None


async def rows_of(feed: Feed, seen: Seen, known: Mapping[int, Row]) -> Sequence[Row]:
    """The rows of the round that is looked at, with how far its matches are.

    The last act is narrated again if a match has gone on since its row was made last (`known`).
    """
    if seen.now is None:
        return []
    site, found_by = feed.site, dict[str, Progress]()
    before = {one.match: one.progress for one in known.values()}
    recorded = seen.now.stage != Stage.PAIRED and (seen.now.format or seen.s.format).mode
    request = ListMatchesRequest(
        event_id=seen.s.id, page_size=200, with_progress=True,
        labels=[Label(name="round", value=str(seen.now.number))],
    )  # fmt: skip
    while recorded:
        page: match_service_pb2.ListMatchesResponse = await site.ask(request, seen.visitor.sender)
        for one in page.matches:
            how = progress_of(one, site.book(one.game, seen.visitor.sender.language))
            was = before.get(one.id)
            if was is not None and was.entries == how.entries:
                found_by[one.id] = replace(how, act=was.act)
            else:
                found_by[one.id] = replace(how, act=await _last(feed, seen, one))
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    return rows(seen.s, seen.now, found_by)


async def _last(feed: Feed, seen: Seen, match: match_service_pb2.Match) -> Last:
    """The last act in a match, as everybody sees it."""
    with suppress(StoreError, Fault):  # what can't be read is listed all the same
        line = await feed.last(at_once(seen.visitor, match.id, PUBLIC), match.entries)
        if line is not None:
            return Last(line.seat, line.by, line.text)
    return Last()


# -- parts -----------------------------------------------------------------------------------------


class PlayerLine(Struct, frozen=True):
    """A player as the hall lists him: his list, where he sits, what he was penalised with.

    `barred`: he may not take part, but does until he is dropped.
    """

    player: Player
    deck: str
    list: str
    faults: tuple[str, ...]
    table: int
    penalties: int
    barred: bool = False


async def players(site: Site, seen: Seen) -> dict[str, Any]:
    """All players, by name."""
    s, lines = seen.s, []
    asked = bool(s.format.mode)
    for one in sorted(s.players.values(), key=lambda one: (one.dropped, one.name.casefold())):
        handed = s.lists.get(one.list)
        place = seen.now.of(one.number) if seen.now is not None else None
        counted = [p for p in s.penalties.values() if p.player == one.number and not p.withdrawn]
        lines.append(PlayerLine(
            one, handed.deck.name if handed else "", lists.stage(s, one) if asked else "",
            tuple(handed.faults) if handed else (), place.number if place else 0, len(counted),
            is_barred(s, one.name, one.key),
        ))  # fmt: skip
    waiting = [one for one in lines if one.list == lists.HANDED_IN]
    without = (lists.MISSING, lists.FAULTY)
    missing = [one for one in lines if one.list in without and not one.player.dropped]
    poolless = [one.player for one in lines
                if not (one.player.dropped or one.player.number in s.pools)]  # fmt: skip
    return {
        "poolless": poolless, "sizes": ", ".join(str(len(pod)) for pod in s.pods),
        "lines": lines, "lists": asked, "waiting": waiting, "without": missing,
        "barred": sorted(s.barred.items(), key=lambda one: one[0].casefold()),
        "faulty": _of_decks(s), "checks": s.checks, "share": decks.share(s),
    }  # fmt: skip


def _of_decks(s: State) -> list[tuple[str, str]]:
    """The infractions that a check of a deck may find: those of decks first."""
    first = manuals.of_decks(s.format.rules)
    found = sorted(
        s.format.infractions,
        key=lambda one: first.index(one.name) if one.name in first else len(first),
    )
    return [(one.name, one.label or one.name) for one in found if not one.late]


async def check_in(site: Site, seen: Seen) -> dict[str, Any]:
    """The players who play on: who is here and who is not, who is not first."""
    found = [one for one in seen.s.players.values() if not one.dropped]
    found.sort(key=lambda one: (one.present, one.name.casefold()))
    return {
        "people": found,
        "here": sum(one.present for one in found),
        "identified": sum(one.identified for one in found),
        "late_ones": sum(one.late for one in found),
    }


async def player(site: Site, seen: Seen, number: int) -> dict[str, Any]:
    """A player with his list, and the decks that there are for his game."""
    _, _, handed = await lists.handed_in(site, seen.visitor, seen.s.id, number)
    decks = site.matches.rulebook(seen.s.format.game).decks
    parts = dict.fromkeys(part for deck in decks.values() for part in deck)
    return {
        "handed": handed, "decks": [*decks], "parts": " ".join(f"[{part}]" for part in parts),
    }  # fmt: skip


async def officials(site: Site, seen: Seen) -> dict[str, Any]:
    """The officials, by name. `names`: whether the visitor says who is."""
    return {
        "named": sorted((name, role) for name, role in seen.s.officials.items() if role),
        "roles": tournament.ROLES,
        "names": seen.visitor.who.role == Role.ORGANISER and not seen.s.ended,
    }


async def standings(site: Site, seen: Seen) -> dict[str, Any]:
    """The standings, and the results of every round."""
    request = pb.GetStandingsRequest(event_id=seen.s.id)
    found = await site.ask(request, seen.visitor.sender)
    return {"standings": found, "players_at": f"/e/{seen.s.id}/results", "cited": cited(seen.s)}


async def penalties(site: Site, seen: Seen) -> dict[str, Any]:
    """Penalties and notes, the newest first."""
    s = seen.s
    return {
        "lateness": late.late(s),
        "given": sorted(s.penalties.values(), key=lambda one: -one.seq),
        "notes": sorted(s.notes, key=lambda one: -one.seq),
        "players": sorted(s.players.values(), key=lambda one: one.name.casefold()),
        "label": dict(acts.penalties(s)),
        "infractions": [(one.name, one.label or one.name) for one in s.format.infractions],
        "infraction": {one.name: one.label or one.name for one in s.format.infractions},
        "games": [*GAMES.items()],
        "appeals": sorted(s.appeals.values(), key=lambda one: (bool(one.answered), -one.number)),
        "settled": [one for one in s.calls.values() if one.answered and one.round == len(s.rounds)],
    }


async def record(site: Site, seen: Seen) -> dict[str, Any]:
    """The entries of the event, the newest first."""
    request = pb.ListTournamentEntriesRequest(
        event_id=seen.s.id, after=max(seen.s.seq - LINES, 0), page_size=LINES
    )
    found = await site.ask(request, seen.visitor.sender)
    entries = [wire.tournament_entry_of(one) for one in found.entries]
    lines = [
        (one.seq, one.time, one.by, tournament.sentence(one.event, seen.s)) for one in entries[::-1]
    ]
    return {"lines": lines}


def results(s: State) -> list[tuple[Round, list[tuple[int, list[str], str]]]]:
    """The results of every round, the last one first."""
    found = []
    for round_ in s.rounds[::-1]:
        if round_.stage == Stage.PAIRED:
            continue
        tables = [
            (
                n,
                [s.players[player].name for player in one.players],
                outcomes.write(one.outcome) if one.outcome is not None and one.second else "",
            )
            for n, one in sorted(round_.tables.items())
        ]
        found.append((round_, tables))
    return found
