"""Rule coverage: for every rule of a book that can be broken, the tests that witness it.

A witness is an expectation that names the rule: in a scenario an event or a refusal that cites it,
or a line marked `witness`; in any other test the marker `@pytest.mark.rule("…")`. What is merely
cited while bots play proves nothing. For a reading, to be named in the rulebook's code or in a
scenario is enough. Rows of kind `info` need none; a rule that no recorder can show stands on the
game's list of exceptions (`unwitnessed.tsv`) with a reason.

`kifu rules --coverage` prints the report and fails where a rule has no witness, or where an id is
used that does not exist.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from msgspec import Struct

from domain.engine.rulebook import Rulebook
from domain.record.schema.citations import CHANGES
from domain.text.scenario.text import Scenario, in_editions, load, witnesses

INFO, READINGS = "info", "reading:"


class Source(Struct, frozen=True):
    """A file: how it is named in the report, and what is in it."""

    name: str
    text: str


class Coverage(Struct, frozen=True):
    """The tests that witness each rule.

    `unknown` are ids that no index has, each with where it is used.
    """

    witnesses: Mapping[str, tuple[str, ...]]
    excepted: Mapping[str, str]
    missing: tuple[str, ...]
    unknown: tuple[tuple[str, str], ...]
    idle: tuple[str, ...]  # exceptions that need not be: the rule has a witness, or is `info`

    @property
    def complete(self) -> bool:
        """Whether every rule is witnessed or excepted, and every id exists."""
        return not (self.missing or self.unknown or self.idle)


def cover(
    rules: Rulebook,
    scenarios: Iterable[Source],
    tests: Iterable[Source] = (),
    code: Iterable[Source] = (),
    exceptions: Source | None = None,
) -> Coverage:
    """Hold a rule index against scenarios, other tests, the rulebook's code and its exceptions.

    Raises `BadScenario` for a scenario that can't be read.
    """
    sources = list(scenarios)
    scenarios = [*_of_edition(sources, rules)]
    claims = [*_in_scenarios(scenarios, rules), *_in_tests(tests, rules), *_carried(sources, rules)]
    code = (Source(one.name, within(rules, one.text)) for one in code)
    named = [place for source in (*code, *scenarios) for place in _named(source, rules)]
    claims += [place for place in named if place[0].startswith(READINGS)]
    found: dict[str, list[str]] = {}
    for rule, where in claims:
        if rule in rules.rules:
            found.setdefault(rule, []).append(where)
    unknown = [place for place in dict.fromkeys(claims + named) if place[0] not in rules.rules]
    excepted = dict(_excepted(exceptions)) if exceptions is not None else {}
    unknown += [
        (rule, exceptions.name) for rule in excepted if exceptions and rule not in rules.rules
    ]
    needed = [rule for rule, row in rules.rules.items() if row.kind != INFO]
    return Coverage(
        {rule: tuple(found.get(rule, ())) for rule in rules.rules},
        excepted,
        tuple(rule for rule in needed if rule not in found and rule not in excepted),
        tuple(unknown),
        tuple(rule for rule in excepted if rule in found or rule not in needed),
    )


def within(rules: Rulebook, text: str) -> str:
    """A text that cites as code does, as the edition does."""
    numbers = rules.manifest.numbers
    return text if numbers is None else numbers.within(text)


@cache
def _loaded(text: str) -> Scenario:
    """A scenario, which is read once for the books of all games."""
    return load(text)


def _of_edition(sources: Iterable[Source], rules: Rulebook) -> Iterator[Source]:
    """The scenarios of a game, as they are run under this edition of its book."""
    for source in sources:
        for text in in_editions(source.text):
            if _loaded(text).game == rules.manifest.game:
                yield Source(source.name, text)


def _in_scenarios(sources: Iterable[Source], rules: Rulebook) -> Iterator[tuple[str, str]]:
    for source in sources:
        for rule, line in witnesses(_loaded(source.text)):
            if not rule.startswith(("card:", "house:", "policy:", "ruling:")):
                yield rule, f"{source.name}:{line}"


def _carried(sources: Iterable[Source], rules: Rulebook) -> Iterator[tuple[str, str]]:
    """Witnesses of a rule of the first edition, of every row that says the same in this one.

    Of several such rows a scenario that is run under both cites one (`Numbers`).
    """
    same = defaultdict[str, list[str]](list)
    for rule in rules.rules.values():
        for old in rule.was if rule.change in CHANGES[: CHANGES.index("meaning")] else ():
            same[old].append(rule.id)
    for source in sources:
        scenario = _loaded(source.text)
        if scenario.name == rules.manifest.name and not scenario.edition:
            for old, line in witnesses(scenario):
                yield from ((rule, f"{source.name}:{line}") for rule in same[old])


def _in_tests(sources: Iterable[Source], rules: Rulebook) -> Iterator[tuple[str, str]]:
    for source in sources:
        for mark in re.finditer(r"mark\.rule\(([^)]*)\)", source.text):
            line = source.text.count("\n", 0, mark.start()) + 1
            for rule in re.findall(r"[\"']([a-z]+:[^\"']+)[\"']", within(rules, mark[1])):
                if rule.startswith(f"{rules.manifest.prefix}:"):
                    yield rule, f"{source.name}:{line}"


def _named(source: Source, rules: Rulebook) -> Iterator[tuple[str, str]]:
    """Every rule and reading of this book that a file names."""
    prefix = rules.manifest.prefix
    for found in re.finditer(rf"\b(?:{prefix}:\w[\w.-]*\b|reading:{prefix}/\w+)", source.text):
        yield found[0], f"{source.name}:{source.text.count(chr(10), 0, found.start()) + 1}"


def _excepted(source: Source) -> Iterator[tuple[str, str]]:
    for row in source.text.splitlines():
        rule, _, reason = row.partition("\t")
        if rule and not rule.startswith("#"):
            if not reason.strip():
                raise ValueError(f"{source.name}: {rule} is excepted without a reason")
            yield rule, reason.strip()


# -- the report -----------------------------------------------------------------------------------


def report(rules: Rulebook, tests: Path) -> Coverage:
    """The coverage of a game by the tests in a folder."""
    from domain.games import package

    edition = rules.manifest.edition
    folder = Path(str(import_module(package(rules.manifest.game)).__file__)).parent
    exceptions = folder / f"unwitnessed{edition and '-'}{edition}.tsv"
    return cover(
        rules,
        _files(tests, "*.scenario"),
        _files(tests, "*.py"),
        [*_files(folder, "*.py"), *_files(folder, "*.toml")],
        _source(exceptions, folder) if exceptions.exists() else None,
    )


def _files(folder: Path, pattern: str) -> list[Source]:
    return [_source(path, folder) for path in sorted(folder.rglob(pattern))]


def _source(path: Path, folder: Path) -> Source:
    return Source(str(path.relative_to(folder)), path.read_text("utf-8"))


def lines(coverage: Coverage, rules: Rulebook, whole: bool = False) -> Iterator[str]:
    """The report for people; `whole` lists every witness as well."""
    needed = [rule for rule, row in rules.rules.items() if row.kind != INFO]
    seen = sum(bool(coverage.witnesses[rule]) for rule in needed)
    if whole:
        for rule in needed:
            where = coverage.witnesses[rule]
            shown = ", ".join(where[:3]) + (f" and {len(where) - 3} more" if where[3:] else "")
            yield f"{rule:20} {shown or coverage.excepted.get(rule, 'no witness')}"
    for rule in coverage.missing:
        yield f"{rule}: no witness. {rules.rules[rule].gist} ({rules.rules[rule].witness})"
    for rule, place in coverage.unknown:
        yield f"{rule}: there is no such rule ({place})"
    for rule in coverage.idle:
        yield f"{rule}: needs no exception"
    yield (
        f"{rules.manifest.title}: {len(rules.rules)} rules, {len(needed)} that can be broken: "
        f"{seen} witnessed, {len(coverage.excepted)} excepted, "
        f"{len(coverage.missing)} without a witness"
    )
