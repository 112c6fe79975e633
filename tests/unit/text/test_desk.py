"""Acts of officials as they are typed, in scenarios and as commands."""

from __future__ import annotations

import pytest

from domain.text.desk import ACTS, BadAct, read
from replay_cli.commands.running.desk import desk_command
from replay_cli.commands.running.desk_rewind import rewind_command


def test_what_is_left_out_is_what_it_stands_for() -> None:
    assert read("rewind 46") == (
        "rewind", {"decision": 46, "why": "", "put_back": "as they were", "single": ()}
    )  # fmt: skip
    assert read("note 'spilled a drink' --public")[1] == {
        "text": "spilled a drink", "about": 0, "public": True
    }  # fmt: skip


def test_what_may_be_said_several_times() -> None:
    _, given = read("rewind 46 --card 41=random --card 42=shuffle --put-back random")
    assert (given["single"], given["put_back"]) == (((41, "random"), (42, "shuffle")), "random")
    _, given = read("rule text --rule gcg:1 -r gcg:2")
    assert given["rules"] == ("gcg:1", "gcg:2")
    assert [fix.verb for fix in read("correct -f 'show 5' --fix 'turn 5 up'")[1]["wanted"]] == [
        "show", "turn",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no act is named"),
        ("promise", "officials do not 'promise'; there are: begin, rule"),
        ("rewind", "rewind takes DECISION --why --put-back --card"),
        ("rewind soon", "'soon' is no number from 1 up"),
        ("rewind 0", "'0' is no number from 1 up"),
        ("rewind 4 5", "rewind does not take '5'"),
        ("rewind 4 --soon", "rewind does not take '--soon'"),
        ("rewind 4 --why", "--why is followed by nothing"),
        ("rewind 4 --put-back gently", "'gently' is none of as-they-were, random, shuffle"),
        ("rewind 4 --card 5", "'5' is not N=as-they-were|random|shuffle"),
        ("correct", "correct takes --fix --why"),
        ("correct -f 'lose 5'", "there is no 'lose'"),
        ("rule 'unclosed", "No closing quotation"),
    ],
)
def test_what_can_not_be_read_says_why(text: str, says: str) -> None:
    with pytest.raises(BadAct) as bad:
        read(text)
    assert says in str(bad.value)


@pytest.mark.parametrize("name", ACTS)
def test_the_command_of_that_name_takes_the_same(name: str) -> None:
    command = desk_command.commands[name]
    taken = {option.name: option for option in command.params}
    for word in ACTS[name]:
        assert set(word.flags) <= set(taken[word.name].opts)
        assert taken[word.name].required == (word.required or not word.flags)
        assert word.many == (taken[word.name].multiple if word.flags else False)


def test_a_mistake_in_a_command_says_the_same() -> None:
    from click.testing import CliRunner

    said = CliRunner().invoke(rewind_command, ["4", "--card", "5", "--why", "x"]).output
    assert "is not N=as-they-were|random|shuffle" in said
