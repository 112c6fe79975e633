"""Every scenario under tests/scenarios holds; and at a real table it comes to the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from domain.engine.match import Match, Refused
from domain.engine.naming import Inputs
from domain.games import editions, names
from domain.record.decisions import Act
from domain.record.position import decoded
from domain.text.scenario import in_editions, load, run
from domain.text.scenario.setting import lay
from replay_cli.playing.fuzz.tables import Scorekeeper, at_table, names_in, no_dice, public
from tests.support.marks import each

HERE = Path(__file__).parent / "scenarios"
FILES = sorted(HERE.rglob("*.scenario"))
#: What is told of real tables, and of officials, who look at the table as it is.
AS_IT_IS = re.compile(r"^ +mode table$|^@ desk ", re.MULTILINE)


def _over(files: list[Any]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", files, ids=_name)


def _name(path: Path) -> str:
    return str(path.relative_to(HERE).with_suffix(""))


#: The rules of Summons that hang on hidden cards: a real table trusts who begins one, and it comes
#: out as it is carried out (ygo:fusion.choice.3); and those of Sets, of cards that stay face-down.
TRUSTED = {
    "ygo:fusion.choice.1", "ygo:fusion.choice.2", "ygo:ritual.steps.1",
    "ygo:set.tribute.1", "ygo:summon.tribute.3", "ygo:base.level.1", "ygo:base.zone.1",
    "ygo:special.monster.1", "ygo:golden.card.1", "card:46411259/summon",
}  # fmt: skip


@_over(FILES)
def test_scenario(path: Path) -> None:
    """In the newest edition that it is of."""
    *_, text = in_editions(path.read_text("utf-8"))
    report = run(load(text))
    assert report.passed, "\n".join(map(str, report.failures))


#: Those of games of which there is more than one edition.
EDITIONS = [
    path
    for path in FILES
    for game in path.relative_to(HERE).parts[:1]
    if game in names() and editions(game)[1:]
]


@pytest.mark.long
@_over(EDITIONS)
def test_scenario_in_earlier_editions(path: Path) -> None:
    for text in [*in_editions(path.read_text("utf-8"))][:-1]:
        report = run(load(text))
        assert report.passed, "\n".join(map(str, report.failures))


#: One in twelve is tried in a short run: fewer, but of each game.
AT_TABLES = each(12, [path for path in FILES if not AS_IT_IS.search(path.read_text("utf-8"))])


class Followed(Match):
    """A dealt match whose every command a scorekeeper enters at a real table, too."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.keeper: Scorekeeper | None = None

    def choose(self, seat: int, n: int, act: Act, now: int, *rest: Any, **named: Any) -> None:
        self._both(lambda match, inputs: Match.choose(match, seat, n, act, now, inputs=inputs))

    def interject(
        self, seat: int, kind: str, now: int, about: Any = 0, picks: Any = (), *rest: Any, **_: Any
    ) -> None:
        self._both(
            lambda match, inputs: Match.interject(
                match, seat, kind, now, about, picks, inputs=inputs
            )
        )

    def _both(self, command: Any) -> None:
        keeper, before = self.keeper, decoded(self.pos.encoded())
        assert keeper is not None
        try:
            command(self, Inputs())
        except Refused as refused:
            keeper.refused(command, names_in(before, ()), refused.refusal.rules, TRUSTED)
            raise
        entries = list(self.table.out)
        name = names_in(before, entries)
        assert public(keeper.enter(command, entries, name)) == public(entries)


@_over(AT_TABLES)
def test_at_a_real_table(path: Path) -> None:
    """The same outcome with fewer identities: the public sees the same, entry by entry."""
    scenario = load(path.read_text("utf-8"))
    followed: list[Followed] = []

    class Here(Followed):
        def __init__(self, rules: Any, table: Any, *rest: Any) -> None:
            super().__init__(rules, table, *rest)
            if table.pos.seq and not table.tail:  # a position that was laid
                real = lay(
                    rules, scenario.setting, scenario.title, "table", table.pos.heading.prints,
                    scenario.decks,
                )  # fmt: skip
                match = Match(rules, real, no_dice)
                match.driver.start()
                self.keeper = Scorekeeper(match)
                followed.append(self)

        @classmethod
        def open(cls, rules: Any, opening: Any, dice: Any) -> Any:
            found = super().open(rules, opening, dice)
            assert isinstance(found, Followed)
            found.keeper = Scorekeeper(at_table(rules, opening, found.table.out))
            followed.append(found)
            return found

    report = run(scenario, matches=Here)
    assert report.passed, "\n".join(map(str, report.failures))
    for match in followed:
        assert match.keeper is not None
        assert public(match.keeper.log) == public(report.entries)
