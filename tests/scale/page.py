"""The tables of service/deploy/SCALE.md, which come from the model (`python -m tests.scale`).

Each stands between two marks that name it. What a table says is reckoned again from the constants;
a test compares the page with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from tests.benchmarks.table import Found
from tests.scale import agreement, model
from tests.scale.constants import Constants, constants, measured
from tests.scale.settings import LATE, QUICK, SETTINGS, WORLD

PAGE = Path(__file__).parents[2] / "service" / "deploy" / "SCALE.md"
_RUN = re.compile(r"(<!-- run -->\n).*?(<!-- end -->)", re.S)
_MARK = re.compile(r"(<!-- table: ([a-z]+) -->\n).*?(<!-- end -->)", re.S)


def number(value: float) -> str:
    """Three digits, with the suffix of a thousandfold."""
    if not value:
        return "0"
    for size, suffix in ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e4, " k")):
        if abs(value) >= size:
            return _digits(value / (1e3 if suffix == " k" else size)) + suffix
    return _digits(value)


def size(value: float, unit: str = "B") -> str:
    """Bytes, or bits, with the prefix of a thousandfold."""
    for times, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= times:
            return f"{_digits(value / times)} {prefix}{unit}"
    return f"{_digits(value)} {unit}"


def seconds(value: float) -> str:
    """In the unit that fits."""
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= size:
            return f"{_digits(value / size)} {unit}"
    return f"{_digits(value * 1e6)} µs"


def _digits(value: float) -> str:
    found = f"{value:.3g}"
    return f"{float(found):,.0f}" if "e" in found or abs(value) >= 100 else found


def _part(value: float) -> str:
    return f"{_digits(value * 100)} %"


def _rows(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def of_constants(c: Constants) -> str:
    """What was measured."""
    rows = []
    for name, one in sorted(measured().items()):
        value = sum(one.value) / len(one.value) if isinstance(one.value, tuple) else one.value
        unit = one.unit
        if unit.startswith("s "):
            text, unit = seconds(value), unit[2:]
        elif unit.startswith("B"):
            text, unit = size(value), unit[2:]
        else:
            text = number(value)
        rows.append([f"`{name}`", text, unit, one.how])
    return _rows(["constant", "value", "of", "measured by"], rows)


#: The figures of a deployment: what each is, and how it is written.
_FIGURES: dict[str, Callable[[model.Deployment, model.Outcome], str]] = {
    "servers": lambda where, one: (
        f"{where.seats} for seats, {where.crowd:,} for followers"
        if where.apart
        else str(where.seats)
    ),
    "commands/s": lambda where, one: number(one.commits),
    "a server of seats is busy; while a round starts": lambda where, one: (
        f"{_part(one.seat)}; {_part(one.start)}"
    ),
    "a server of followers is busy; after one failed": lambda where, one: (
        f"{_part(one.crowd)}; {_part(one.after_failure) if one.after_failure else 'there is none'}"
    ),
    "a command takes, p50, p99": lambda where, one: _both(one.command),
    "the same while a round starts": lambda where, one: _both(one.command_start),
    "the last follower on a server is told after, p50, p99": lambda where, one: _both(one.notified),
    "memory of a server of followers": lambda where, one: size(one.memory),
    "cores of the database that are busy": lambda where, one: number(one.cores),
    "its log": lambda where, one: f"{size(one.log)}/s",
    "reads/s of what another server committed": lambda where, one: number(one.reads),
    "stored in a year": lambda where, one: size(one.stored),
    "news delivered a second": lambda where, one: number(one.news),
    "positions asked for a second; the edges answer": lambda where, one: (
        f"{number(one.requests)}; {_part(one.hits)}"
    ),
    "of them reach the service; and pages": lambda where, one: (
        f"{number(one.origin)}; {number(one.pages)}"
    ),
    "out of the edges": lambda where, one: size(one.edge_bytes * 8, "bit/s"),
    "out of a server of followers": lambda where, one: size(one.server_bytes * 8, "bit/s"),
    "pairing the largest event": lambda where, one: seconds(one.pairing),
}


def _servers(where: model.Deployment) -> str:
    if where.apart:
        return f"{where.seats} for seats, {where.crowd:,} for followers"
    return str(where.seats)


def _both(delay: model.Delay) -> str:
    return f"{seconds(delay.quantile(0.5))}, {seconds(delay.quantile(0.99))}"


def of_settings(c: Constants) -> str:
    """What each deployment needs, and does."""
    found = []
    for setting in SETTINGS:
        where = model.deployment(setting, c)
        found.append((where, model.outcome(setting, c, where)))
    rows = [[what, *(write(*one) for one in found)] for what, write in _FIGURES.items()]
    return _rows(["", *(setting.name for setting in SETTINGS)], rows)


def of_limits(c: Constants) -> str:
    """What breaks first, and by how many times as much."""
    rows = []
    scattered = replace(WORLD, name="world, not sticky", sticky=False)
    for setting in (*SETTINGS, scattered):
        limits = model.limits(setting, c, model.deployment(setting, c))
        rows += [
            [setting.name, one.what, _part(one.used), f"{number(one.factor)} times"]
            for one in limits[:3]
        ]
    return _rows(["", "what breaks", "used of it", "bears"], rows)


def of_agreement(c: Constants) -> str:
    """The model beside the simulation."""
    rows = dict[str, list[str]]()
    for at, setting in enumerate(SETTINGS):
        for pair in agreement.pairs(setting, c):
            row = rows.setdefault(pair.what, ["–"] * len(SETTINGS))
            part = pair.what.endswith(("busy", "failed", "answer"))
            write = seconds if pair.times else _part if part else number
            row[at] = f"{write(pair.model)}; {write(pair.simulation)}"
    return _rows(
        ["", *(one.name for one in SETTINGS)], [[what, *row] for what, row in rows.items()]
    )


def of_rooms(c: Constants) -> str:
    """Servers with room for more followers."""
    rows = []
    for times in (1, 2, 4, 8, 16):
        setting = replace(WORLD, room=WORLD.room * times)
        where = model.deployment(setting, c)
        one = model.outcome(setting, c, where)
        rows.append([
            f"{setting.room:,}", f"{where.crowd:,}", _part(one.crowd), _both(one.notified),
            size(one.memory), number(where.servers * model.POOL), number(one.reads),
        ])  # fmt: skip
    heads = ["room", "servers", "busy", "told after, p50, p99", "memory", "connections", "reads/s"]
    return _rows(heads, rows)


def of_machines(c: Constants) -> str:
    """How many quick tables machines take."""
    rows = []
    for cores in (2, 4, 8, 16):
        setting, where = model.machine(cores, QUICK, c, LATE)
        jobs = model.seat_jobs(setting, c, where.seats, model.rate(setting))
        rows.append([
            str(cores), f"{where.seats}, {setting.database}", number(setting.matches),
            number(model.rate(setting)), _part(model.utilisation(jobs)),
            _part(model.database(setting, c, where)),
        ])  # fmt: skip
    heads = ["cores", "servers, cores of the database", "tables", "commands/s", "a server is busy"]
    return _rows([*heads, "the database is busy"], rows)


TABLES: dict[str, Callable[[Constants], str]] = {
    "constants": of_constants,
    "settings": of_settings,
    "limits": of_limits,
    "rooms": of_rooms,
    "machines": of_machines,
    "agreement": of_agreement,
}


def written(text: str) -> str:
    """The page with its tables as they should be."""
    c = constants()
    return _MARK.sub(lambda found: f"{found[1]}\n{TABLES[found[2]](c)}\n{found[3]}", text)


def write() -> None:
    """Write them again."""
    PAGE.write_text(written(PAGE.read_text()))


def write_run(found: Sequence[Found], when: str) -> None:
    """Write down what the benchmarks of a cluster found in one run."""
    rows = [[one.text, str(one), one.aim, one.figures] for one in found]
    table = f"Measured on {when}.\n\n" + _rows(["what", "ratio (spread)", "aim", "figures"], rows)
    PAGE.write_text(_RUN.sub(lambda at: f"{at[1]}\n{table}\n{at[2]}", PAGE.read_text()))


def printed() -> Iterator[str]:
    """All tables."""
    c = constants()
    for name, table in TABLES.items():
        yield f"{name}\n\n{table(c)}"
