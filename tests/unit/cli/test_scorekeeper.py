"""The scorekeeper's input line, without a screen: what may be meant, is asked, is sent."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.engine.match import Match
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.position import Clock
from domain.scorekeeping.command import Command, NamesMissing, Recorded, Rejected, RollMissing
from domain.scorekeeping.line.questions import RollQuestion
from domain.telling.book import Book
from replay_cli.playing.fuzz.tables import no_dice
from replay_cli.scorekeeper import panes
from replay_cli.scorekeeper.link import Link
from tests.playouts import RULES, Setup, opening
from tests.support.scorekeepers import LocalService, Typist

BOOK = Book.of(RULES)


# -- a few acts ------------------------------------------------------------------------------------


def table() -> tuple[Typist, LocalService]:
    """A match at its first decision: player A chooses who begins."""
    opened = replace(opening(Setup(1, ("ST01", "ST03"))), mode="table", rolls=((0,),))
    service = LocalService(Match.open(RULES, opened, no_dice))
    return Typist(service, BOOK), service


def send(typist: Typist, command: Command | None) -> None:
    """Have it recorded, and take in what came of it; nothing, if it was not to be sent."""
    if command is None:
        return
    decision = typist.session.decision
    outcome = typist.link.send(command, decision.n if decision is not None else 0)
    assert outcome is not None
    typist.session.feed(typist.link.fetch(typist.session.seq))
    typist.input_line.outcome(command, outcome)


def type_(typist: Typist, *lines: str) -> None:
    """Type lines, each with Enter; "" is Enter alone."""
    for line in lines:
        typist.input_line.type(line)
        send(typist, typist.input_line.enter(typist.input_line.understood()))


def main_phase() -> tuple[Typist, LocalService]:
    """The first main phase."""
    typist, service = table()
    send(typist, typist.input_line.key(typist.input_line.understood(), "1"))
    type_(typist, "keep", "k")
    assert typist.session.decision is not None
    assert typist.session.decision.kind == "main"
    return typist, service


def kind(typist: Typist) -> str:
    decision = typist.session.decision
    return decision.kind if decision is not None else ""


def test_digits_number_what_is_on_offer_while_nothing_is_typed() -> None:
    typist, _ = table()
    input_line = typist.input_line
    assert [(row.key, row.text) for row in input_line.rows] == [("1", "first"), ("2", "second")]  # type: ignore[union-attr]
    assert input_line.preview() == ""
    input_line.type("f")
    assert input_line.key(input_line.understood(), "1") is None
    input_line.type("")
    shown = input_line.understood()
    assert input_line.key(shown, "3") is None
    assert input_line.key(shown, "2") == Command(typist.session.seat, Act("second"), "second")


def test_enter_alone_is_the_usual_act() -> None:
    typist, _ = main_phase()
    assert typist.input_line.preview() == "end"
    type_(typist, "")
    assert kind(typist) == "action"
    assert typist.input_line.preview() == "pass"


def test_a_refused_line_stays_with_its_rule_and_goes_on_as_an_irregularity() -> None:
    typist, _ = main_phase()
    input_line, before = typist.input_line, typist.session.seq
    input_line.type("d guntank")
    assert input_line.enter(input_line.understood()) is None
    assert input_line.refused is not None
    assert input_line.refused.rules == ("gcg:2-8-1",)
    assert input_line.typed == "d guntank"
    assert typist.session.seq == before
    repeated = input_line.as_irregularity(input_line.understood())
    assert repeated is not None
    assert (repeated.irregular, repeated.text) == (True, "deploy Guntank")
    assert set(repeated.names.values()) == {"ST01-004"}
    input_line.outcome(repeated, Recorded(before))
    assert (input_line.typed, input_line.refused) == ("", None)


def test_arrows_choose_and_tab_completes() -> None:
    typist, _ = main_phase()
    input_line = typist.input_line
    input_line.type("d g")
    rows = [row.text for row in input_line.rows]
    assert rows[0] == "deploy GM"
    input_line.move(1)
    assert input_line.preview() == rows[1]
    assert input_line.complete() == rows[1]
    input_line.type("d g")
    input_line.move(-1)
    assert input_line.preview() == rows[-1], "from the first to the last"
    input_line.escape()
    assert (input_line.typed, input_line.preview()) == ("", "end")


def test_the_other_seat_is_named_by_its_letter() -> None:
    typist, service = main_phase()
    typist.input_line.type("B: concede")
    assert typist.input_line.preview() == "B: concede"
    type_(typist, "B: concede")
    assert service.log[-1].event == ev.MatchEnded(0, (1, 0))
    assert typist.session.seat == -1
    typist.input_line.type("pass")
    assert typist.input_line.understood().problem


def test_an_open_act_is_no_answer() -> None:
    typist, service = main_phase()
    input_line = typist.input_line
    for line, aside in (("reorder trash", True), ("concede", True), ("end", False)):
        input_line.type(line)
        chosen = input_line.understood().command
        assert chosen is not None
        assert (chosen.seat, chosen.interjected) == (0, aside)
    type_(typist, "", "", "", "d gaz")
    type_(typist, 'declare gaza text [{"do": "draw", "n": 1}]')
    assert input_line.refused is None
    found = [e.event for e in service.log if isinstance(e.event, ev.Interjected)]
    assert [(one.seat, one.kind) for one in found] == [(1, "declare")]


def test_an_open_card_is_meant_by_a_verb_for_open_cards() -> None:
    """That a unit may not attack yet is its refusal; no other one of that name is in question."""
    typist, _ = main_phase()
    type_(typist, "", "", "", "d gaz", "", "", "", "", "", "")  # the second player's second turn
    input_line, p = typist.input_line, typist.session.pos
    assert (p.turn, kind(typist)) == (4, "main")
    (gaza,) = p.zone("battle", 1)
    send(typist, input_line.key(input_line.understood(), "1"))
    type_(typist, "", "", "")
    assert kind(typist) == "main"
    input_line.type("attack gaza -> player")
    repeated = input_line.understood().command
    assert repeated is not None
    assert (repeated.act.card, repeated.names) == (gaza, {})


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("deploy gm", "2 passes, then deploy GM"),
        ("A: deploy gm", "2 passes, then deploy GM"),
        ("B: deploy gm", "? no 'gm' in Ben's list, nor on the table"),
        ("B: deploy gaza", "? A has to decide first: main phase"),
        ("B: pass", "pass, then B: pass"),
        ("B: concede", "B: concede"),
    ],
)
def test_a_line_says_what_it_implies_or_who_has_to_decide_first(line: str, says: str) -> None:
    typist, service = main_phase()
    type_(typist, "", "", "", "d gaz", "")
    before = list(service.log)
    typist.input_line.type(line)
    assert typist.input_line.preview() == says
    assert service.log == before
    if says.startswith("?"):
        assert typist.input_line.enter(typist.input_line.understood()) is None
        assert typist.input_line.refused is not None


def test_a_seat_leaves_that_it_passes_and_withdraws_it() -> None:
    typist, service = main_phase()
    type_(typist, "", "", "", "d gaz", "B: pass until the turn ends")
    assert typist.input_line.refused is None
    assert service.match.auto_passes
    type_(typist, "")
    made = [e.event.origin for e in service.log if isinstance(e.event, ev.DecisionMade)]
    assert made[-1] == "auto" or kind(typist) == "action"
    typist.input_line.type("B: pass until it rains")
    assert typist.input_line.enter(typist.input_line.understood()) is None
    assert typist.input_line.refused is not None
    type_(typist, "B: pass in end until the rival acts or the turn ends", "B: withdraw")
    assert not service.match.auto_passes


def test_ending_ones_turn_is_not_implied_by_what_can_not_be_done_after_it() -> None:
    typist, _ = main_phase()
    type_(typist, "", "", "", "d gaz", "", "", "")  # the third turn's main phase
    assert kind(typist) == "main"
    typist.input_line.type("block gm")
    chosen = typist.input_line.understood().command
    assert chosen is None or not (chosen.implied or chosen.ends)


# -- what is shown ---------------------------------------------------------------------------------


def test_the_heading_says_who_is_to_decide_what_and_how_long_he_has() -> None:
    typist, _ = main_phase()
    p = typist.session.pos
    p.clocks = {"round": Clock(90_000, True, 0), "seat/0": Clock(30_500, True, 0)}
    assert p.decision is not None

    def heading(now: int, online: bool = True, sending: bool = False) -> str:
        return panes.heading(typist.session, "", online, sending, p.decision.time + now, 100).plain  # type: ignore[union-attr]

    assert heading(0).startswith("A Ann · main phase · decision 4")
    assert "A 0:30" in heading(0)
    assert "A -0:02" in heading(32_500)
    assert "OFFLINE" in heading(0, online=False)
    assert "recording …" in heading(0, sending=True)
    p.paused = p.decision.time
    assert "paused" in heading(0)
    assert "A 0:30" in heading(32_500), "no clock runs"


def test_options_stand_with_their_keys_and_unknown_cards_are_counted() -> None:
    typist, _ = main_phase()
    shown = panes.choices(typist.input_line, typist.input_line.understood(), 9).plain
    assert "end" in shown
    assert "6 unknown cards: type what is done, and its name" in shown
    typist.input_line.type("d guntank")
    refused = typist.input_line.understood()
    assert panes.prompt(typist.session, refused).plain.startswith("✗ gcg:2-8-1 deploy Guntank   Lv")
    assert typist.input_line.enter(refused) is None
    found = panes.note(typist.input_line, may_rule=True).plain
    assert "gcg:2-8-1" in found
    assert "Ctrl+R" in found
    assert "Ctrl+R" not in panes.note(typist.input_line, may_rule=False).plain


# -- questions -------------------------------------------------------------------------------------


def test_cards_are_asked_for_one_by_one_and_the_act_is_resent_with_them() -> None:
    typist, _ = main_phase()
    input_line, session = typist.input_line, typist.session
    one, other = session.pos.zone("shield", 1)[-2:]
    command = Command(0, Act("end"), "end")
    input_line.type("end")
    assert input_line.enter(input_line.understood()) == command
    input_line.type("what was typed since")
    input_line.outcome(command, NamesMissing(((other, "shield/1"), (one, "shield/1"))))
    assert input_line.question is not None
    assert input_line.question.text == "B's Shields, the topmost: which card? (of 2 to name)"
    assert input_line.enter(input_line.understood()) is None, "nothing is guessed"
    input_line.type("sinnju")
    assert input_line.preview() == "Sinanju"
    assert input_line.enter(input_line.understood()) is None
    assert input_line.question.text == "B's Shields: which card?"
    input_line.type("??")
    sent = input_line.enter(input_line.understood())
    assert sent is not None
    assert sent.names == {other: "ST03-001", one: "????"}
    assert sent.act == command.act
    input_line.outcome(sent, Rejected("ILLEGAL_ACT", "no", ("x:1",)))
    assert (input_line.typed, input_line.question) == ("end", None), "the line is back"
    input_line.escape()
    assert input_line.typed == "what was typed since"


def test_a_question_that_is_dropped_gives_the_line_back() -> None:
    typist, _ = main_phase()
    input_line = typist.input_line
    input_line.type("end")
    command = input_line.enter(input_line.understood())
    assert command is not None
    assert input_line.typed == ""
    input_line.outcome(command, NamesMissing(((1, "deck/0"),)))
    input_line.escape()
    assert (input_line.typed, input_line.question) == ("end", None)


def test_copies_that_are_named_are_not_left() -> None:
    typist, _ = main_phase()
    input_line, session = typist.input_line, typist.session
    shields = session.pos.zone("shield", 0)
    command = Command(0, Act("end"), "end")
    input_line.outcome(command, NamesMissing(tuple((n, "shield/0") for n in shields)))
    copies = RULES.decks["ST01"]["main"].count("ST01-001")
    for _ in range(copies):
        input_line.type("gundam")
        assert input_line.preview() == "Gundam"
        input_line.enter(input_line.understood())
    input_line.type("gundam")
    assert input_line.preview() != "Gundam"


def test_how_chance_fell() -> None:
    seats = RollQuestion("chooser", 2, ("Ann", "Ben"))
    assert seats.text == "chooser: who won the roll, A Ann or B Ben?"
    why = RULES.manifest.label("chances", "chooser")
    asked = RollQuestion("chooser", 2, ("Ann", "Ben"), why).text
    assert asked == "who chooses who begins: who won the roll, A Ann or B Ben?"
    assert [seats.answers(seen)[0].rolls for seen in ("a", "ben", "2")] == [
        ((0,),),
        ((1,),),
        ((1,),),
    ]
    die = RollQuestion("die", 6, ("Ann", "Ben"))
    assert die.answers("6")[0].rolls == ((5,),)
    assert not die.answers("7")
    order = RollQuestion("order", 3)
    assert order.answers("")[0].rolls == ((0, 1, 2),)
    assert order.answers("3 1")[0].rolls == ((2, 0, 1),)
    assert not order.answers("3 3")
    typist, _ = main_phase()
    typist.input_line.outcome(Command(0, Act("end"), "end"), RollMissing("die", 6))
    typist.input_line.type("6")
    sent = typist.input_line.enter(typist.input_line.understood())
    assert sent is not None
    assert sent.rolls == ((5,),)


# -- the link --------------------------------------------------------------------------------------


def test_a_command_is_sent_until_it_is_known_and_recorded_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("replay_cli.scorekeeper.link.RETRY", 0.001)
    typist, service = main_phase()
    found: list[bool] = []
    link = Link(service, "m", found.append)
    service.down, calls = 1, len(service.calls)
    decision = typist.session.decision
    assert decision is not None
    outcome = link.send(Command(0, Act("end"), "end"), decision.n)
    entries = link.catch_up(typist.session.seq, service.log[-1].seq)
    assert outcome == Recorded(service.log[-1].seq)
    assert len(service.calls) == calls + 2
    assert len(set(service.calls[calls:])) == 1, "under one name"
    made = [e.event for e in entries if isinstance(e.event, ev.DecisionMade)]
    assert len(made) == 1
    assert found == [False, True]
    assert link.online


def test_a_link_that_is_closed_gives_up() -> None:
    _, service = main_phase()
    service.down = 10**6
    link = Link(service, "m", lambda online: link.close())
    assert link.send(Command(0, Act("end"), "end"), 4) is None
    assert link.catch_up(0, 5) == []


def test_entries_are_taken_in_once_and_in_order() -> None:
    typist, service = main_phase()
    session = typist.session
    assert not session.feed(service.log)
    later = [*service.log[-1:]]
    type_(typist, "")
    assert not session.feed([*later, *service.log[-3:]])
    assert session.seq == service.log[-1].seq
