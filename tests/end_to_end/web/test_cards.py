"""The page of a card: for everybody, the same for all, kept; links to it from lines and options."""

from __future__ import annotations

import httpx

from domain import games
from domain.telling.book import ENGLISH, Book
from domain.words.tables import language
from service.client.client import Client
from service.web.cards.linking import linked
from tests.support.serving import Running


def test_a_card_has_a_page_with_figures_texts_and_rules(site: Running) -> None:
    address, html = f"{site.web}/cards/gundam/ST01-001", {"accept": "text/html"}
    assert httpx.get(address, headers=html).headers["cache-control"] == "no-store"
    found = httpx.get(f"{address}?lang=en", headers=html)
    assert found.status_code == 200
    assert found.headers["cache-control"] == "public, max-age=86400"
    assert "give all your Units" in found.text
    part = httpx.get(f"{site.web}/cards/gundam/ST01-001?part=1").text
    assert part.startswith("<article")
    assert "<html" not in part
    cited = httpx.get(f"{site.web}/cards/yugioh/{_citing()}").text
    assert "reading:ygo/" in cited
    for path in ("gundam/nothing", "nothing/ST01-001"):
        assert httpx.get(f"{site.web}/cards/{path}").status_code == 404


def _citing() -> str:
    rules = games.rulebook("yugioh")
    return next(
        card.id
        for card in Book.of(rules).cards.values()
        if any(one.get("cites") for one in card.facts.get("effect", ()))
    )


def test_lines_and_options_link_to_what_their_cards_say(site: Running, host: Client) -> None:
    opened = host.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST02"], seed=3)
    clients = [host.with_token(token) for token in opened.seats]
    for _ in range(60):
        decision = clients[0].position(opened.id).decision
        assert decision is not None
        seat = decision.seats[0]
        offer = clients[seat].position(opened.id).decision.offers[seat]  # type: ignore[union-attr]
        assert offer is not None
        if offer.options[0].kind == "deploy":
            break
        clients[seat].choose(opened.id, decision.n, offer.options[-1].act())
    headers = {"authorization": f"Bearer {opened.seats[seat]}"}
    asked = httpx.get(f"{site.web}/seat/{opened.id}/choices", headers=headers).json()
    assert 'class="card about" href="/cards/gundam' in asked["html"]
    upto = asked["seq"]
    lines = f"{site.web}/m/{opened.id}/as/{{}}/lines/0-{upto}"
    own = httpx.get(lines.format(f"seat-{seat}"), headers=headers).text
    public = httpx.get(lines.format("public"), headers=headers).text
    assert '<a class="card" href="/cards/gundam' in own
    assert own.count('class="card"') > public.count('class="card"'), "drawn cards are not shown"


def test_names_are_links_in_the_language_of_the_page() -> None:
    put = linked("yugioh", Book.of(games.rulebook("yugioh")), language("ja"))
    assert (
        put("「クリボー」を召喚")
        == '「<a class="card" href="/cards/yugioh/40640057">クリボー</a>」を召喚'
    )


def test_only_whole_names_are_links_and_all_else_is_escaped() -> None:
    book = Book.of(games.rulebook("gundam"))
    put = linked("gundam", book, ENGLISH)
    assert str(put("<b>GMs pay")) == "&lt;b&gt;GMs pay"
    assert str(put("Guntank & GM")).count("<a ") == 2
