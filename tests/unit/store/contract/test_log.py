"""The log of heads in each kind of database: who stood still does not write over who went on."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import pytest

from domain.record.proof.anchors import tree
from domain.record.proof.anchors.leaves import Leaf
from domain.record.proof.anchors.notes import SigningKey
from domain.record.proof.chain import Head
from service.anchors.ledger import Grown, Ledger
from service.store.records import Conflict, Records, Work
from tests.support.databases import Place

KEY = SigningKey("kifu.example/log", bytes(range(32)))


def leaves(*numbers: int) -> list[Leaf]:
    return [Leaf(f"m{n}", Head(n + 1, sha256(bytes([n])).digest())) for n in numbers]


def both(place: Place) -> tuple[Ledger, Ledger]:
    """The log as two servers know it, who both believe that they keep it up."""
    first = place.records()
    found = Ledger(first, KEY), Ledger(place.records() if place.shared else first, KEY)
    add(found[0], found[0].grow(leaves(*range(5))))
    found[1].load()
    return found


def add(ledger: Ledger, grown: Grown) -> None:
    ledger.records.write(Work("", (), grown.statements))
    ledger.take(grown)


def leaves_of(records: Records) -> list[tuple[int, int, bytes]]:
    """All checkpoints that there are."""
    with records.rows("SELECT number, size, root FROM checkpoints ORDER BY number") as found:
        return [(row["number"], row["size"], bytes(row["root"])) for row in found.fetchall()]


#: What the other one has added, and what the one that stood still would add to what it knows.
GROWN: dict[str, tuple[Callable[[Ledger], Grown], Callable[[Ledger], Grown]]] = {
    "other leaves": (lambda a: a.grow(leaves(5, 6)), lambda b: b.grow(leaves(7))),
    "the same leaves": (lambda a: a.grow(leaves(5, 6)), lambda b: b.grow(leaves(5, 6))),
    "no leaves": (lambda a: a.grow(leaves(5)), lambda b: b.grow(())),
    "leaves after none": (lambda a: a.grow(()), lambda b: b.grow(leaves(5))),
    "a tile": (lambda a: a.grow(leaves(5)), lambda b: b.grow(leaves(*range(5, 256)))),
}


def test_of_two_that_keep_the_log_up_one_is_refused(place: Place) -> None:
    """Whatever it would write; it reads the log again, and goes on with what is there."""
    first, late = both(place)
    for what, (ours, theirs) in GROWN.items():
        late.load()
        stale = theirs(late)
        add(first, ours(first))
        before = leaves_of(first.records), first.records.row("SELECT count(*) FROM leaves")[0]
        tiles = first.records.row("SELECT count(*) FROM tiles")[0]
        with pytest.raises(Conflict):
            late.records.write(Work("", (), stale.statements))
        after = leaves_of(first.records), first.records.row("SELECT count(*) FROM leaves")[0]
        assert after == before, what
        assert first.records.row("SELECT count(*) FROM tiles")[0] == tiles
    late.load()
    add(late, late.grow(leaves(200)))
    found = leaves_of(late.records)
    assert [number for number, _, _ in found] == [*range(1, len(found) + 1)]
    newest = late.newest
    assert newest is not None
    for _, size, root in found:
        proof = late.consistency(size, newest)
        checkpoint = newest.checkpoint
        assert tree.consistent(size, root, checkpoint.size, checkpoint.root, proof)


def test_a_term_ends_where_nothing_is_heard_of_who_has_it(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database ends it, and who goes on knows that, and has another term the next time."""
    if not place.shared:
        records = place.records()
        assert records.driver.leading("log") == records.driver.term("log") == 1
        return
    from service.store.postgres import terms

    monkeypatch.setattr(terms, "RENEWED", 60.0)
    monkeypatch.setattr(terms, "LAPSE", 0.05)
    still, other = place.records(), place.records()
    begun = still.driver.leading("log")
    assert begun == still.driver.term("log") != 0
    monkeypatch.setattr(terms, "LAPSE", 60.0)
    while not other.driver.leading("log"):
        assert still.driver.term("log") == begun, "it can't know of it"
    assert still.driver.leading("log") == still.driver.term("log") == 0
    other.close()
    while not still.driver.leading("log"):
        pass  # the session that is ended lets go of it in a moment
    assert still.driver.leading("log") not in (0, begun)


def test_who_has_a_term_says_so_by_itself(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    if not place.shared:
        pytest.skip("one writes")
    from service.store.postgres import terms

    monkeypatch.setattr(terms, "RENEWED", 0.005)
    records, other = place.records(), place.records()
    begun = records.driver.leading("log")
    found = "SELECT state_change FROM pg_stat_activity WHERE datname=current_database() AND query=?"
    times = set[str]()
    while len(times) < 3:
        times.add(str(place.look(found, "SELECT 1")))
    assert records.driver.term("log") == begun
    assert other.driver.leading("log") == 0
