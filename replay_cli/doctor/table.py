"""All checks, in the order in which they are printed."""

from __future__ import annotations

from domain.words.phrases import phrase
from replay_cli.doctor.checks import proxies, reach, stores, together, unseen
from replay_cli.doctor.findings import Check
from replay_cli.doctor.seen import Seen


def _endpoints(seen: Seen) -> bool:
    return bool(seen.endpoints)


def _addresses(seen: Seen) -> bool:
    return bool(seen.endpoints or seen.pages)


def _pages(seen: Seen) -> bool:
    return any(one.first >= 0 or one.stream for one in seen.pages)


def _certificates(seen: Seen) -> bool:
    return any(one.certificate is not None for one in seen.endpoints)


def _processes(seen: Seen) -> bool:
    return any(seen.processes())


def _several(seen: Seen) -> bool:
    return len([*seen.processes()]) > 1


def _keys(seen: Seen) -> bool:
    return _several(seen) or len(seen.endpoints) > 1


def _proxied(seen: Seen) -> bool:
    return any(len(one.processes) > 1 for one in seen.endpoints)


def _stores(seen: Seen) -> bool:
    return bool(seen.stores) or _processes(seen)


def _clocks(seen: Seen) -> bool:
    return _processes(seen) or _postgres(seen)


def _postgres(seen: Seen) -> bool:
    return any(facts.get("kind") == "postgresql" for _, facts in seen.described())


def _files(seen: Seen) -> bool:
    return any("filesystem" in facts for _, facts in seen.described())


def _migrations(seen: Seen) -> bool:
    return any(one.facts.get("kind") == "postgresql" or one.missing for one in seen.stores)


def _news(seen: Seen) -> bool:
    return any(one.news for one in seen.processes())


def _listening(seen: Seen) -> bool:
    return any(one.heard is not None for one in seen.stores)


def _reader(seen: Seen) -> bool:
    return seen.reader is not None


CHECKS = (
    Check(
        "reach",
        phrase("Everybody who was asked answers."),
        reach.answers,
        _addresses,
        unseen.nothing,
    ),
    Check(
        "http2",
        phrase("What answers speaks HTTP/2."),
        reach.speaks_http2,
        _endpoints,
        unseen.spoken,
    ),
    Check("health", phrase("All say that they serve."), reach.serves, _addresses, unseen.healthy),
    Check(
        "describe", phrase("Servers say what they are."), reach.describes, _endpoints, unseen.called
    ),
    Check(
        "tls",
        phrase("Connections over a network use TLS."),
        reach.speaks_tls,
        _endpoints,
        unseen.connected,
    ),
    Check(
        "certificate",
        phrase("Certificates fit and last."),
        reach.certificates,
        _certificates,
        unseen.shown,
    ),
    Check(
        "clocks",
        phrase("Clocks agree."),
        together.clocks,
        _clocks,
        unseen.facts(postgresql=["clock_ms"]),
    ),
    Check(
        "versions",
        phrase("All servers are of one version."),
        together.versions,
        _several,
        unseen.described,
    ),
    Check(
        "keys", phrase("All servers have the same keys."), together.keys, _keys, unseen.described
    ),
    Check(
        "one-store",
        phrase("Servers at one address share a store."),
        together.stores,
        _proxied,
        unseen.described,
    ),
    Check("store", phrase("The store answers."), stores.reached, _stores, unseen.facts()),
    Check(
        "writable",
        phrase("The store can be written to."),
        stores.writable,
        _stores,
        unseen.facts(each=["writable"], postgresql=["recovery"]),
    ),
    Check(
        "migrations",
        phrase("The database has all its tables."),
        stores.migrated,
        _migrations,
        unseen.migrated,
    ),
    Check(
        "durability",
        phrase("Acknowledged commands survive."),
        stores.durable,
        _postgres,
        unseen.facts(postgresql=[*stores.DURABLE]),
    ),
    Check(
        "latency",
        phrase("The store answers quickly."),
        stores.quick,
        _stores,
        unseen.facts(each=["latency_ms"]),
    ),
    Check(
        "place",
        phrase("The file is on a safe file system, with free space."),
        stores.places,
        _files,
        unseen.facts(sqlite=["filesystem", "free_mb", "mode"]),
    ),
    Check(
        "news", phrase("News get from server to server."), together.news, _news, unseen.described
    ),
    Check(
        "listen",
        phrase("LISTEN and NOTIFY come through."),
        stores.heard,
        _listening,
        unseen.listened,
    ),
    Check(
        "log",
        phrase("One server keeps up the log of heads."),
        together.log_of_heads,
        _processes,
        unseen.leading,
    ),
    Check(
        "limits",
        phrase("Servers may have many connections."),
        together.limits,
        _processes,
        unseen.limited,
    ),
    Check("sticky", phrase("A match has its server."), proxies.sticky, _proxied, unseen.described),
    Check(
        "streams",
        phrase("Streams of events arrive without delay."),
        proxies.streams,
        _pages,
        unseen.followed,
    ),
    Check(
        "reader",
        phrase("The read-only token reads, and does nothing else."),
        proxies.reader,
        _reader,
        unseen.read,
    ),
)
