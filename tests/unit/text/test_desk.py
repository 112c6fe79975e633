"""Acts of officials as they are typed, in scenarios and as commands."""

from __future__ import annotations

import pytest
from kifu.v1 import desk_service_pb2 as pb
from msgspec import Struct

from domain.officials import acts, carrying
from domain.officials.acts import ACTS, OfficialAct
from domain.text.desk import TYPED, BadAct, words
from domain.words.fields import typed
from replay_cli.commands.running.desk import desk_command, time_command
from replay_cli.commands.running.desk_back import rewind_command
from service import wire
from service.client.officials import Officials


def test_what_is_left_out_is_left_to_the_act() -> None:
    assert words("rewind 46") == ("rewind", {"decision": 46})
    assert words("note 'spilled a drink' --public") == (
        "note", {"text": "spilled a drink", "public": True}
    )  # fmt: skip


def test_options_that_may_be_repeated() -> None:
    _, given = words("rewind 46 --card 41=random --card 42=shuffle --put-back random")
    assert given == {
        "decision": 46, "cards": ((41, "random"), (42, "shuffle")), "put_back": "random"
    }  # fmt: skip
    _, given = words("rule text --rule gcg:1 -r gcg:2")
    assert given["rules"] == ("gcg:1", "gcg:2")
    assert [fix.verb for fix in words("correct -f 'show 5' --fix 'turn 5 up'")[1]["fixes"]] == [
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
        ("rewind 4 --put-back gently", "'gently' is not one of as-they-were, random, shuffle"),
        ("rewind 4 --card 5", "'5' is not N=as-they-were|random|shuffle"),
        ("correct", "correct takes --fix --why"),
        ("correct -f 'lose 5'", "there is no 'lose'"),
        ("rule 'unclosed", "No closing quotation"),
    ],
)
def test_what_can_not_be_read_says_why(text: str, says: str) -> None:
    with pytest.raises(BadAct) as bad:
        words(text)
    assert says in str(bad.value)


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_each_act_has_its_command_its_method_and_its_request(act: type[OfficialAct]) -> None:
    group = desk_command if act.group == "desk" else time_command
    taken = {one.name: one for one in group.commands[act.command or act.name].params}
    assert next(iter(taken)) == "match"
    for one in TYPED[act.name]:
        flags = {flag for each in one.field.flags for flag in each.split("/")}
        assert flags <= {*taken[one.name].opts, *taken[one.name].secondary_opts}
        assert one.many == taken[one.name].multiple if one.field.flags else True
    methods = {getattr(found, "__doc__", "") for found in vars(Officials).values()}
    assert act.__doc__ in methods
    request = pb.DESCRIPTOR.services_by_name["DeskService"].methods_by_name[act.__name__].input_type
    assert {field.name for field in request.fields} == {"match_id", *act.__struct_fields__}


def test_every_method_of_the_desk_is_a_row_or_has_its_own() -> None:
    methods = {one.name for one in pb.DESCRIPTOR.services_by_name["DeskService"].methods}
    assert methods - {act.__name__ for act in ACTS.values()} == {"PreviewRewind", "ForkMatch"}


def test_a_field_that_its_request_has_not_is_named_as_it_is_loaded() -> None:
    class RecordNote(OfficialAct, frozen=True):
        text: str
        loud: bool = False

    service = pb.DESCRIPTOR.services_by_name["DeskService"]
    with pytest.raises(TypeError, match=r"RecordNote.*differ in \['about', 'loud', 'public'\]"):
        wire._requests(service, [RecordNote], "match_id")


def test_a_field_that_nothing_carries_out_is_named_as_it_is_loaded() -> None:
    def note(match: object, by: object, text: str, about: int = 0) -> None:
        """Write something down."""

    with pytest.raises(TypeError, match=r"RecordNote out does not take \['public'\]"):
        carrying._named(note, acts.RecordNote)


def test_a_field_that_does_not_say_what_it_is_is_named() -> None:
    class Silent(Struct):
        text: str

    with pytest.raises(TypeError, match=r"Silent\.text"):
        typed(Silent)


def test_a_mistake_in_a_command_says_the_same() -> None:
    from click.testing import CliRunner

    printed = CliRunner().invoke(rewind_command, ["m", "4", "--card", "5", "--why", "x"]).output
    assert "is not N=as-they-were|random|shuffle" in printed
