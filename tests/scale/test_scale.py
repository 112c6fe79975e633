"""The capacity model holds: beside a simulation, on its page, by constants that were measured."""

from __future__ import annotations

import re
from bisect import bisect
from math import isclose

import pytest
from msgspec.structs import fields, replace

from tests.benchmarks.cluster import copies
from tests.benchmarks.cluster.constants import of_matches
from tests.scale import agreement, model, page
from tests.scale.constants import Constants, constants, measured
from tests.scale.queueing import Jobs, erlang, utilisation, waiting
from tests.scale.settings import COUNTRY, LATE, QUICK, SETTINGS, Setting
from tests.scale.simulation import Simulation

C = constants()


@pytest.mark.long
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.name)
def test_model_and_simulation_agree(setting: Setting) -> None:
    apart = [pair for pair in agreement.pairs(setting, C) if not pair.agree]
    assert apart == []


@pytest.mark.long
def test_a_simulation_of_something_else_is_found_out() -> None:
    slower = replace(
        C, command=tuple(1.5 * one for one in C.command), render=1.5 * C.render, page=1.5 * C.page
    )
    where = model.deployment(COUNTRY, C)
    found = Simulation(COUNTRY, slower, where.seats, where.crowd).run(100.0)
    predicted = model.outcome(COUNTRY, C, where)
    assert not agreement.Pair("busy", predicted.seat, found.seat, agreement.LOAD).agree


@pytest.mark.long
def test_servers_break_where_the_model_says() -> None:
    """One server, more and more matches: up to that number commands are answered, beyond it not."""

    def busy(matches: int) -> float:
        setting = replace(few, matches=matches)
        return utilisation(model.server_jobs(setting, C, alone, model.rate(setting))[0])

    few, alone = replace(COUNTRY, spectators=1000), model.Deployment(1, 1, False)
    most = bisect(range(100_000), 1.0, lo=few.featured + 1, key=busy)
    p99 = {}
    for part in (0.85, 1.2):
        setting = replace(few, matches=round(most * part))
        commands = Simulation(setting, C, 1, 1).run(100.0).commands
        p99[part] = sorted(commands)[len(commands) * 99 // 100]
    assert p99[0.85] < 0.2 < 1 < p99[1.2]


@pytest.mark.long
def test_the_page_has_the_tables_of_the_model() -> None:
    text = page.PAGE.read_text()
    assert page.written(text) == text
    assert all(f"<!-- table: {name} -->" in text for name in page.TABLES)


def test_each_constant_says_how_and_when_it_was_measured() -> None:
    found = measured()
    assert {*found} == {field.name for field in fields(Constants)}
    for name, one in found.items():
        assert one.unit, name
        assert len(one.how) > 8, name
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", one.when), name


def test_constants_that_depend_on_no_machine_are_measured_anew() -> None:
    for name, (value, _, _) in of_matches().items():
        assert isclose(value, getattr(C, name), rel_tol=0.001), name


def test_waiting_is_what_the_books_say() -> None:
    """M/D/1 waits half a service at half load; of M/M/2 at load one every third has to wait."""
    delay = waiting([Jobs(50.0, (0.01,))])
    assert isclose(delay.mean, 0.005, rel_tol=0.02)
    assert isclose(erlang(1.0, 2), 1 / 3)
    with pytest.raises(ValueError, match="for ever"):
        waiting([Jobs(101.0, (0.01,))])


def test_copies_are_records_as_they_would_be(tmp_path) -> None:
    from service.store import chains
    from service.store.derived import checks
    from service.store.records import Records

    path = tmp_path / "matches.kifu"
    records = Records(path)
    records.use_dictionary(copies.GAME)
    sources = [copies.source(records, match) for match in copies.play(records, 2)]
    records.close()
    made = copies.Copies(sources, 4)
    copies.into_sqlite(path, made)
    records = Records(path)
    for at, match in enumerate(made.ids):
        assert checks.faults(records, match) == []
        head = chains.check(records, match)
        assert head is not None
        assert head.seq == made.of(at).entries
    assert len({chains.head(records, match).hash for match in made.ids}) == 4
    records.close()


@pytest.mark.long
def test_a_machine_takes_as_many_tables_as_a_simulation_of_it_answers_in_time() -> None:
    setting, where = model.machine(4, QUICK, C, LATE)
    p99 = {}
    for part in (0.8, 1.2):
        one = replace(setting, matches=round(setting.matches * part))
        commands = Simulation(one, C, where.seats, where.crowd).run(40.0).commands
        p99[part] = sorted(commands)[len(commands) * 99 // 100]
    assert p99[0.8] < LATE < p99[1.2]
