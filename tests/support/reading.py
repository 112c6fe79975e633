"""The matches of a store, and such as hear what others add to it, of a file that is only read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from service.live.matches import Matches
from service.news.news import News
from service.news.polling import Polling
from service.store.records import Records
from tests.toy import RULEBOOKS


@asynccontextmanager
async def writing(store: Path | str, **settings: Any) -> AsyncIterator[Matches]:
    """The matches of a store."""
    with closing(Records(store)) as records:
        found = Matches(records, RULEBOOKS, **settings)
        try:
            yield found
        finally:
            await found.close()


@asynccontextmanager
async def reading(file: Path, news: News | None = None) -> AsyncIterator[Matches]:
    """Matches of a file that is only read; they hear these news, or look often by themselves."""
    news = news or Polling(lambda: 0.02)
    with closing(Records(file, reading=True)) as records:
        async with hearing(Matches(records, RULEBOOKS, news=news), news) as found:
            yield found


@asynccontextmanager
async def hearing(matches: Matches, news: News) -> AsyncIterator[Matches]:
    """Matches whose streams get news; both are closed in the end."""
    news.listen(
        lambda piece: matches.streams.caught_up(piece.id, piece.seq),
        lambda: matches.streams.missed(),
    )
    await news.start()
    try:
        yield matches
    finally:
        await news.close()
        await matches.close()
