"""The program as a later version may be: every type that is in records has a field more.

    PYTHONPATH=. python tests/support/grown.py FILE

Modules are changed as they are imported: each event, each structure within one and the entries get
a field with a default at their end. Then golden stores and what FILE says of them (`expected`) are
read, verified and gone on with; it ends with 0 if all is as the version before had it.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

#: Where the types are that are in records.
MODULES = (
    "domain.record.events", "domain.record.interventions", "domain.record.entries",
    "domain.record.decisions", "domain.record.values", "domain.record.groups",
    "domain.record.schema.policy", "domain.tournament.record",
)  # fmt: skip
#: What never grows (FORMAT.md), is a base, or is in no record.
AS_THEY_ARE = {"Event", "Sealed", "_Minutes", "_End", "_Kind", "_File"}
#: The default of the new field, and something else.
DEFAULT, OTHER = 7, 8


class _Grown(SourceFileLoader):
    """Compiles a module whose types have grown."""

    def get_code(self, fullname: str) -> CodeType | None:
        tree = ast.parse(self.get_data(self.path))
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and _is_structure(node):
                hint = "Open[int]" if _bases(node) == ["Event"] else "int"
                node.body += ast.parse(f"grown: {hint} = {DEFAULT}").body
        return compile(ast.fix_missing_locations(tree), self.path, "exec")


def _is_structure(node: ast.ClassDef) -> bool:
    return node.name not in AS_THEY_ARE and _bases(node) in (["Struct"], ["Event"])


def _bases(node: ast.ClassDef) -> list[str]:
    return [base.id for base in node.bases if isinstance(base, ast.Name)]


class _Finder(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path) if name in MODULES else None
        if spec is not None and spec.origin is not None:
            spec.loader = _Grown(name, spec.origin)
        return spec


def expected() -> dict[str, Any]:
    """The program's results for golden records: its verdicts, proofs and heads."""
    from domain.engine.checks.verify import verify
    from domain.games import rulebook
    from domain.record.proof import bundle
    from domain.record.views import redact
    from service.store import chains
    from tests.golden import DIRECTORIES, logs, store

    found: dict[str, Any] = {}
    for directory in DIRECTORIES:
        with store(directory) as records:
            for match, log in logs(directory).items():
                rules = rulebook(_opened(log).game)
                copies = {}
                for viewer in (-2, -1, 0, 1):
                    proof = chains.proof(records, match, viewer)
                    seen = [redact(entry, viewer) for entry in log]
                    copies[viewer] = "".join(bundle.lines(bundle.Bundle(seen, viewer, proof)))
                verdict = verify(log, rules)
                found[f"{directory.name}/{match}"] = {"verdict": verdict.kind, "copies": copies}
    return {"matches": found, "organisers": _organisers()}


def _organisers() -> list[str]:
    """The hashes of an event of organisers that has every type of theirs."""
    import msgspec

    from domain.record.proof.chain import HASH
    from domain.tournament import proof
    from domain.tournament.folding import fold
    from domain.tournament.record import Entry
    from tests.golden import HERE

    rows = (HERE / "tournament-1.hex").read_text().split()
    stored = [bytes.fromhex(row)[HASH:] for row in rows]  # each after its hash
    log = [msgspec.msgpack.decode(data, type=Entry) for data in stored]
    assert fold(log).seq == len(log)
    return [one.hex() for one in proof.links(proof.genesis("ev3t"), log, bytes(32))]


def _opened(log: Sequence[Any]) -> Any:
    return log[0].event


def _any(value: Any) -> Any:
    """A value with the fields that its type has here."""
    return value


def _check_all(was: dict[str, Any]) -> None:
    """Compare all of it with what the version before found."""
    from service.keeping.check.store import Tally, check
    from tests.golden import DIRECTORIES, logs, store

    assert _organisers() == was["organisers"]
    matches = was["matches"]
    for directory in DIRECTORIES:
        with store(directory) as records:
            assert [*check(records, Tally())] == []
            for match, log in _any(logs(directory)).items():
                assert {entry.event.grown for entry in log} == {DEFAULT}
                _check(records, match, log, matches.pop(f"{directory.name}/{match}"))
    assert not matches


def _check(records: Any, match: str, log: list[Any], was: dict[str, Any]) -> None:
    from domain.engine.checks.verify import verify
    from domain.games import rulebook
    from domain.record.proof import bundle
    from domain.record.proof.chain import chained, genesis
    from service.store import chains

    rules, chain = rulebook(_opened(log).game), chains.find(records, match)
    assert chain is not None
    assert verify(log, rules).kind == was["verdict"]
    for text in was["copies"].values():
        copy = bundle.read(text)
        assert bundle.check(copy)[-1] == chain.head == copy.proof.head
        assert "".join(bundle.lines(copy)) == text
    more = _gone_on_with(log, rules) if was["verdict"] == "exact" else []
    begun = genesis(match, _opened(log), chain.head.since)
    further = chained(chain.head, more, chain.secret)
    assert chained(begun, [*log, *more], chain.secret) == further


def _gone_on_with(log: list[Any], rules: Any) -> list[Any]:
    """Entries that follow a record: an answer and its consequences, and one with a new field."""
    from msgspec.structs import replace

    from domain.engine.match import Match
    from domain.officials import rulings
    from domain.officials.frame import Official
    from domain.record.entries import decode, encode
    from domain.record.fitting.fit import completed
    from service.store.layout import packing
    from service.store.layout.compression import Compression
    from tests.playouts import Dice, chances

    match = Match.resume(rules, log, Dice(1, chances(log)))
    decision = match.pos.decision
    if decision is not None and match.unfit is None and match.pos.paused < 0:
        seat = decision.seats[0]
        offer = _any(decision.offers[seat])
        option = offer.options[-1]
        if match.pos.heading.mode == "dealer":
            act = option.act(completed(offer, option))
            match.choose(seat, decision.n, act, match.pos.time + 1)
    rulings.note(match, Official("Olga", match.pos.time + 1, "it goes on"), "so it does")
    *more, last = match.collect()
    event = replace(last.event, grown=OTHER)
    more.append(replace(last, event=event, grown=OTHER))
    assert [decode(encode(entry)) for entry in more] == more
    row = packing.pack("m", more, Compression(), 0)
    assert packing.unpack("m", row[0], row[1].encode(), row[2], Compression()) == more
    return more


def main() -> int:
    sys.meta_path.insert(0, _Finder())
    with open(sys.argv[1], encoding="utf-8") as file:
        _check_all(json.load(file))
    return 0


if __name__ == "__main__":
    sys.exit(main())
