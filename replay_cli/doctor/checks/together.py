"""Checks of servers that share a store: clocks, versions, keys, the log of heads, news, limits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

from domain.words.phrases import Phrase, phrase
from replay_cli.doctor.checks.reach import FOREIGN
from replay_cli.doctor.findings import MEND, WRONG, Problem
from replay_cli.doctor.seen import Process, Seen

#: Clocks that are this far apart, in seconds, show in the times of matches; or make tokens
#: worthless at one server that are good at another.
APART, FAR = 1.0, 30.0
#: Files that a server should be allowed to have open.
FILES = 4096


def clocks(seen: Seen) -> Iterator[Problem]:
    """Whether the clocks of servers, of their database and of this machine agree."""
    remedy = phrase(
        "Have all machines set their clocks by the network (chrony, systemd-timesyncd)."
    )
    for one in seen.processes():
        off = abs(one.ahead) - one.give
        if off > APART:
            text = phrase(
                "Its clock is {seconds} s {way} that of this machine.",
                seconds=f"{abs(one.ahead):.1f}",
                way=phrase("ahead of" if one.ahead > 0 else "behind"),
            )
            yield Problem(WRONG if off > FAR else MEND, one.name, text, remedy)
    for where, facts in seen.described():
        ahead = float(facts.get("clock_ms", "0")) / 1000
        if abs(ahead) > APART:
            text = phrase(
                "The clock of its database is {seconds} s off.", seconds=f"{abs(ahead):.1f}"
            )
            yield Problem(WRONG if abs(ahead) > FAR else MEND, where, text, remedy)


def versions(seen: Seen) -> Iterator[Problem]:
    """Whether all servers know the same: while they are replaced they may differ, and no longer."""
    text = "Servers are of different versions: {which}."
    remedy = phrase(
        "During an upgrade this is normal; then restart the older ones. Older servers"
        " do not read or write records of newer ones (RECORD_NEWER)."
    )
    yield from _apart(seen, _version, MEND, text, remedy)
    text = "Servers have rulebooks of different versions: {which}."
    yield from _apart(seen, _engines, MEND, text, remedy)


def keys(seen: Seen) -> Iterator[Problem]:
    """Whether a token that one server issues is good at every other."""
    text = "Servers sign tokens with different keys, and take none of each other's ({which})."
    remedy = phrase(
        "Give all of them the same key file (FILE-key, next to --data), and restart them."
    )
    yield from _apart(seen, lambda one: one.key, WRONG, text, remedy)
    for place in seen.endpoints:
        if place.refused == FOREIGN and any(seen.processes()):
            text = "It takes no token of the other servers: it signs with another key."
            yield Problem(WRONG, place.address, phrase(text), remedy)
    text = "Servers have different keys for the log of heads ({which})."
    remedy = phrase(
        "Give all of them the same file (FILE-log-key), so that any can keep the log up."
    )
    yield from _apart(seen, lambda one: one.log_key, MEND, text, remedy)


def stores(seen: Seen) -> Iterator[Problem]:
    """Whether servers behind one address have one store."""
    for place in seen.endpoints:
        if len(place.processes) > 1 and any(
            one.store.get("shared") == "no" for one in place.processes
        ):
            text = phrase(
                "Behind it are {n} servers, each with its own file.", n=len(place.processes)
            )
            remedy = phrase("Servers at one address have to share a PostgreSQL database (--store).")
            yield Problem(WRONG, place.address, text, remedy)


def log_of_heads(seen: Seen) -> Iterator[Problem]:
    """Whether exactly one server keeps up the log of heads."""
    keeping = [one.name for one in seen.processes() if one.keeps_log]
    shared = any(one.store.get("shared") == "yes" for one in seen.processes())
    if not keeping:
        text = phrase("None of the servers that were asked keeps up the log of heads.")
        remedy = phrase(
            "If there are others, ask them, too. Else the log of the one that should says what"
            " holds it back: no key, or a log that is damaged."
        )
        yield Problem(MEND, _names(seen), text, remedy)
    if shared and len(keeping) > 1:
        text = phrase(
            "{n} servers keep up the log of heads: {which}.",
            n=len(keeping),
            which=", ".join(keeping),
        )
        remedy = phrase(
            "Restart all of them but one; their clocks or the database may have failed."
        )
        yield Problem(WRONG, _names(seen), text, remedy)


def news(seen: Seen) -> Iterator[Problem]:
    """Whether news get from server to server."""
    remedy = phrase(
        "See that what carries news runs and can be reached (`--news`). Until then servers look by"
        " themselves: nothing is lost, and followers hear of it a little later."
    )
    for one in seen.processes():
        if one.news not in ("", "ok"):
            yield Problem(
                MEND, one.name, phrase("News do not get through: {state}.", state=one.news), remedy
            )


def limits(seen: Seen) -> Iterator[Problem]:
    """Whether a server may have as many connections as a crowd needs."""
    for one in seen.processes():
        if 0 < one.open_files < FILES:
            text = phrase("It may have {n} files open, connections among them.", n=one.open_files)
            remedy = phrase(
                "Raise that: LimitNOFILE=16384 (systemd), ulimits (Compose), ulimit -n."
            )
            yield Problem(MEND, one.name, text, remedy)


def _apart(
    seen: Seen, version: Callable[[Process], str], level: int, text: str, remedy: Phrase
) -> Iterator[Problem]:
    """A problem if processes tell different things; those that tell nothing are left out."""
    found = defaultdict[str, list[str]](list)
    for one in seen.processes():
        if version(one):
            found[version(one)].append(one.name)
    if len(found) > 1:
        which = "; ".join(f"{value}: {', '.join(names)}" for value, names in found.items())
        yield Problem(level, _names(seen), phrase(text, which=which), remedy)


def _version(one: Process) -> str:
    return phrase("{version}, events up to {n}", version=one.version, n=one.newest_event)


def _engines(one: Process) -> str:
    return ", ".join(f"{game} {version}" for game, version in sorted(one.engines.items()))


def _names(seen: Seen) -> str:
    return ", ".join(one.name for one in seen.processes())
