"""What a line is understood as, is shown before Enter, and Enter does that: by keys."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.engine.match import Match
from domain.games import rulebook
from domain.record import events as ev
from domain.record.interventions import Irregularity
from domain.telling.book import Book
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
            outcome = self.typist.link.send(command, decision.n)
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

    def problem(self) -> str:
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
    assert (keys.kind, keys.session.seat, keys.problem()) == ("main", 0, "")
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
    assert (gundam.problem(), gundam.service.log) == ("gcg:2-11-4", before), "Enter records nothing"
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


# -- what is in no list, and what was named wrongly ------------------------------------------------


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("deploy demi trainer", "Demi Trainer is 0 times in the list of that seat"),
        ("d gm", "GM is 4 times in the list of that seat, and 5 were named"),
    ],
)
def test_a_card_that_can_not_be_there_is_recorded_and_flagged(
    gundam: Keys, line: str, says: str
) -> None:
    for _ in range(3):  # every copy of the list
        for _ in range(4):
            gundam.enter("d gm")
        gundam.enter("end", "", "", "end", "", "")
    known = [card.id for card in gundam.session.pos.cards.values()]
    assert (gundam.kind, known.count("ST01-005")) == ("main", 4)
    shown = gundam.shows(line)
    assert shown.startswith("✗ house:named deploy ")
    assert says in shown
    gundam.enter(line, "^R")
    assert gundam.line.refused is None
    assert gundam.irregularities() == ["house:named"]
    played = [
        entry.event for entry in gundam.service.log if isinstance(entry.event, ev.DecisionMade)
    ]
    assert played[-1].origin == "official"


def test_a_card_in_no_list_answers_a_question_and_is_flagged(gundam: Keys) -> None:
    """A Shield is turned up that is no card of the list."""
    for _ in range(40):
        if gundam.line.question is not None:
            break
        gundam.enter("attack gaza -> player", "end" if gundam.kind == "main" else "")
    assert gundam.line.question is not None
    gundam.line.type("demi")
    assert gundam.line.preview() == "Demi Trainer (none is left in the list)"
    gundam.enter("demi")
    assert gundam.problem() == "house:named"
    gundam.enter("^R")
    assert gundam.irregularities() == ["house:named"]
    assert "ST01-008" in [card.id for card in gundam.session.pos.cards.values()]


def test_a_wrongly_named_card_is_renamed_with_one_notice(gundam: Keys) -> None:
    before = len(gundam.session.lines)
    assert gundam.shows("gm = guncannon").startswith("⏎ GM is Guncannon (was GM)")
    gundam.enter("gm = guncannon", "")
    lines = [line.text for line in gundam.session.lines[before:]]
    found = [text for text in lines if "Guncannon" in text]
    assert found == [
        "the position is corrected: named wrongly (Sam), Guncannon (was GM), Guncannon HP 4, Lv 3"
    ]
    assert (
        gundam.shows("gaza = gm")
        == "⏎ Gaza D (Sleeves) is GM (was Gaza D (Sleeves))   out of B's Battle Area"
    )
    assert gundam.shows("battle.guncannon = ????").startswith("⏎ Guncannon is ???? (was Guncannon)")
    assert gundam.shows("qq = gm").startswith("? ")
    assert gundam.shows("guncannon = qq").startswith("? there is no card 'qq'")


# -- inferred passes -------------------------------------------------------------------------------


def test_a_play_in_the_next_turn_implies_the_end_of_this_one(gundam: Keys) -> None:
    """Only B has a Zaku; so A's turn is over."""
    before = len(gundam.service.log)
    shown = gundam.shows("deploy zaku 1")
    assert shown == "⏎ end, 2 passes, then B: deploy Zaku Ⅰ   out of B's Hand"
    gundam.enter("deploy zaku 1")
    made = [e.event for e in gundam.service.log[before:] if isinstance(e.event, ev.DecisionMade)]
    assert [(one.seat, one.origin) for one in made] == [
        (0, "implied"), (1, "implied"), (0, "implied"), (1, "seat"),
    ]  # fmt: skip
    assert gundam.session.pos.turn == 4


