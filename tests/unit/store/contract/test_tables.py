"""What lies beside entries is kept alike in each store: tokens, codes, seeds, auto-passes,
snapshots, what was archived.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import pytest

from domain.engine.passes.autopass import AutoPass
from domain.record.proof.chain import Head
from domain.record.views import OFFICIAL, PUBLIC
from service.credentials import codes, tokens
from service.credentials.codes import Code
from service.credentials.holders import Holder
from service.credentials.tokens import Filter, Issued
from service.identity import Identity, Role
from service.store import history
from service.store.derived import listing
from service.store.derived.snapshots import Snapshots
from service.store.history import History
from service.store.records import Conflict, NoSuchMatch, Records, Statement, Work
from service.store.tables import archived, auto_passes, card_photos, lists, seeds
from service.store.tables.archived import Archived, InArchive
from tests.support.databases import Place
from tests.unit.store.records import AT, toy_commands

ID, EVENT = "k7f3q", "ev3t"


@pytest.fixture
def records(place: Place) -> Records:
    return place.records()


def write(records: Records, *statements: Statement) -> None:
    records.write(Work("", (), statements))


# -- tokens ----------------------------------------------------------------------------------------


def token(
    n: int, match: str = ID, role: str = Role.SEAT, code: str = "", event: str = ""
) -> Issued:
    who = Identity(role, f"p{n}", match, n % 2, 2_000 + n, "", event, f"token{n:05}")
    return Issued(who, AT + n, "Ida", code)


def issue(records: Records, issued: Sequence[Issued]) -> None:
    write(records, *(statement for one in issued for statement in tokens.saved(one)))


def test_design_are_found_by_what_they_are_of(place: Place, records: Records) -> None:
    own, other = [token(n) for n in range(4)], token(4, "m2x9p")
    organiser = token(5, "", Role.ORGANISER)
    tables = [token(6, f"{EVENT}.r1.t1", code="c0de"), token(7, "", Role.OFFICIAL, event=EVENT)]
    issue(records, [*own, other, organiser, *tables])
    for found in (records, place.records(reading=True)):
        for chosen, meant in (
            (Filter(), [*own, other, organiser, *tables]),
            (Filter(match=ID), own),
            (Filter(match=ID, seat=1), own[1::2]),
            (Filter(event=EVENT), tables),
            (Filter(code="c0de"), tables[:1]),
            (Filter(role=Role.ORGANISER), [organiser]),
            (Filter(match=ID, live=2_002), own[3:]),
            (Filter(match="nobody"), []),
        ):
            assert tokens.lines(found, chosen) == meant[::-1], chosen
    assert tokens.named(records, [own[0].who.id, "none", other.who.id]) == {
        one.who.id: one for one in (own[0], other)
    }


def test_design_are_listed_page_by_page(records: Records) -> None:
    issue(records, every := [token(n) for n in range(300)])
    found = list[Issued]()
    while len(found) < len(every):
        upto = every[-1 - len(found)].key
        found += tokens.lines(records, Filter(match=ID), upto, 70)
    assert found == every[::-1]


def test_a_token_is_revoked_once_and_for_good(place: Place, records: Records) -> None:
    issue(records, [token(1), token(2)])
    other = place.records() if place.shared else records
    write(records, *tokens.marked(["token00001", "nobody"], AT + 9, "Ida"))
    write(other, *tokens.marked(["token00001"], AT + 99, "Eve"))
    (gone,) = tokens.named(other, ["token00001"]).values()
    assert (gone.revoked, gone.revoker) == (AT + 9, "Ida")
    assert {*tokens.revoked(other)} == {"token00001"}
    assert tokens.good(records, Filter(match=ID)) == ["token00002"]


def test_an_id_is_given_to_one_token(records: Records) -> None:
    issue(records, [token(1)])
    with pytest.raises(Conflict):
        issue(records, [token(2), token(1, "m2x9p")])
    assert tokens.lines(records, Filter()) == [token(1)], "all or nothing"


# -- codes -----------------------------------------------------------------------------------------


def code(n: int, *, once: bool = False, match: str = ID) -> Code:
    kept = codes.fingerprint(f"CODE{n}", b"key")
    return Code(
        f"code{n:06}", kept, Holder(Role.SEAT, match, seat=0), AT + n, 2_000, "Ida", once=once
    )


def test_codes_are_found_by_their_hash(place: Place, records: Records) -> None:
    kept = [code(n, once=n == 2) for n in range(5)]
    write(records, *(statement for one in kept for statement in codes.saved(one)))
    for found in (records, place.records(reading=True)):
        assert [codes.by_hash(found, one.hash) for one in kept] == kept
        assert codes.by_hash(found, codes.fingerprint("CODE1", b"another key")) is None
        assert codes.taken(found, [kept[3].hash, b"\0" * 16]) == {kept[3].hash}
        assert codes.lines(found, codes.Filter(match=ID)) == kept[::-1]


@pytest.mark.parametrize("once", [True, False])
def test_a_code_is_counted_and_used_up(place: Place, records: Records, once: bool) -> None:
    write(records, *codes.saved(code(1, once=once)))
    other, taken = place.records() if place.shared else records, 0
    for at, store in enumerate((records, other, records), 1):
        with suppress(Conflict):
            write(store, codes.counted(code(1, once=once), AT + at))
            taken += 1
    found = codes.by_hash(records, code(1).hash)
    assert found is not None
    assert taken == found.exchanges == (1 if once else 3)
    assert (found.revoked, found.revoker) == ((AT + 1, codes.USE) if once else (0, ""))


def test_who_comes_with_a_revoked_code_saves_nothing(records: Records) -> None:
    write(records, *codes.saved(code(1)), codes.marked("code000001", AT + 1, "Ida"))
    with pytest.raises(Conflict):
        write(records, *tokens.saved(token(1)), codes.counted(code(1), AT + 2))
    assert tokens.lines(records, Filter()) == []


# -- what lists find -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of", "table"), [(tokens.listed, "tokens"), (codes.listed, "codes")], ids=["tokens", "codes"]
)
def test_what_is_on_no_list_is_known_to_be_missing(
    place: Place, records: Records, of: Callable[[Records], object], table: str
) -> None:
    write(records, *codes.saved(code(1)), *tokens.saved(token(1)))
    due = {*of(records)}  # type: ignore[call-overload]
    kept = {(row[0], row[1], row[2]) for row in place.look("SELECT list, at, id FROM lists")}
    assert due
    assert due <= kept
    assert place.change("DELETE FROM lists WHERE list=?", table) == 1
    kept = {(row[0], row[1], row[2]) for row in place.look("SELECT list, at, id FROM lists")}
    assert {name for name, *_ in due - kept} == {table}
    assert not lists.page(records, table)


# -- seeds, and what seats have left ---------------------------------------------------------------


def test_a_seed_is_kept_until_it_stands_in_the_record(place: Place, records: Records) -> None:
    secret = bytes(range(32))
    write(records, seeds.saved(ID, secret))
    assert seeds.find(place.records(reading=True), ID) == secret
    assert seeds.find(records, "other") is None
    write(records, seeds.dropped(ID))
    assert seeds.find(records, ID) is None


def test_what_seats_have_left_is_kept_until_they_withdraw_it(
    place: Place, records: Records
) -> None:
    turn, steps = AutoPass(turn=True), AutoPass(steps=("main", "end"))
    write(records, *auto_passes.changed(ID, {}, {0: turn, 1: steps}))
    write(records, *auto_passes.changed("other", {}, {0: steps}))
    assert auto_passes.find(records, ID) == {0: turn, 1: steps}
    write(records, *auto_passes.changed(ID, {0: turn, 1: steps}, {1: turn}))
    assert auto_passes.find(records, ID) == {1: turn}
    assert place.change("UPDATE auto_passes SET state=? WHERE id='other'", b"\xc1")
    assert auto_passes.find(records, "other") == {}, "one that can't be read is withdrawn"
    assert auto_passes.find(place.records(reading=True), ID) == {}


def test_a_photo_is_kept_once_a_card_and_removed(place: Place) -> None:
    records = place.records()
    for match, card, photo in ((ID, "A/1", b"old"), (ID, "A/1", b"new"), ("other", "B", b"else")):
        write(records, card_photos.saved(match, card, photo))
    assert card_photos.cards(records, ID) == {"A/1"}
    assert card_photos.find(records, ID, "A/1") == b"new"
    write(records, card_photos.removed(ID, "A/1"))
    assert card_photos.find(records, ID, "A/1") is None
    assert card_photos.cards(records, "other") == {"B"}


# -- snapshots -------------------------------------------------------------------------------------


@pytest.fixture
def snapped(records: Records, monkeypatch: pytest.MonkeyPatch) -> History:
    """A match with snapshots."""
    monkeypatch.setattr(history, "EVERY", 40)
    for command in toy_commands(turns=40):
        records.write(Work(ID, command, listing.derive(ID, command, at=AT), "toy"))
    found = History(records)
    records.write(Work(ID, (), found.advance(ID)))
    return found


def test_snapshots_are_what_entries_add_up_to(place: Place, snapped: History) -> None:
    kept = Snapshots(snapped.records).every(ID, 1 << 30)
    assert len(kept) > 3
    assert snapped.audit(ID) == 0
    assert snapped.advance(ID) == []
    place.change("DELETE FROM snapshots")
    bare = {
        viewer: History(place.records(reading=True)).position(ID, viewer)
        for viewer in (OFFICIAL, PUBLIC)
    }
    assert bare == {viewer: snapped.position(ID, viewer) for viewer in bare}


def test_one_that_is_damaged_is_bypassed_and_made_anew(place: Place, snapped: History) -> None:
    places, shown = Snapshots(snapped.records).every(ID, 1 << 30), snapped.position(ID, PUBLIC)
    assert place.change("UPDATE snapshots SET views=? WHERE seq=?", b"\0" * 9, places[-1].seq) == 1
    repeated = History(place.records(reading=True))
    assert repeated.position(ID, PUBLIC) == shown
    assert repeated.records.damaged
    snapped.records.write(Work(ID, (), snapped.advance(ID)))
    assert History(place.records(reading=True)).audit(ID) == 0


# -- what was archived -----------------------------------------------------------------------------


def test_what_was_archived_is_known_until_it_is_brought_back(
    place: Place, records: Records
) -> None:
    found = [
        Archived("aaaaa", archived.MATCH, AT, Head(9, b"\1" * 32, 1), "proof"),
        Archived(EVENT, archived.EVENT, AT + 1, Head(4, b"\2" * 32, 0), viewer=PUBLIC),
        Archived("zzzzz", archived.MATCH, AT, Head(3, b"\3" * 32, 2)),
    ]
    write(records, *map(archived.saved, reversed(found)))
    assert [*archived.every(place.records(reading=True))] == found
    assert isinstance(gone := archived.missing(records, "aaaaa"), InArchive)
    assert gone.day == "2023-11-14"
    assert type(archived.missing(records, ID)) is NoSuchMatch
    write(records, archived.removed("aaaaa"))
    assert archived.find(records, "aaaaa") is None
    assert place.change("UPDATE archived SET kind='neither' WHERE id='zzzzz'")
    assert [*archived.every(records)] == found[1:2]
