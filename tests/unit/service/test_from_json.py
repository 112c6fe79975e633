"""Messages are read from JSON as protobuf reads them; what is usual without asking it."""

from __future__ import annotations

import pytest
from google.protobuf.json_format import MessageToJson, Parse
from kifu.v1 import events_pb2

from replay_cli.record import write
from service import wire
from service.client import from_json
from tests.playouts import play, setup_of

Entry = events_pb2.Entry


def outcome(text: str, quick: bool) -> object:
    """The message that a text makes, or how it is refused."""
    try:
        return from_json.read(text, Entry) if quick else Parse(text, Entry())
    except Exception as error:
        return type(error), str(error)


def test_exported_records_are_read_by_the_tables_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    log = play(setup_of(5, game="gundam"))
    lines = [*write(log)]
    whole = [Parse(line, Entry()) for line in lines]
    monkeypatch.setattr(from_json, "Parse", None)
    assert [from_json.read(line, Entry) for line in lines] == whole
    assert [wire.entry_of(one) for one in whole] == log
    assert (
        from_json.read(MessageToJson(whole[0], preserving_proto_field_name=True), Entry)
        == (whole[0])
    )


@pytest.mark.parametrize(
    "text",
    [
        "", "7", "[]", "{", "null", '{"seq": 1', "{} {}",
        '{"seq": 1, "seq": 2}', '{"seq": null}', '{"seq": true}', '{"seq": 1.0}', '{"seq": 1.5}',
        '{"seq": "7"}', '{"seq": "+7"}', '{"seq": "1_0"}', '{"seq": " 7"}', '{"seq": "-"}',
        '{"seq": "٣"}', '{"seq": 4294967296}', f'{{"seq": {10**40}}}', '{"seq": -1}',
        '{"seq": {}}', '{"seq": [1]}', '{"time": 7}', '{"time": "7"}', f'{{"time": "{2**63}"}}',
        '{"seq": NaN}', '{"sequel": 1}', '{"[kifu.v1.x]": 1}', '{"cites": "a"}', '{"cites": null}',
        '{"cites": ["a", null]}', '{"cites": ["\\ud800"]}', '{"cites": [1]}', '{"cites": []}',
        '{"event": null}', '{"event": []}', '{"event": {}}', '{"event": {"gameBegan": {}}}',
        '{"event": {"gameBegan": {}, "seatLost": {}}}',
        '{"event": {"gameBegan": {}, "game_began": {}}}',
        '{"event": {"decisionOpened": {"digest": "YQ=="}}}',
        '{"event": {"decisionOpened": {"digest": "YQ"}}}',
        '{"event": {"decisionOpened": {"digest": "-_=="}}}',
        '{"event": {"decisionOpened": {"digest": "é"}}}',
        '{"event": {"decisionOpened": {"digest": "YQ==YQ=="}}}',
        '{"event": ' * 200 + "7" + "}" * 200,
        "[" * 100_000,
    ],
    ids=lambda text: text[:60],
)  # fmt: skip
def test_what_is_unusual_or_wrong_is_read_and_refused_as_by_protobuf(text: str) -> None:
    assert outcome(text, quick=True) == outcome(text, quick=False)