def test_what_is_refused_in_ones_own_turn_is_not_taken_for_the_rivals() -> None:
    """It is offered, below: both lists have the card."""
    keys = Keys("gundam", "ST01", "ST01")
    keys.enter("first", "keep", "k", "", "", "", "", "", "", "d gm", "d gm")
    assert (keys.session.pos.turn, keys.session.seat) == (3, 0)
    keys.line.type("d gm")
    shown = keys.line.understood()
    assert shown.refused is not None
    assert shown.refused.rules[0] == "gcg:2-9-1"
    offered = [row.text for row in shown.rows]
    assert "end, 2 passes, then B: deploy GM" in offered
    for _ in range(offered.index("end, 2 passes, then B: deploy GM")):
        keys.line.move(1)
    chosen = keys.line.understood()
    assert (chosen.text, chosen.refused) == ("end, 2 passes, then B: deploy GM", None)
    assert chosen.command is not None
    assert (chosen.command.seat, chosen.command.passes) == (1, 3)


def test_ones_own_passes_are_implied_while_cards_are_unknown() -> None:
    """At the chain after a Set card, with cards in the hand that might be used: the next act."""
    keys = Keys("yugioh", "YSYR", "YSKR")
    keys.enter("first", "summon neo the magic swordsman")
    assert keys.session.seat == 0 or keys.kind != "main"
    assert "then set Trap Hole" in keys.shows("set trap hole").replace("hand.", "")
    keys.enter("set trap hole")
    assert len(keys.session.pos.zone("spell", 0)) == 1


# -- what words mean -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "qqq gm",
            "? no 'qqq' here; there is: end, deploy, pair, command, activate, support, attack",
        ),
        ("deploy xyzzy", "? no 'xyzzy' in Ann's list, nor on the table"),
        ("B: deploy guntank", "? no 'guntank' in Ben's list, nor on the table"),
        ("B: block zaku 2", "? A has to decide first: main phase"),
    ],
)
def test_an_unknown_word_is_reported(gundam: Keys, line: str, says: str) -> None:
    assert gundam.shows(line) == f"{says}   F4: bring a card"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("ST01-003", "deploy Guncannon"),
        ("d st01-005", "deploy GM"),
        ("deploys GM (ST01-005), 1 resource rested", "deploy GM"),
        ("ends the main phase", "end"),
    ],
)
def test_numbers_of_cards_and_words_of_the_transcript_are_understood(
    gundam: Keys, line: str, text: str
) -> None:
    gundam.enter("end", "", "", "end", "", "")
    gundam.line.type(line)
    assert gundam.line.understood().text == text


def test_the_second_of_a_name_is_called_by_its_number(gundam: Keys) -> None:
    gundam.enter("end", "", "", "end", "", "", "d gm", "end", "", "", "end", "", "")
    first, second = gundam.session.pos.zone("battle", 0)
    for line, card in (("attack gm -> player", first), ("a gm 2 pl", second), ("gm 2", second)):
        gundam.line.type(line)
        command = gundam.line.understood().command
        assert command is not None
        assert (command.act.kind, command.act.card) == ("attack", card), line


def test_what_is_nothing_but_a_word_keeps_its_digit() -> None:
    """Whatever else is on offer, 9 ends the turn and 8 enters the Battle Phase."""
    keys = Keys("yugioh", "YSYR", "YSKR")
    keys.enter("first", "end")
    keys.until("main")
    by_key = {row.key: row.text for row in keys.line.rows if row.key}  # type: ignore[union-attr]
    assert by_key == {"8": "battle", "9": "end"}
    command = keys.line.key(keys.line.understood(), "9")
    assert command is not None
    assert command.act.kind == "end"


def test_what_is_suggested_is_an_act(gundam: Keys) -> None:
    """A Unit is deployed with nothing, and on nothing."""
    gundam.enter("end", "", "", "end", "", "")
    gundam.line.type("d gm")
    assert not [
        row.text for row in gundam.line.rows if "GM ->" in row.text or "GM with" in row.text
    ]
    for line in ("d gm gm", "d gm gaza"):
        gundam.line.type(line)
        shown = gundam.line.understood()
        assert shown.problem or shown.refused, line
