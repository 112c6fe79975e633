"""Kifu for programs: reach a service, read a record, ask a position.

    >>> from kifu import fold, read
    >>> entries = read("match.jsonl")        # or matches.kifu, match.txt, match.kifu-proof
    >>> entries[0].seq, entries[0].cites[0]
    (1, 'house:open')
    >>> position = fold(entries)             # as it stands at the end
    >>> position.turn, position.step, position.score
    (3, 'main', [0, 0])
    >>> earlier = fold(entries, until=60)    # after entry 60
    >>> earlier.turn, len(earlier.zone("hand", 0))
    (1, 5)
    >>> earlier.tallies()["life"], earlier.tally("deck", 1)
    ((6, 6), 38)
    >>> earlier.zone("shields", 0)
    Traceback (most recent call last):
    service.client.seen.UnknownName: there is no zone 'shields'; did you mean 'shield'? ...

`connect(address, token)` is a client of a running service: `list_matches`, `position`, `positions`
(as they come), `follow`, `watch` (entries), `choose` and more. Where everything is:

=====================  =============================================================================
`connect`, `Client`    calls of the service; each raises `CallError`, whose `reason` is for programs
`read`                 the entries of any file that Kifu writes; raises `BadFile`
`fold`                 the `Position` that entries add up to, at any `Point`, for any viewer
`Entry`                a line of the record: `seq`, `time` in ms, `cites` (rules), `event`
`Position`             the table: zones, cards, counters, the open decision, tallies for overlays;
                       needs no rules; names that there are not raise `UnknownName`
`Point`                a point of a match: `decision`, `seq` (entry) or `time` in ms; nothing: now
`Act`                  what a seat does at a decision (`Client.choose`), made from an option on
                       offer: `option.act()`, or with picks for its parts
`PUBLIC`, `OFFICIAL`   viewers, beside the seats 0 and 1
=====================  =============================================================================

`kifu.tables` has records as Arrow tables, `kifu.env` matches for machine learners; each needs
further packages: `pip install 'kifu[tables,env]'`.
The contract for other languages is `kifu.v1`, whose sources `kifu proto DIR` writes.

What is behind it are the packages `domain` and `service`. They are found where Kifu is installed,
also from a folder that has one of these names itself; but one process can't have two packages of
one name, so where another `service` is imported already, this raises `ImportError`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from domain.record.decisions import Act as Act
    from domain.record.entries import Entry as Entry
    from domain.record.points import Point as Point
    from domain.record.views import OFFICIAL as OFFICIAL
    from domain.record.views import PUBLIC as PUBLIC
    from service.client.client import Client as Client
    from service.client.client import connect as connect
    from service.client.connection import CallError as CallError
    from service.client.files import BadFile as BadFile
    from service.client.files import fold as fold
    from service.client.files import read as read
    from service.client.seen import SeenPosition as Position
    from service.client.seen import UnknownName as UnknownName

#: Where each name comes from; it is loaded when it is asked for, so that `kifu.v1` alone is light.
_FROM = {
    "Act": "domain.record.decisions",
    "BadFile": "service.client.files",
    "CallError": "service.client.connection",
    "Client": "service.client.client",
    "Entry": "domain.record.entries",
    "OFFICIAL": "domain.record.views",
    "PUBLIC": "domain.record.views",
    "Point": "domain.record.points",
    "Position": "service.client.seen",
    "UnknownName": "service.client.seen",
    "connect": "service.client.client",
    "fold": "service.client.files",
    "read": "service.client.files",
}
__all__ = [
    "OFFICIAL", "PUBLIC", "Act", "BadFile", "CallError", "Client", "Entry", "Point", "Position",
    "UnknownName", "connect", "fold", "read",
]  # fmt: skip
#: The packages behind it.
_OWN = ("domain", "service", "replay_cli")


def __getattr__(name: str) -> Any:
    if name not in _FROM:
        raise AttributeError(
            f"module 'kifu' has no attribute {name!r}; it has {', '.join(__all__)}"
        )
    _find_own()
    found = getattr(import_module(_FROM[name]), "SeenPosition" if name == "Position" else name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, "env", "tables", "v1"]


def _find_own() -> None:
    """Load the packages next to this one, even if the current folder has others.

    Raises `ImportError` where another package of that name is loaded already.
    """
    here = Path(__file__).parent
    for name in _OWN:
        places = (root / name / "__init__.py" for root in (here.parent, here.parents[1]))
        file = next((place for place in places if place.exists()), None)
        if file is None:
            raise ImportError(f"kifu is installed without its package `{name}`", name=name)
        loaded = sys.modules.get(name)
        if loaded is None:
            _load(name, file)
        elif Path(loaded.__file__ or "").resolve() != file.resolve():
            where = loaded.__file__ or list(getattr(loaded, "__path__", []))
            raise ImportError(
                f"kifu has a package `{name}` of its own, and another one is imported already, from"
                f" {where}: rename that one, or use kifu in a process without it", name=name,
            )  # fmt: skip


def _load(name: str, file: Path) -> None:
    spec = spec_from_file_location(name, file, submodule_search_locations=[str(file.parent)])
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
