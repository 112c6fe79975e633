"""Heads and proofs as clients get them: one for all, and nothing added over what was altered."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from domain.record.entries import Entry
from domain.record.proof.chain import Head
from domain.record.proof.openings import Unproven, follow
from domain.record.views import OFFICIAL, PUBLIC
from service import wire
from service.client.client import CallError, Client, Opened
from service.store import chains
from service.store.records import Records
from tests.support import serving
from tests.support.marks import each
from tests.support.serving import followers, open_toy, play, seats_of
from tests.support.waiting import until
from tests.unit.cli.clis import run


def proven(client: Client, match: str, viewer: int, view: int | None = None) -> Head:
    """The head to which what a client can get leads."""
    return follow(client.proof(match, view=view), list(client.events(match, view=view)), viewer)


def test_each_answer_has_the_head_to_which_everybodys_copy_leads(
    organiser: Client, toy: Opened, seats: tuple[Client, ...]
) -> None:
    public, official = organiser.with_token(toy.public), organiser.with_token(toy.official)
    heads = dict[int, Head]()
    decision = seats[0].position(toy.id).decision
    while decision is not None:
        me = seats[decision.seats[0]]
        offer = decision.offers.get(decision.seats[0]) or next(
            iter(me.position(toy.id).decision.offers.values())  # type: ignore[union-attr]
        )
        assert offer is not None
        done = me.choose(toy.id, decision.n, offer.options[0].act())
        assert done.head is not None
        assert (done.head.seq, done.head.since) == (done.last_seq, 0)
        heads[done.head.seq] = done.head
        decision = done.next
    last = max(heads)
    assert wire.head_of(public.match(toy.id).head) == heads[last]
    assert public.match(toy.id).head.short == heads[last].short
    viewers = [(public, PUBLIC), (official, OFFICIAL), *((s, n) for n, s in enumerate(seats))]
    for client, viewer in viewers:
        assert proven(client, toy.id, viewer) == heads[last]
        for seq, head in heads.items():
            assert client.proof(toy.id, seq, seq).before == head
    assert proven(official, toy.id, 0, view=0) == heads[last]
    with pytest.raises(Unproven):  # what one opens is no other's
        follow(seats[1].proof(toy.id), list(seats[0].events(toy.id)), 0)
    with pytest.raises(CallError, match="no entry"):
        public.proof(toy.id, last + 1)
    verified = public.verify(toy.id)
    assert (wire.head_of(verified.head), verified.broken) == (heads[last], "")


def test_officials_and_repeats_get_it_too(
    organiser: Client, toy: Opened, seats: tuple[Client, ...]
) -> None:
    noted = organiser.note(toy.id, "so it was", public=True, request_id="note")
    assert noted.head.seq == noted.last_seq
    public = organiser.with_token(toy.public)
    decision = public.position(toy.id).decision
    assert decision is not None
    me = seats[decision.seats[0]]
    offer = me.position(toy.id).decision.offers[decision.seats[0]]  # type: ignore[union-attr]
    assert offer is not None
    done = me.choose(toy.id, decision.n, offer.options[0].act(), "once")
    later = organiser.note(toy.id, "and so", public=True)
    assert organiser.note(toy.id, "so it was", public=True, request_id="note") == noted
    assert me.choose(toy.id, decision.n, offer.options[0].act(), "once").head == done.head
    assert wire.head_of(public.match(toy.id).head) == wire.head_of(later.head)
    back = organiser.rewind(toy.id, decision.n, "a mistake")
    assert proven(public, toy.id, PUBLIC) == wire.head_of(back.head)


def test_streams_tell_heads_on_request_whenever_one_comes(
    organiser: Client, toy: Opened, seats: tuple[Client, ...]
) -> None:
    public = organiser.with_token(toy.public)
    shown: list[list[Head]] = [[], [], []]
    got: list[list[Entry]] = [[], [], []]

    def follow_from(at: int, after: int) -> None:
        following = public.watch(toy.id, after, on_head=shown[at].append)
        got[at] += list(following)

    threads = [threading.Thread(target=follow_from, args=(at, 0)) for at in (0, 1)]
    for thread in threads:
        thread.start()
    until(lambda: followers(organiser, toy.id) == len(threads))
    play(seats, toy, Random(3))
    for thread in threads:
        thread.join(20)
    follow_from(2, 20)  # once it is over, and from the middle on
    whole = proven(public, toy.id, PUBLIC)
    assert got[0] == got[1] == [*got[0][:20], *got[2]]
    for at, heads in enumerate(shown):
        assert heads[-1] == whole
        assert len(heads) > 3 or at == 2  # they came as it was played
        for head in heads:
            assert public.proof(toy.id, until=head.seq).head == head
    assert list(public.watch(toy.id)) == got[0]  # whoever doesn't ask gets entries only


def test_heads_come_no_earlier_than_what_they_stand_for(tmp_path: Path) -> None:
    with serving.running(tmp_path / "matches.kifu") as running, running.client() as organiser:
        opened = open_toy(organiser, turns=40)
        late = organiser.with_token(organiser.issue_tokens(opened.id, "5 decisions").public)
        play(seats_of(organiser, opened), opened, Random(1), most=20)
        found = late.match(opened.id)
        now = organiser.with_token(opened.public).match(opened.id)
        assert found.entries < now.entries
        head = proven(late, opened.id, PUBLIC)
        assert wire.head_of(found.head) == head
        assert head.seq == found.entries
        assert late.proof(opened.id, until=now.entries).head == head
        shown = list[Head]()
        following = late.watch(opened.id, on_head=shown.append)
        seen = [next(following) for _ in range(found.entries)]
        play(seats_of(organiser, opened), opened, Random(1), most=1)
        seen.append(next(following))  # what comes next has been handed out after the head
        assert shown[-1] == head
        assert seen[-1].seq == head.seq + 1


# -- what was done to the file ---------------------------------------------------------------------


def test_a_match_that_the_log_knows_is_not_taken_for_one_that_had_no_chain(tmp_path: Path) -> None:
    data = tmp_path / "matches.kifu"
    with serving.running(data) as running, running.client() as organiser:
        opened = open_toy(organiser)
        play(seats_of(organiser, opened), opened, Random(1), most=12)
        had = organiser.match(opened.id).entries
    with closing(sqlite3.connect(data, isolation_level=None)) as file:
        file.execute(TAMPERINGS["cut after entry"], {"id": opened.id})
        file.execute("DELETE FROM chains")
    with closing(Records(data, reading=True)) as records:
        has = records.last(opened.id)
    sentence = f"cut after entry {has}; the log has {had}"
    for _ in range(2):  # nothing is mended by starting a server
        with serving.running(data) as running, running.client() as organiser:
            assert sentence in organiser.match(opened.id).broken
            assert sentence in organiser.verify(opened.id).broken
            with pytest.raises(CallError) as caught:
                play(seats_of(organiser, opened), opened, Random(1), most=1)
            assert caught.value.reason == "CHAIN_BROKEN"
            until(lambda: sentence in (tmp_path / "server.log").read_text())
    with closing(sqlite3.connect(data)) as file:
        assert file.execute("SELECT count(*) FROM chains").fetchone() == (0,)
    for command in (("verify", data), ("audit", data), ("store", "check", data)):
        assert sentence in " ".join(run(*command, code=1).stdout.split())


TAMPERINGS = {
    "do not lead to the head": "UPDATE chains SET hash=zeroblob(32) WHERE id=:id",
    "cut after entry": "DELETE FROM stored_events WHERE originator_id=:id AND originator_version="
    "(SELECT max(originator_version) FROM stored_events WHERE originator_id=:id)",
    "is damaged": "UPDATE chains SET secret='x' WHERE id=:id",
}


@pytest.mark.parametrize("how", each(3, TAMPERINGS))
def test_nothing_is_added_over_what_was_altered_until_an_official_says_so(
    tmp_path: Path, how: str
) -> None:
    data = tmp_path / "matches.kifu"
    with serving.running(data) as running, running.client() as organiser:
        opened, other = open_toy(organiser), open_toy(organiser)
        play(seats_of(organiser, opened), opened, Random(1), most=4)
        with pytest.raises(CallError) as caught:
            organiser.accept(opened.id)
        assert caught.value.reason == "CHAIN_WHOLE"
    with closing(Records(data)) as records:
        was = chains.head(records, opened.id)
    with closing(sqlite3.connect(data, isolation_level=None)) as file:
        file.execute(TAMPERINGS[how], {"id": opened.id})
    with serving.running(data) as running, running.client() as organiser:
        public, seats = organiser.with_token(opened.public), seats_of(organiser, opened)
        with pytest.raises(CallError) as caught:
            play(seats, opened, Random(1))
        assert (caught.value.code, caught.value.reason) == ("DATA_LOSS", "CHAIN_BROKEN")
        with pytest.raises(CallError, match="not those that were recorded"):
            organiser.rewind(opened.id, 1, "a mistake")
        assert play(seats_of(organiser, other), other, Random(1), most=2) == 2
        found = public.match(opened.id)
        assert how in found.broken
        assert not found.HasField("head")
        assert public.verify(opened.id).broken == found.broken
        entries = list(public.events(opened.id))
        accepted = organiser.accept(opened.id, "the disk was restored")
        assert accepted.head.since == accepted.first_seq - 1 == len(entries)
        assert public.match(opened.id).broken == ""
        assert public.verify(opened.id).broken  # the log goes on having something else
        assert play(seats, opened, Random(1)) > 0
        head = proven(public, opened.id, PUBLIC)
        assert head.since == len(entries)
        assert was is not None
        assert head.seq > len(entries)
        seen = [entry.event for entry in public.events(opened.id)][len(entries) :]
        assert any("gone on with as it stands" in str(event) for event in seen)
