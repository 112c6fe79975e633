"""Texts by people are plain text on every page: no markup, no address, no template."""

from __future__ import annotations

from html.parser import HTMLParser

import httpx
import pytest

from service.client.client import Client
from tests.end_to_end.web import everybody, payloads
from tests.end_to_end.web.payloads import Named
from tests.support.marks import each
from tests.support.serving import Running


class Page(HTMLParser):
    """The active parts of a page, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        for key, value in attrs:
            address = key in ("href", "src", "action", "formaction", "xlink:href", "data")
            if key.startswith("on") or key in ("style", "srcdoc"):
                self.wrong.append(f"{tag} {key}")
            if value and address and not value.startswith(("/", "#", "?", "data:image")):
                self.wrong.append(f"{tag} {key}={value}")
            if address and (value or "").startswith("//"):
                self.wrong.append(f"{tag} {key}={value}")
        framed = tag == "iframe" and not (named.get("src") or "/overlay").startswith("/overlay")
        if (
            framed
            or tag in ("object", "embed", "base", "style")
            or (
                tag == "script"
                and not (named.get("src") or "").startswith("/static/")
                and named.get("type") != "application/json"
            )
        ):
            self.wrong.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def named(host: Client) -> Named:
    return payloads.name_everything(host)


def _late(path: str, last: int) -> list[str]:
    """An address, and those like it of the last entries, which have what officials wrote."""
    late = path.replace("/0-3", f"/0-{last}").replace("/at/3", f"/at/{last}")
    entries = [late.replace("/entry/2", f"/entry/{last - n}") for n in range(6)]
    return [path, *dict.fromkeys(entries)]


@pytest.mark.parametrize("signed_in", each(2, [True, False]), ids=["organiser", "public"])
def test_whatever_is_written_is_text_on_every_page(
    site: Running, host: Client, named: Named, browser: httpx.Client, signed_in: bool
) -> None:
    seen, wrong = "", []
    paths = {
        path.replace("{match}", match).replace("{event}", named.event)
        for match in named.matches
        for one in everybody.addresses()
        if "GET" in one.methods and not one.path.endswith(("/follow", "/entries", "/positions"))
        for path in _late(one.path, host.match(match).entries)
    }
    for path in sorted(paths):
        headers = {"authorization": f"Bearer {site.token}"} if signed_in else {}
        found = browser.get(path, headers=headers)
        assert found.status_code < 500, path
        assert "evil" not in str(found.headers)
        if found.headers.get("content-type", "").startswith("text/html"):
            page = Page(found.text)
            wrong += [(path, one) for one in page.wrong]
            seen += page.text
        elif b"<script" in found.content:
            assert found.headers["content-type"].startswith(("application/json", "text/javascript"))
    assert not wrong
    if signed_in:
        for text in payloads.PRINTABLE:
            assert text in seen, text  # as it was written
