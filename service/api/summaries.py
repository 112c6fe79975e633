"""A match in short for lists and queries, made from its listing (`listing`).

For viewers with a delay the summary after an earlier entry comes from the record.
"""

from __future__ import annotations

from kifu.v1 import match_service_pb2 as pb
from kifu.v1.values_pb2 import Label

from domain.engine.rulebook import IMPORTED
from domain.record.views import PUBLIC
from service.store.derived import listing, rewinds
from service.store.derived.listing import LIVE, Listed, Outcome
from service.store.history import History
from service.store.records import LAST

#: The states of matches on the wire, as the listing knows them, and back.
STATES = {
    pb.MATCH_STATE_LIVE: LIVE,
    pb.MATCH_STATE_ENDED: listing.ENDED,
    pb.MATCH_STATE_WAITING: listing.WAITING,
}
_SENT = {state: sent for sent, state in STATES.items()}
#: What pages and their addresses call them, in the order in which a page lists matches.
NAMES = {
    pb.MATCH_STATE_LIVE: "live",
    pb.MATCH_STATE_WAITING: "waiting",
    pb.MATCH_STATE_ENDED: "ended",
}


def summary(history: History, listed: Listed, upto: int = LAST) -> pb.Match:
    """A match in short, as it stood after entry `upto`."""
    heading = listed.heading
    entries, undone = listed.entries, listed.rewinds
    if upto < LAST or not entries:
        entries = min(upto, history.records.last(listed.id))
        undone = len(rewinds.find(history.records, listed.id, upto))
    found = pb.Match(
        id=listed.id,
        game=heading.game,
        engine=heading.engine,
        mode=heading.mode,
        best_of=heading.best_of,
        seats=heading.seats,
        labels=[Label(name=name, value=value) for name, value in heading.labels.items()],
        entries=entries,
        rewinds=undone,
        imported=str(heading.options.get(IMPORTED, "")),
        chance=heading.chance,
    )
    found.open_time.FromMilliseconds(heading.at)
    state, outcome = listed.state, listed.outcome
    if upto < LAST:
        pos = history.position(listed.id, PUBLIC, upto=upto)
        outcome = Outcome(pos.winner, tuple(pos.score) if pos.over else ())
        state = listing.ENDED if pos.over else listing.WAITING if pos.heading.waits else LIVE
    if heading.origin is not None:
        found.unofficial, outcome = True, Outcome()
        found.fork.match, found.fork.seq = heading.origin.match, heading.origin.seq
    found.state = _SENT[state]
    found.waits = heading.waits if state == listing.WAITING else ""
    found.winner = outcome.winner
    found.score.extend(outcome.score)
    if (listed.superseded or not listed.entries) and heading.origin is None:
        for seq, was in listing.superseded(history.records, listed.id, upto):
            found.superseded.add(winner=was.winner, score=was.score, by=seq)
    return found
