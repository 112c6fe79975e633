"""The attacks of somebody with write access to the database, made of parts.

He reads the secrets of the chains there, and makes what he leaves fit again. The log's key he has
not; with it only a witness, or a checkpoint that somebody kept, can tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from domain.record.interventions import Noted
from domain.record.proof.anchors import policy
from domain.record.proof.anchors.notes import Note, SigningKey
from domain.record.proof.anchors.policy import Policy
from domain.record.values import BY_OFFICIAL, EVERYONE, Sealed
from replay_cli.auditing.audit import audit
from replay_cli.auditing.claims import WRONG
from replay_cli.auditing.evidence import of_file
from replay_cli.auditing.trust import Trust
from replay_cli.checking import verifying
from service.anchors.ledger import Ledger
from service.keeping.check.store import Tally, check
from service.store import chains
from service.store.derived import checks, listing
from service.store.records import Records, StoreError, Work
from tests.support.databases import Place
from tests.unit.store.records import AT, toy_commands

MATCHES = ("aaaaa", "bbbbb", "ccccc")
#: Tables with rows of a match; tables with rows of the log.
OF_MATCHES = ("stored_events", "chains", "matches", "snapshots", "rewinds", "lists")
OF_LOG = ("leaves", "checkpoints", "cosignatures", "log_keys", "tiles")
#: A table's rows, by its name, as they were.
Copy = dict[str, list[tuple[Any, ...]]]
KEY = SigningKey("example.org/log", bytes(range(32)))


class Attack(NamedTuple):
    """An attack, and the checks that need not find it."""

    name: str
    carry_out: Callable[[Place], object]
    blind: frozenset[str] = frozenset()


#: The checks that find it with the database alone; and those that find missing earlier checkpoints
#: although all that they cover is there.
_ALONE = frozenset(("check", "verify"))
_OTHERS = frozenset(("audit with a checkpoint", "verify"))


def played(place: Place) -> Note:
    """Matches, with leaves of each as they went on and when they ended; the newest checkpoint."""
    with closing(place.records()) as records:
        ledger = Ledger(records, KEY)
        ledger.load()
        logs = {m: toy_commands(turns=3, seed=n) for n, m in enumerate(MATCHES)}
        for at in range(0, max(map(len, logs.values())), 4):
            for match, commands in logs.items():
                for command in commands[at : at + 4]:
                    also = listing.derive(match, command, at=AT)
                    records.write(Work(match, command, also))
            grown = ledger.grow(ledger.unanchored(chains.heads(records)))
            records.write(Work("", (), grown.statements))
            ledger.take(grown)
        for match in MATCHES:
            _listed(records, match)
        assert ledger.newest is not None
        return ledger.newest.note


def _listed(records: Records, match: str) -> None:
    for statements in checks.rebuild_statements(records, match):
        records.write(Work("", (), statements))


def copied(place: Place) -> Copy:
    """All that attacks change."""
    return {name: place.look(f"SELECT * FROM {name}") for name in (*OF_MATCHES, *OF_LOG)}


def restored(place: Place, copy: Copy) -> None:
    """All of it as it was."""
    now = copied(place)
    for name, rows in copy.items():
        if now[name] == rows:
            continue
        place.change(f"DELETE FROM {name}")
        for row in rows:
            place.change(f"INSERT INTO {name} VALUES ({','.join('?' * len(row))})", *row)


# -- what may be done ------------------------------------------------------------------------------


def attacks(copy: Copy) -> Iterator[Attack]:
    """All of them: of each match its end cut, or all of it, and what is left made to fit."""
    for match, other in zip(MATCHES, (*MATCHES[1:], MATCHES[0]), strict=True):
        yield from _cuts(copy, match)
        yield from _accepted(match)
        yield from _exchanges(match, other)
    yield from _rows(copy)
    for table in ("stored_events", "chains", "leaves", "checkpoints"):
        yield Attack(f"all {table} dropped", _sql(f"DELETE FROM {table}"))
    yield Attack("the log dropped", _dropped_log, _ALONE)
    for number in range(1, len(copy["checkpoints"])):
        yield Attack(f"the log as it was at {number}", _older_log(number), _ALONE)


def _cuts(copy: Copy, match: str) -> Iterator[Attack]:
    last = sorted(row[1] for row in copy["stored_events"] if row[0] == match)
    counts = [0, *last][:-1]
    counts = sorted({counts[0], counts[1], counts[len(counts) // 2], counts[-1]})
    for count in counts:
        for how, chain in _CHAINS.items():
            for what, log in _LOGS.items():
                if count == 0 and how not in ("the chain as it was", "no chain"):
                    continue

                def carry_out(
                    place: Place, count: int = count, chain: Any = chain, log: Any = log
                ) -> None:
                    sql = "DELETE FROM stored_events WHERE originator_id=? AND originator_version>?"
                    place.change(sql, match, count)
                    chain(place, match, count)
                    log(place, match, count)
                    _made_to_fit(place, match, count)

                yield Attack(
                    f"{match} cut after {count}, {how}, {what}",
                    carry_out,
                    _CLAIMS.get(what, _NOBODY),
                )


def _as_it_was(place: Place, match: str, count: int) -> None: ...


def _no_chain(place: Place, match: str, count: int) -> None:
    place.change("DELETE FROM chains WHERE id=?", match)


def _chained_anew(since: bool) -> Callable[[Place, str, int], None]:
    def rechain(place: Place, match: str, count: int) -> None:
        with closing(place.records()) as records:
            records.write(Work(match, (), since=count if since else 0))

    return rechain


def _other_secret(place: Place, match: str, count: int) -> None:
    _no_chain(place, match, count)
    _chained_anew(False)(place, match, count)


_CHAINS = {
    "the chain as it was": _as_it_was,
    "no chain": _no_chain,
    "chained anew": _chained_anew(False),
    "chained from there": _chained_anew(True),
    "chained with another secret": _other_secret,
}


def _no_leaf_of_it(place: Place, match: str, count: int) -> None:
    place.change("DELETE FROM leaves WHERE id=?", match)


def _leaves_of_another(place: Place, match: str, count: int) -> None:
    place.change("UPDATE leaves SET id='ddddd' WHERE id=?", match)


def _log_dropped(place: Place, match: str, count: int) -> None:
    _dropped_log(place)


_LOGS = {
    "the log as it was": _as_it_was,
    "no leaf of it": _no_leaf_of_it,
    "its leaves another's": _leaves_of_another,
    "no log": _log_dropped,
}
_NOBODY = frozenset[str]()
_CLAIMS = {"no log": _ALONE}


def _made_to_fit(place: Place, match: str, count: int) -> None:
    """Derived data are adapted to the remaining rows."""
    with closing(place.records()) as records:
        if count:
            _listed(records, match)
        else:
            for table in ("matches", "snapshots", "rewinds", "lists"):
                place.change(f"DELETE FROM {table} WHERE id=?", match)


def _accepted(match: str) -> Iterator[Attack]:
    """The end cut, and what is left accepted in an official's name."""

    def carry_out(place: Place) -> None:
        sql = "SELECT originator_version FROM stored_events WHERE originator_id=? ORDER BY 1"
        count = int(place.look(sql, match)[2][0])
        sql = "DELETE FROM stored_events WHERE originator_id=? AND originator_version>?"
        place.change(sql, match, count)
        with closing(place.records()) as records:
            records.write(Work(match, (), since=0))
            last = records.entries(match)[-1]
            note = Noted(0, Sealed(EVERYONE, "The record is gone on with as it stands."))
            seen = replace(last, seq=count + 1, by=BY_OFFICIAL, event=note)
            records.write(Work(match, [seen], since=count))
            _listed(records, match)
            assert chains.check(records, match, accepting=True)  # it can be played on

    yield Attack(f"{match} cut, and accepted", carry_out)


