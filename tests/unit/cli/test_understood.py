"""What a line is understood as, is shown before Enter, and Enter does that: by keys."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.engine.match import Match
from domain.games import rulebook
from domain.record import events as ev
from domain.record.interventions import Irregularity
from replay_cli.drawing.book import Book
from replay_cli.playing.fuzz.tables import no_dice
from replay_cli.scorekeeper import panes
from tests.playouts import Setup, opening
from tests.support.scorekeepers import LocalService, Typist


class Keys:
    """A table at which lines are typed; what is shown is what is sent."""

    def __init__(self, game: str, *decks: str) -> None:
        rules = rulebook(game)
        opened = replace(opening(Setup(3, decks)), mode="table", rolls=((0,),))
        self.service = LocalService(Match.open(rules, opened, no_dice))
        self.typist = Typist(self.service, Book.of(rules))
        self.session, self.line = self.typist.session, self.typist.input_line

    def shows(self, line: str) -> str:
        """What is shown once a line is typed."""
        self.line.type(line)
        return panes.prompt(self.session, self.line.understood()).plain

    def enter(self, *lines: str) -> None:
        """Type lines, each with Enter, or Ctrl+R for "^R"."""
        for line in lines:
            if line != "^R":
                self.line.type(line)
            shown = self.line.understood()
            act = self.line.as_irregularity if line == "^R" else self.line.enter
            command, decision = act(shown), self.session.decision
            if command is None or decision is None:
                continue
            send = self.typist.link.irregular if command.irregular else self.typist.link.send
            outcome = send(command, decision.n)
            assert outcome is not None
            self.session.feed(self.service.log)
            self.line.outcome(command, outcome)

    def until(self, kind: str) -> None:
        """Press Enter until a decision of a kind is open."""
        for _ in range(30):
            if self.kind == kind:
                return
            self.enter("")
        raise AssertionError(f"there is no {kind}: {self.kind}, {self.line.question}")

    def said(self) -> str:
        """Why the last line was refused, by which rule."""
        refused = self.line.refused
        return refused.rules[0] if refused is not None and refused.rules else ""

    @property
    def kind(self) -> str:
        decision = self.session.decision
        return decision.kind if decision is not None else ""

    def irregularities(self) -> list[str]:
        found = (entry.event for entry in self.service.log)
        return [event.rule for event in found if isinstance(event, Irregularity)]


@pytest.fixture
def gundam() -> Keys:
    """The third turn: B has a Gaza D on the table, A has deployed a GM in this turn."""
    keys = Keys("gundam", "ST01", "ST03")
    keys.enter("first", "keep", "k", "", "", "", "d gaz", "", "", "", "d gm")
    assert (keys.kind, keys.session.seat, keys.said()) == ("main", 0, "")
    return keys


def test_a_name_means_the_card_on_the_table(gundam: Keys) -> None:
    """There may be another GM in the hand, and no attack was ever on offer."""
    (gm,), (gaza,) = (gundam.session.pos.zone("battle", seat) for seat in (0, 1))
    shown = gundam.shows("at gm gaza")
    assert shown.startswith("✗ gcg:2-11-4 attack GM -> Gaza D (Sleeves)")
    command = gundam.line.understood().command
    assert command is not None
    assert (command.act.card, command.act.picks, command.names) == (gm, ((gaza,),), {})


def test_what_is_not_legal_but_meant_is_an_irregularity_with_its_rule(gundam: Keys) -> None:
    before = list(gundam.service.log)
    gundam.enter("at gm gaza")
    assert (gundam.said(), gundam.service.log) == ("gcg:2-11-4", before), "Enter records nothing"
    gundam.enter("^R")
    assert gundam.irregularities() == ["gcg:2-11-4"]
    attacks = [e.event for e in gundam.service.log if isinstance(e.event, ev.AttackDeclared)]
    assert len(attacks) == 1


def test_a_card_of_the_hand_is_meant_where_the_act_needs_one(gundam: Keys) -> None:
    """A GM lies on the table, and is not what is deployed; nobody can pay for another one."""
    gundam.enter("end", "", "", "end", "", "")  # two turns later there are resources for it
    assert (gundam.session.pos.turn, gundam.kind) == (5, "main")
    assert gundam.shows("d gm") == "⏎ deploy GM   out of A's Hand"


@pytest.mark.parametrize("line", ["d ????", "deploy ????", "d hand.????"])
def test_a_card_that_nobody_noted_is_taken_literally(gundam: Keys, line: str) -> None:
    gundam.enter("end", "", "", "end", "", "")
    assert gundam.shows(line) == "⏎ deploy hand.????"
    gundam.enter(line)
    assert gundam.line.question is not None, "which it is must be said before it is deployed"
    assert gundam.line.question.text == "A's Hand: which card?"


def test_a_zone_says_where_the_card_lies_that_all_can_see() -> None:
    """A Lantern Squire lies face up in the guard deck, and others of it face down, maybe."""
    keys = Keys("hollow_flux", "HX-A", "HX-A")
    keys.enter("first", "face lantern squire, flare bolt", "face lantern squire", "keep", "keep")
    keys.enter("place", "", "", "play lantern squire", "", "", "attack lan -> player")
    keys.until("hurt")
    pos = keys.session.pos
    (lying,) = [n for n in pos.zone("guard", 1) if pos.card(n).id]
    for line in ("hurt guard.Lantern Squire", "hurt lantern"):
        assert keys.shows(line) == "⏎ hurt Lantern Squire"
        command = keys.line.understood().command
        assert command is not None
        assert (command.act.picks, command.names) == (((lying,),), {})


def test_a_target_left_unsaid_is_shown_and_can_be_chosen() -> None:
    """Of a card that is named only now, nobody knows before that it takes a target."""
    keys = Keys("yugioh", "YSYR", "YSKR")
    keys.enter("first", "set trap hole", "set waboku", "end", "set ookazi", "set ????", "end")
    keys.until("main")
    shown = keys.shows("activate mystical space typhoon")
    ways = [row.text for row in keys.line.rows]
    assert shown.startswith("⏎ activate Mystical Space Typhoon -> "), shown
    assert len([way for way in ways if " -> " in way]) > 2, ways
    keys.line.move(1)
    chosen = keys.line.understood()
    assert chosen.text == ways[1] != ways[0]
    command = chosen.command
    assert command is not None
    assert command.act.picks == keys.line.rows[1].command.act.picks  # type: ignore[union-attr]


def test_what_was_shown_at_another_position_is_not_sent(gundam: Keys) -> None:
    gundam.line.type("end")
    shown = gundam.line.understood()
    assert shown.command is not None
    gundam.service.choose("m", gundam.session.pos.decisions, shown.command.act, seat=0)
    gundam.session.feed(gundam.service.log)
    assert gundam.line.enter(shown) is None
    assert gundam.line.typed == "end"
    assert gundam.line.understood().command != shown.command


def test_what_was_shown_of_another_line_is_not_sent(gundam: Keys) -> None:
    gundam.line.type("end")
    shown = gundam.line.understood()
    gundam.line.type("d guntank")
    assert gundam.line.enter(shown) is None
