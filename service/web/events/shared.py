"""The page of an event: made once for all who look at it.

When a round opens, all players look at once. The page is the same for them but for the time, the
name that somebody looks for (`?name=`) and the link to one's own list, which are filled in each
time. Whatever is recorded at the event makes another page. One that is older than `KEPT` is made
anew meanwhile, as the time on a clock without scripts is as old as it; nobody waits for that.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from functools import partial
from html import escape, unescape

from msgspec import Struct

#: After how many seconds a page is made anew, and how old one may be that is shown meanwhile; how
#: many pages are kept.
KEPT, OLDEST, MOST = 5.0, 15.0, 64
_NAMES = re.compile(r'<li data-names="([^"]*)"')
_TIME = re.compile(r'data-now="\d+"')
_FIELD = 'type="search" value=""'
_OWN = "<!--own list-->"
#: An event, its last entry, a language, how late it is seen: what a page is of.
Key = tuple[str, int, str, str]


class _Made(Struct):
    """A page that is being made, or was, since when; and who makes it anew, if anybody."""

    text: asyncio.Task[str]
    at: float
    next: asyncio.Task[str] | None = None


class Shared:
    """The pages that are kept. To be used within one loop."""

    def __init__(self) -> None:
        self._made = dict[Key, _Made]()

    async def get(self, key: Key, make: Callable[[], Awaitable[str]]) -> str:
        """The page of an event at an entry; who asks while the first is made waits for it."""
        now, found = time.monotonic(), self._made.get(key)
        if found is None or now - found.at > OLDEST or _failed(found.text):
            found = self._begin(key, asyncio.ensure_future(make()), now)
        elif now - found.at > KEPT and found.next is None and found.text.done():
            found.next = asyncio.ensure_future(make())
            found.next.add_done_callback(partial(self._renewed, key, now))
        return await asyncio.shield(found.text)

    def _begin(self, key: Key, text: asyncio.Task[str], now: float) -> _Made:
        """Keep a page that is made, in the place of an older one."""
        self._made = {one: made for one, made in [*self._made.items()][-MOST + 1 :] if one != key}
        self._made[key] = found = _Made(text, now)
        return found

    def _renewed(self, key: Key, since: float, text: asyncio.Task[str]) -> None:
        if not _failed(text) and key in self._made:
            self._begin(key, text, since)
        elif key in self._made:
            self._made[key].next = None


def _failed(made: asyncio.Task[str]) -> bool:
    return made.done() and (made.cancelled() or made.exception() is not None)


def filled(page: str, now: int, wanted: str, own: str = "") -> str:
    """A page at a time (ms since 1970), with the link to one's own list.

    Tables of players whose name has what is `wanted` show.
    """
    page = _TIME.sub(f'data-now="{now}"', page, count=1)
    if own:
        page = page.replace(_OWN, own, 1)
    if not wanted:
        return page
    page = page.replace(_FIELD, f'type="search" value="{escape(wanted)}"', 1)

    def marked(found: re.Match[str]) -> str:
        fits = wanted.casefold() in unescape(found[1]).casefold()
        return found[0] + (' class="found"' if fits else " hidden")

    return _NAMES.sub(marked, page)
