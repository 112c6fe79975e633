"""Pages in the language of their reader: chosen, apart in caches, and all of it by the tables.

The language is one that does not exist (`tests.support.pseudo`), so a server runs in this process.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from domain.games import names, rulebook
from domain.words import tables
from service.client.client import Client
from service.server import Server
from service.settings import Settings
from service.web.assets import assets
from tests.end_to_end.browser import all_pages
from tests.support.pseudo import TAG, untranslated, write_tables
from tests.support.serving import Running

#: Attributes that are read or shown; those of elements' data if there is a sentence in them.
SHOWN = {"title", "aria-label", "placeholder", "alt", "label"}
VOID = {"meta", "link", "input", "img", "br", "hr"}
#: What is the same in all languages: names of people, of themes, of what is typed, of the API.
FREE = (
    "Kifu", "API", "Anna Lindqvist", "Anna", "Cas", "Dot", "Cup", "organiser", "ST01-001",
    "7K2M-9QXR", "UTC", "OMW%", "OGW%", "GW%", "bold", "plain", "conceded", "no-show", "both lost",
    "Gundam Card Game 1.9", "given", "repair", "set sky arms", "Repair 2",
)  # fmt: skip
#: Pages that have much that is typed, or written for programmers.
TYPED = ("api", "service", "desk", "desk-table")
#: What is written by people at an event, or recorded as it was.
WRITTEN = re.compile(
    r"^card:|a question about something|\blate\b|seat \d of|official of|public of|\brecorded\b|:\d/"
    r"|^[\w#-]+$|\{\w+\}"
)


class Page(HTMLParser):
    """The texts of a page that are in its language, and what that is."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.lang, self.texts = "", list[str]()
        self._open = list[tuple[str, bool]]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {key: value or "" for key, value in attrs}
        self.lang = named.get("lang", "") if tag == "html" else self.lang
        if tag not in VOID:
            other = named.get("lang", self.lang) != self.lang
            self._open.append((tag, other or tag in ("script", "style", "code", "kbd")))
        for key, value in named.items():
            if tag == "abbr":  # the gist of a rule, of which there are tables of their own
                continue
            if key in SHOWN or (key.startswith("data-") and " " in value):
                self._add(value)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        self._add(data)

    def _add(self, text: str) -> None:
        if text.strip() and not any(apart for _, apart in self._open):
            self.texts.append(text.strip())


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AbstractAsyncContextManager[Running]:
    """A server that has tables of the language."""
    return _spoken(tmp_path, monkeypatch)


@asynccontextmanager
async def _spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Running]:
    folder = tmp_path / "tables"
    folder.mkdir()
    lying = write_tables(folder)
    monkeypatch.setattr(tables, "folders", lambda: iter(lying))
    _forget()
    server = Server(Settings(data=tmp_path / "m.kifu", port=0, http_port=0))
    try:
        found = await server.start()
        yield Running(cast(Any, None), tmp_path, found.address, found.token, found.web)
    finally:
        await server.stop()
        monkeypatch.undo()
        _forget()


def _forget() -> None:
    tables.languages.cache_clear()
    tables.language.cache_clear()
    tables._language.cache_clear()


async def _in_thread(site: Running, ask: Any) -> None:
    def run() -> None:
        with site.client() as host, httpx.Client(base_url=site.web) as web:
            web.headers.update({"accept": "text/html", "sec-fetch-site": "same-origin"})
            ask(host, web)

    await asyncio.to_thread(run)


async def test_the_language_is_of_the_address_else_chosen_else_preferred(site: Running) -> None:
    def ask(host: Client, web: httpx.Client) -> None:
        def seen(path: str = "/", **headers: str) -> str:
            return Page(web.get(path, headers=headers).text).lang

        preferred = {"accept-language": f"fr, {TAG};q=0.8, en;q=0.5"}
        assert (seen(), seen(**preferred)) == ("en", TAG)
        assert seen("/?lang=en", **preferred) == "en"
        form = {"referer": f"{site.web}/cards/gundam/ST01-001?lang={TAG}&x=1"}
        chosen = web.post("/language", data={"lang": "en"}, headers=form)
        assert chosen.headers["location"] == "/cards/gundam/ST01-001?x=1"
        assert (seen(**preferred), seen(f"/?lang={TAG}")) == ("en", TAG)
        for wrong in ("", "klingon"):
            assert web.post("/language", data={"lang": wrong}).status_code == 400
        foreign = web.post(
            "/language", data={"lang": TAG}, headers={"sec-fetch-site": "cross-site"}
        )
        assert foreign.status_code == 403

    await _in_thread(site, ask)


async def test_what_a_cache_keeps_depends_on_its_address(site: Running) -> None:
    def ask(host: Client, web: httpx.Client) -> None:
        match = host.open_match("gundam", ["A", "B"], ["ST01", "ST02"]).id
        preferred = {"accept-language": TAG, "cookie": f"kifu-lang={TAG}"}
        for path in (f"/m/{match}/at/3", f"/m/{match}/lines/0-3", f"/overlay/{match}"):
            plain = web.get(path)
            assert web.get(path, headers=preferred).content == plain.content
            assert "⟦" not in plain.text
            assert "⟦" in web.get(f"{path}?lang={TAG}").text
        page = web.get(f"/m/{match}", headers=preferred)
        assert page.headers["cache-control"] == "public, max-age=1"
        assert {"accept-language", "cookie"} <= {*page.headers["vary"].split(", ")}
        assert "⟦" in page.text
        card = "/cards/gundam/ST01-001"
        assert web.get(card, headers=preferred).headers["cache-control"] == "no-store"
        assert web.get(f"{card}?lang={TAG}").headers["cache-control"].startswith("public")

    await _in_thread(site, ask)


def test_scripts_leave_keys_to_an_input_method() -> None:
    """A key that composes a word is none of a page's shortcuts."""
    for name, script in assets().items():
        text = script.body.decode()
        for handler in re.findall(
            r'document\.addEventListener\("keydown".*?\n\s*\}(?:, true)?\);', text, re.DOTALL
        ):
            assert "isComposing" in handler, name


@pytest.mark.long
async def test_nothing_on_any_page_bypasses_the_tables(site: Running) -> None:
    found = dict[str, list[str]]()
    gists = {rule.gist for game in names() for rule in rulebook(game).rules.values()}

    def ask(host: Client, web: httpx.Client) -> None:
        for shown in all_pages.made(site):
            headers = {"accept-language": TAG}
            if shown.token:
                headers["authorization"] = f"Bearer {shown.token}"
            page = Page(web.get(shown.path, headers=headers).text)
            assert page.lang == TAG, shown.name
            if shown.name in TYPED:
                continue
            texts = [text for text in page.texts if not (text in gists or WRITTEN.search(text))]
            game = next((one for one in names() if one in shown.name), "gundam")
            wrong = [*untranslated(texts, rulebook(game), *FREE)]
            if wrong:
                found[shown.name] = [*dict.fromkeys(wrong)]

    await _in_thread(site, ask)
    assert found == {}
