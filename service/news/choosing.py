"""Chooses how news are sent, as configured: `nats://…`, `listen`, `poll`, or the default.

Servers that share a store also poll (`polling`), with any carrier of news: seldom while it works. A
server that is alone with its store sends news if configured: programs outside may follow them.
"""

from __future__ import annotations

from service.news.news import OK, News, Several
from service.news.polling import OFTEN, SELDOM, Polling
from service.news.relay import Link, Relay
from service.telemetry.shared import NewsMetrics

#: The ways that have no address of their own.
LISTEN, POLL = "listen", "poll"
_POSTGRES = ("postgresql://", "postgres://")
_NATS = ("nats://", "tls://")


def news(
    text: str,
    store: str,
    *,
    alone: bool,
    metrics: NewsMetrics | None = None,
) -> News:
    """The news of a server with this store; raises `ValueError` if they can't be had so.

    `alone`: nobody else writes to the store.
    """
    postgres = store.startswith(_POSTGRES)
    if not text:
        text = POLL if not postgres else LISTEN
        if alone:
            return News()
    if text == POLL:
        return Polling()
    if text == LISTEN and not postgres:
        raise ValueError("only servers that share a PostgreSQL have it carry their news")
    relay = Relay(_link(store if text == LISTEN else text), metrics)
    if alone:
        return relay
    return Several(relay, Polling(lambda: SELDOM if relay.state == OK else OFTEN))


def _link(url: str) -> Link:
    """The connection to what has this address; raises `ValueError`."""
    try:
        if url.startswith(_NATS):
            from service.news import nats  # which only those have who use it

            return nats.Nats(nats.address(url))
        if url.startswith(_POSTGRES):
            from service.news import listening

            return listening.Listen(url)
    except ImportError as error:
        raise ValueError(f"{error.name} is not installed: pip install 'kifu[cluster]'") from error
    raise ValueError("news go by nats://HOST:PORT, by listen (PostgreSQL), or by poll")
