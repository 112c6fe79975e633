"""Checks of proxies: whether streams pass, and matches reach their servers."""

from __future__ import annotations

from collections.abc import Iterator

from domain.words.phrases import phrase
from replay_cli.doctor.findings import MEND, WRONG, Problem
from replay_cli.doctor.seen import Seen

#: Seconds within which the first of a stream has to be there.
PROMPT = 3.0


def streams(seen: Seen) -> Iterator[Problem]:
    """Whether server-sent events come through at once."""
    for one in seen.pages:
        if one.stream:
            text = phrase("No stream of events comes through: {why}.", why=one.stream)
            remedy = phrase(
                "Let the proxy buffer nothing of these addresses (nginx: `proxy_buffering off`),"
                " and wait longer than 15 seconds for what comes next (`proxy_read_timeout 60s`)."
            )
            yield Problem(WRONG, one.address, text, remedy)
        elif one.first > PROMPT:
            text = phrase("A stream of events is held back for {s} s.", s=f"{one.first:.0f}")
            remedy = phrase(
                "Let the proxy buffer nothing of these addresses (`proxy_buffering off`)."
            )
            yield Problem(MEND, one.address, text, remedy)


def sticky(seen: Seen) -> Iterator[Problem]:
    """Whether all calls of a match reach one server, which has it in memory then."""
    for place in seen.endpoints:
        if len(place.processes) < 2:
            continue
        apart = [about for about, servers in place.asked.items() if len(servers) > 1]
        if apart:
            text = phrase(
                "Calls about the same match reach several servers ({n} of {all} that were tried).",
                n=len(apart),
                all=len(place.asked),
            )
            remedy = phrase(
                "That is no fault, and costs time: have the proxy choose by the header kifu-match"
                " (nginx: `hash … consistent`; Envoy: RING_HASH)."
            )
            yield Problem(MEND, place.address, text, remedy)
        if len({frozenset(one) for one in place.asked.values()}) == 1 and not apart:
            text = phrase("All calls reach the same one of {n} servers.", n=len(place.processes))
            remedy = phrase("Have the proxy choose by the header kifu-match.")
            yield Problem(MEND, place.address, text, remedy)


def reader(seen: Seen) -> Iterator[Problem]:
    """Whether a token that is for reading is good for that, and for nothing else."""
    found = seen.reader
    if found is None:
        return
    if found.refused:
        text = phrase("The read-only token is not accepted: {why}.", why=found.refused)
        remedy = phrase("Issue a new one: kifu tokens --role public.")
        yield Problem(WRONG, found.role, text, remedy)
        return
    for what in found.got:
        text = phrase("A token that should only read may {what}.", what=what)
        remedy = phrase("Revoke it (kifu tokens revoke), and issue one with a smaller role.")
        yield Problem(WRONG, found.role, text, remedy)
    if found.sees == 0:
        text = phrase("The reader's token sees no match.")
        remedy = phrase("It may be another match's or event's: kifu tokens shows what it is for.")
        yield Problem(MEND, found.role, text, remedy)