def _exchanges(match: str, other: str) -> Iterator[Attack]:
    for name, column, tables in (
        ("entries", "originator_id", ("stored_events",)),
        ("entries and chains", "originator_id", ("stored_events", "chains")),
        ("chains", "", ("chains",)),
        ("leaves", "", ("leaves",)),
    ):

        def carry_out(place: Place, column: str = column, tables: Sequence[str] = tables) -> None:
            for table in tables:
                key = column if table == "stored_events" else "id"
                for was, now in ((match, "-"), (other, match), ("-", other)):
                    place.change(f"UPDATE {table} SET {key}=? WHERE {key}=?", now, was)

        yield Attack(f"{name} of {match} and {other} exchanged", carry_out)


def _rows(copy: Copy) -> Iterator[Attack]:
    """Each row dropped of what can't be made again."""
    for table, key in (
        ("stored_events", ("originator_id", "originator_version")), ("chains", ("id",)),
        ("leaves", ("number",)), ("checkpoints", ("number",)), ("log_keys", ("number",)),
    ):  # fmt: skip
        for row in copy[table]:
            which = row[: len(key)]
            where = " AND ".join(f"{name}=?" for name in key)
            drop = _sql(f"DELETE FROM {table} WHERE {where}", *which)
            covered = table == "checkpoints" and row != copy[table][-1]
            blind = _OTHERS if covered else _NOBODY
            yield Attack(f"{table} {which} dropped", drop, blind)


def _sql(text: str, *values: Any) -> Callable[[Place], object]:
    return lambda place: place.change(text, *values)


def _dropped_log(place: Place) -> None:
    for table in OF_LOG:
        place.change(f"DELETE FROM {table}")


def _older_log(number: int) -> Callable[[Place], object]:
    """The log as it had been signed before, which its key vouches for."""

    def carry_out(place: Place) -> None:
        [(size,)] = place.look("SELECT size FROM checkpoints WHERE number=?", number)
        place.change("DELETE FROM checkpoints WHERE number>?", number)
        place.change("DELETE FROM leaves WHERE number>=?", size)

    return carry_out


# -- what is found ---------------------------------------------------------------------------------


def found(place: Place, kept: Note) -> dict[str, bool]:
    """The checks that find a fault: with the database alone, and with a kept checkpoint."""
    trusted = Policy((KEY.verifier,))
    judged = policy.judge(kept, trusted)
    assert judged.good
    seen = {
        "check": _checked(place),
        "check with a checkpoint": _checked(place, [judged.checkpoint]),
        "audit with a checkpoint": _audited(place, Trust((), trusted, [judged])),
    }
    if isinstance(place.where, Path):
        seen["verify"] = _verified(place.where)
    return seen


def _checked(place: Place, kept: Sequence[Any] = ()) -> bool:
    with closing(place.records(reading=True)) as records:
        return any(True for _ in check(records, Tally(), quick=True, kept=kept))


def _audited(place: Place, trust: Trust) -> bool:
    reports = [audit(one, trust) for one in of_file(place.where, log=bool(trust.checkpoints))]
    return any(claim.verdict == WRONG for report in reports for claim in report.claims)


def _verified(path: Path) -> bool:
    try:
        results = [*verifying.check_all(path, verifying.matches(path)), *verifying.check_log(path)]
    except StoreError:
        return True
    return any(one.verdict.kind == verifying.DIVERGED or one.derived or one.chain
               for one in results)  # fmt: skip
