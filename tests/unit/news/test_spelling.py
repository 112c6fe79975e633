"""How news are written: the topic of an id means it alone, and whatever else comes is none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.news.news import CREDENTIALS, EVENT, KINDS, MATCH, Piece
from service.news.outbox import Outbox
from service.news.spelling import LAST, LONGEST, piece, topic, written

ME = "9f3c21ab"


@settings(max_examples=25)
@given(st.sampled_from([MATCH, EVENT]), st.text(min_size=1, max_size=12), st.integers(0, LAST - 1))
def test_what_is_written_is_read(kind: str, id_: str, seq: int) -> None:
    name = topic(kind, id_)
    assert piece(name, written(ME, seq)) == (ME, Piece(kind, id_, seq))
    traced = Piece(kind, id_, seq, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    assert piece(name, written(ME, seq, traced.trace)) == (ME, traced)
    first, second = name.split(".")  # no more and no fewer tokens than that
    assert first == kind
    assert not set(second) & set("*> \t\r\n;\0")


def test_a_match_of_an_event_has_one_token() -> None:
    assert topic(MATCH, "abcd.r2.t14") == "match.abcd%2Er2%2Et14"
    assert topic(CREDENTIALS, "") == "credentials"
    for id_ in ("", "x" * LONGEST, "*" * (LONGEST // 3)):
        with pytest.raises(ValueError, match="no topic"):
            topic(MATCH, id_)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("match.a", b""),
        ("match.a", b"9f3c21ab"),
        ("match.a", b"9f3c21ab -1"),
        ("match.a", b"9f3c21ab 2147483648"),
        ("match.a", b"9f3c21ab 9223372036854775808"),
        ("match.a", b"9f3c21ab 01"),
        ("match.a", b"9F3C21AB 1"),
        ("match.a", b"9f3c21ab 1 "),
        ("match.a", b"9f3c21ab 1\n"),
        ("match.a", b"9f3c21ab 1 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331"),
        ("match.a", b"9f3c21ab 1 00-" + b"g" * 32 + b"-b7ad6b7169203331-01"),
        ("match.a", b"\xff" * 10_000_000),
        ("match.a", "9f3c21ab ١".encode()),
        ("match.*", b"9f3c21ab 1"),
        ("match.a.b", b"9f3c21ab 1"),
        ("match.%2", b"9f3c21ab 1"),
        ("match.%FF", b"9f3c21ab 1"),
        ("match.a\n", b"9f3c21ab 1"),
        ("match." + "a" * 10_000_000, b"9f3c21ab 1"),
        ("match", b"9f3c21ab 1"),
        ("seed.a", b"9f3c21ab 1"),
        ("credentials.a", b"9f3c21ab 1"),
        ("", b"9f3c21ab 1"),
    ],
)
def test_whatever_else_comes_is_none(name: str, data: bytes) -> None:
    assert piece(name, data) is None


@given(st.text() | st.sampled_from([f"{kind}.x" for kind in KINDS]), st.binary())
def test_nothing_that_comes_raises(name: str, data: bytes) -> None:
    piece(name, data)


async def _take(out: Outbox) -> list[Piece]:
    return await out.take() if len(out) else []


async def test_uncertain_news_are_resent() -> None:
    out = Outbox()
    out.put([Piece(MATCH, "a", 1), Piece(MATCH, "a", 3, "of 3"), Piece(MATCH, "a", 2)])
    assert await _take(out) == [Piece(MATCH, "a", 3, "of 3")]
    out.mark()
    out.put([Piece(MATCH, "b", 1)])
    await _take(out)
    out.confirm()  # what was sent before the mark has got through; nobody knows of b
    out.put([Piece(MATCH, "c", 1)])
    out.take_back()
    assert sorted(await _take(out)) == [Piece(MATCH, "b", 1), Piece(MATCH, "c", 1)]


async def test_what_waits_has_an_end() -> None:
    out = Outbox(most=3)
    for at in range(9):
        out.put([Piece(MATCH, str(at), 1)])
    assert [piece.id for piece in await _take(out)] == ["6", "7", "8"]
