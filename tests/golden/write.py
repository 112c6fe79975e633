"""Writes golden records: matches in which every type of event comes up, as they are written today.

`python -m tests.golden.write GAME` is run when the layout, the events or the game's engine have
changed; the directory is named after the engine at hand (`gundam-1.0`); where that is there,
another one gets those made by hand alone. What it writes stays as data, for every later version to
read (domain/record/FORMAT.md); files that a released program wrote are never written again.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random

from msgspec.structs import replace

from domain.engine.match import Deck, Match, Refused
from domain.engine.naming import Inputs
from domain.games import rulebook
from domain.officials import clocks, irregular, rewind, rulings
from domain.officials.corrections import correcting
from domain.officials.corrections.fixes import Fix
from domain.officials.frame import Official
from domain.record import events as ev
from domain.record.decisions import Act, act_of
from domain.record.entries import AnyEvent, Entry
from domain.record.interventions import (
    CardsBrought,
    EngineChanged,
    Looked,
    MatchBegan,
    ResultCorrected,
    SeedCommitted,
    SeedGiven,
    SeedsOpened,
    ShuffleWitnessed,
)
from domain.record.position import decoded
from domain.record.schema.citations import without_edition
from domain.record.schema.policy import Clocks, EndOfTime, Policy
from domain.record.values import BY_OFFICIAL, EVERYONE, Sealed
from replay_cli import record
from replay_cli.playing.fuzz.officials import RandomOfficial
from replay_cli.playing.fuzz.tables import Scorekeeper, at_table, names_in
from service.live.matches import Matches
from service.store.records import Records
from tests.golden import DIRECTORIES, HERE, engine_of
from tests.golden import logs as kept
from tests.playouts import Dice, Setup, opening, resume, take_turn

POLICY = Policy(
    event="Golden Regional",
    clocks=Clocks(round=2_100_000, seat=1_200_000, increment=5_000, flag="game loss"),
    end=EndOfTime(turns=3),
    replay_evidence="rulings",
)
#: Cards that no catalogue has, by game.
PRINTS = {
    "gundam": {"id": "PR-01", "name": "Harbour Watch", "type": "unit", "color": "blue", "lv": 1,
               "cost": 1, "ap": 2, "hp": 2},
    "hollow_flux": {"id": "PR-01", "name": "Harbour Watch", "type": "character", "cost": 0,
                    "power": 3000},
    "yugioh": {"id": "PR-01", "name": "Harbour Watch", "type": "monster", "kind": ["effect"],
               "stars": 4, "attribute": "water", "race": "aqua", "atk": 1500, "def": 1200},
    "battle_spirits": {"id": "PR-01", "name": "Harbour Watch", "type": "spirit",
                       "colors": ["blue"], "cost": 2, "symbols": {"blue": 1},
                       "levels": [[1, 2000]], "icons": ["A"]},
}  # fmt: skip
#: What is wanted of an undisturbed match, and within how many decisions, by game.
RARE: dict[str, tuple[set[type[ev.Event]], int]] = {
    "gundam": ({ev.NotDone}, 25),
    "hollow_flux": ({ev.NotDone, ev.DepartureBegan, ev.ModifierEnded}, 75),
    "yugioh": ({ev.NotDone, ev.ModifierEnded, ev.CardsAttached}, 200),
    "battle_spirits": ({ev.NotDone, ev.ModifierEnded, ev.DepartureBegan}, 200),
}
DRAW = json.dumps([{"do": "draw", "n": 1}])
DECKS = {
    "gundam": ("ST01", "ST03"), "hollow_flux": ("HX-A", "HX-B"), "yugioh": ("XYZ", "FUSION"),
    "battle_spirits": ("RSD01", "RSD02"),
}  # fmt: skip
#: What a correction changes: a figure, counters, and where it puts a card.
FIGURES = {"gundam": "ap", "hollow_flux": "power", "yugioh": "atk", "battle_spirits": "bp"}
COUNTERS = {"yugioh": "spell", "battle_spirits": "core"}
GRAVES = {"yugioh": "grave"}


def _setup(game: str, seed: int, *, restless: bool = False) -> Setup:
    name = without_edition(game)
    return Setup(seed, DECKS[name], restless=restless, newest=game != name)


def whole(game: str, seed: int, most: int) -> list[Entry]:
    """A match with all that officials do, to its end or for so many decisions."""
    setup = _setup(game, seed, restless=True)
    match = Match.open(setup.rules, replace(opening(setup), policy=POLICY), Dice(seed))
    log, rng = match.collect(), Random(seed)
    official = RandomOfficial(rng, partial(resume, setup))
    while not match.pos.over and match.pos.decisions < most:
        if rng.random() < 0.12:
            match = official.act(match, log)
            if match.pos.over:
                break
        take_turn(match, setup)
        log += match.collect()
        if match.pos.decisions % 12 == 0:
            _rule_and_note(match)
            log += match.collect()
    return log


def eventful(game: str) -> list[Entry]:
    """A match without officials, up to where it has had the event types that few matches have."""
    wanted, most = RARE[without_edition(game)]
    for seed in range(100):
        setup = _setup(game, seed)
        match = Match.open(setup.rules, replace(opening(setup), policy=POLICY), Dice(seed))
        log = match.collect()
        while not match.pos.over and match.pos.decisions < most:
            take_turn(match, setup)
            log += match.collect()
            if wanted <= {type(entry.event) for entry in log} and not match.pos.over:
                return log
    raise AssertionError(f"no match of {game} has what is wanted")


def _rule_and_note(match: Match) -> None:
    """Looks, rulings that rest on them, notes, penalties, clocks, a pause."""
    by = Official("Olga", match.pos.time + 10, "a question of a player")
    rulings.look(match, by, "seat/0")
    seen = next(e for e in reversed(match.table.out) if isinstance(e.event, Looked))
    rulings.rule(match, by, "It may stand.", ("house:named",), seen.seq, 1, seen)
    clocks.extend(match, by, "round", 60_000)
    rulings.note(match, by, "a question of a player")
    rulings.penalise(match, by, 0, "caution")
    clocks.pause(match, by)
    clocks.go_on(match, by)


def ended(game: str, seed: int) -> list[Entry]:
    """A match whose time is called, and which is decided then."""
    setup = _setup(game, seed)
    match = Match.open(setup.rules, replace(opening(setup), policy=POLICY), Dice(seed))
    while match.pos.decisions < 14:
        take_turn(match, setup)
    clocks.call_time(match, Official("Olga", match.pos.time, "the round is over"))
    take_turn(match, setup)
    clocks.decide(match, Official("Olga", match.pos.time + 1, "nobody hurries"))
    return match.collect()


def brought(game: str, first: int, most: int) -> list[Entry]:
    """A match that brings a card whose text is declared: the first in which it is."""
    for seed in range(first, first + 100):
        log = _brought(game, seed, most)
        if any(isinstance(entry.event, ev.Interjected) for entry in log):
            return log
    raise AssertionError(f"in no match of {game} is a text declared")


def _brought(game: str, seed: int, most: int) -> list[Entry]:
    """A match that brings a card, whose text is declared as often as can be."""
    setup = _setup(game, seed)._replace(decks=(DECKS[without_edition(game)][0],) * 2)
    given = opening(setup)
    decks = tuple(
        Deck(deck.name, {**deck.parts, "main": ["PR-01"] * 3 + [*deck.parts["main"][3:]]})
        for deck in given.decks
    )
    prints = (json.dumps(PRINTS[without_edition(game)]),)
    match = Match.open(setup.rules, replace(given, decks=decks, prints=prints), Dice(seed))
    while not match.pos.over and match.pos.decisions < most:
        for seat in (0, 1):
            for act in match.rules.open_acts(match.pos, seat):
                drawn = replace(act, picks=((DRAW,),))
                legal = match.rules.refusal(match.table, seat, drawn) is None
                if act.kind == "declare" and legal and match.pos.decisions % 5 == 0:
                    match.interject(seat, act.kind, match.pos.time + 1, act.card, drawn.picks[0])
                    break
        if not match.pos.over:
            take_turn(match, setup)
    return match.collect()


def at_a_table(game: str, seed: int, most: int) -> list[Entry]:
    """A match entered at a real table, with a text that was declared and an entry taken back."""
    setup = _setup(game, seed)
    dealt = Match.open(setup.rules, opening(setup), Dice(seed))
    keeper = Scorekeeper(at_table(setup.rules, opening(setup), dealt.collect()))
    while not dealt.pos.over and dealt.pos.decisions < most:
        before = decoded(dealt.pos.encoded())
        take_turn(dealt, setup)
        entries = dealt.collect()
        keeper.enter(partial(_entered, entry=entries[0], p=before), entries,
                     names_in(before, entries))  # fmt: skip
    by = Official("Sam", keeper.match.pos.time + 1, "a slip")
    keeper.match = rewind.undo(setup.rules, keeper.log, by, keeper.match.dice)
    keeper.log += keeper.match.collect()
    for seat in (0, 1):
        for number in keeper.match.pos.cards:
            act = Act("declare", number, ((DRAW,),))
            if keeper.match.rules.refusal(keeper.match.table, seat, act) is None:
                now = keeper.match.pos.time + 1
                keeper.match.interject(seat, "declare", now, number, (DRAW,))
                keeper.log += keeper.match.collect()
                return keeper.log
    return keeper.log


def _entered(match: Match, inputs: Inputs, entry: Entry, p: object) -> None:
    event = entry.event
    assert isinstance(event, ev.DecisionMade)
    decision = p.decision  # type: ignore[attr-defined]
    assert event.answer.value is not None
    act = act_of(decision.offers[event.seat], event.answer.value)
    match.choose(event.seat, event.n, act, entry.time, inputs=inputs)


def corrected(game: str, seed: int) -> list[Entry]:
    """A position put right by every verb there is."""
    setup = _setup(game, seed)
    match = Match.open(setup.rules, opening(setup), Dice(seed))
    log = match.collect()
    while not _field(match):
        take_turn(match, setup)
        log += match.collect()
    seat, card = 0, _field(match)[0]
    for fix in (
        Fix("control", (card,), seat=1 - match.pos.cards[card].controller),
        Fix("counters", kind=COUNTERS.get(game, "damage"), n=1, dst=card),
        Fix("mark", subject=f"seat/{seat}", kind="first", value=True),
        Fix("modify", (card,), kind=FIGURES[without_edition(game)], n=1),
        Fix("define", (card,)),
        Fix("move", (card,), place=f"{GRAVES.get(game, 'trash')}/{seat}"),
        Fix("remove", (card,)),
    ):
        try:
            correcting.correct(match, Official("Olga", match.pos.time + 1, "a slip"), [fix])
        except Refused:
            assert not match.collect()
            continue
        log += match.collect()
    irregular.flag(match, Official("Olga", match.pos.time + 1, "seen"), "house:named", "a slip", 1)
    return log + match.collect()


def _field(match: Match) -> list[int]:
    return [n for n, c in match.pos.cards.items() if c.orient and c.up
            and match.pos.turn and c.place.startswith(("battle", "monster", "field"))]  # fmt: skip


def forked(log: list[Entry], name: str, n: int, game: str) -> list[Entry]:
    """The log of a match gone on with from one of its decisions."""
    setup = _setup(game, n)
    fork = rewind.fork(log, name, n)
    match = resume(setup, fork)
    for _ in range(4):
        take_turn(match, setup)
    return fork + match.collect()


def by_hand(game: str, seed: int) -> list[Entry]:
    """A record with the types of events that are read, and that nothing made this program write."""
    setup = _setup(game, seed)
    match = Match.open(setup.rules, opening(setup), Dice(seed))
    while not _field(match):
        take_turn(match, setup)
    log, card, manifest = match.collect(), _field(match)[0], setup.rules.manifest
    other = next(n for n, c in match.pos.cards.items() if c.follow == EVERYONE and n != card)
    linked = [ev.CardsLinked((other,), card, role.name) for role in manifest.roles[:1]]
    more: Iterable[AnyEvent] = (
        EngineChanged(manifest.version, dict(setup.rules.digests)),
        SeedCommitted(0, b"c" * 32),
        SeedGiven(0, Sealed(1, b"s" * 32)),
        MatchBegan(((1, "silent"),)),
        SeedsOpened(b"o" * 32, (b"s" * 32, b"")),
        ShuffleWitnessed(0, 0, 1, "counted: 50"),
        CardsBrought((json.dumps(PRINTS[without_edition(game)]),)),
        ev.AttackDeclared(card, "seat/1"),
        ev.AttackChanged("seat/1", 0, "redirected"),
        ev.CardsDefined((card,), {"type": "set", "power": 3}),
        ev.FrameOpened(
            match.pos.next_frame,
            manifest.frames[0].name,
            0,
            log[-1].seq,
            {"card": card, "faces": (card, 0)},
        ),
        ev.EffectScheduled(match.pos.next_act, "", "", card, 1, "turn", 9, 1, (card, "seat/0"), 2),
        ev.EffectScheduled(match.pos.next_act + 1, "", "", card, 0, "turn"),
        ev.ScheduleEnded((match.pos.next_act + 1,), "void"),
        *linked,
        ev.DepartureBegan(
            (card,),
            "correction",
            "seat/1",
            f"{GRAVES.get(game, 'trash')}/{match.pos.cards[card].owner}",
        ),
        ev.CardsRemoved((card,), "correction"),
        ev.FrameClosed(match.pos.next_frame),
        ResultCorrected(-1, (0, 0), "a slip", (1,)),
    )
    last = log[-1]
    return [*log, *(
        Entry(last.seq + k, last.time, last.moment + k, 0, BY_OFFICIAL, ("house:official",), event)
        for k, event in enumerate(more, 1)
    )]  # fmt: skip


def impossible(game: str) -> set[type[AnyEvent]]:
    """The types of events that a game can't have: without roles no card lies with another."""
    return set() if rulebook(game).manifest.roles else {ev.CardsAttached, ev.CardsLinked}


def logs(game: str) -> Iterator[tuple[str, list[Entry]]]:
    """Every golden match of a game: its id and its record; no two games share an id."""
    at = game[0] if game == without_edition(game) else without_edition(game)[-1]
    first = whole(game, 11, 30)
    yield f"{at}aaaa", eventful(game)
    yield f"{at}bbbb", first
    yield f"{at}cccc", at_a_table(game, 5, 14)
    yield f"{at}dddd", brought(game, 5, 60 if game == "yugioh" else 25)
    yield f"{at}ffff", forked(first, f"{at}bbbb", 9, game)
    yield f"{at}gggg", ended(game, 8)
    yield f"{at}hhhh", corrected(game, 9)
    yield f"{at}jjjj", by_hand(game, 2)


def main(game: str) -> None:
    """Write the store, and two records as `kifu export` does: it takes much room."""
    there, name = of_today(game), rulebook(game).manifest.version.replace(" ", "-")
    directory = HERE / (f"{name}-{len(there) + 1}" if there else name)
    directory.mkdir(parents=True)
    found = {name: log for name, log in logs(game) if not there or name[1:] == "jjjj"}
    saved(directory / "matches.kifu", found, rest=2)
    for name, log in found.items():
        print(name, len(log), log[-1].seq)
        if name[1:] in ("cccc", "jjjj"):  # of a table, and dealt
            (directory / f"{name}.jsonl").write_text("".join(record.write(log)), "utf-8")


def saved(path: Path, logs: Mapping[str, list[Entry]], rest: float = 0) -> None:
    """Write a store of matches of one game, as a server does; snapshots come in the rest, in s."""

    async def save() -> None:
        records = Records(path)
        game = playing(next(iter(logs.values())))
        matches = Matches(records, {game: rulebook(game)})
        for name, log in logs.items():
            await matches.save(name, game, log)
        await asyncio.sleep(rest)
        await matches.close()
        records.close()

    asyncio.run(save())


def playing(log: Sequence[Entry]) -> str:
    """The game of a record."""
    return engine_of(log).partition(" ")[0]


def of_today(game: str) -> list[Path]:
    """The directories with records by a game's engine at hand: the first, one a layout since."""
    version = rulebook(game).manifest.version
    return [path for path in DIRECTORIES if version in map(engine_of, kept(path).values())]


if __name__ == "__main__":
    main(sys.argv[1])
