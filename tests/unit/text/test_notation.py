"""What is written in the notation reads back as the same answer, and slips are named."""

import json
import random

import pytest
from msgspec.structs import replace

from domain.engine.match import Deck, Match, Opening
from domain.games import names, rulebook
from domain.record.decisions import (
    NUMBER,
    TEXT,
    Act,
    Limits,
    Misfit,
    Offer,
    Option,
    Part,
    Supply,
    joint,
)
from domain.record.fitting.fit import completed, fit
from domain.record.position import Card, Position
from domain.text.names import Names
from domain.text.notation import BadText, parse, write
from domain.text.scenario import load
from domain.text.scenario.setting import lay
from tests.support.marks import each

RULES = rulebook("gundam")


def _dice(rng):
    def dice(kind, of):
        return tuple(rng.sample(range(of), of)) if kind == "shuffle" else (rng.randrange(of),)

    return dice


def _choice(rng, offer):
    """Any act that answers the offer."""
    while True:
        option = rng.choice(offer.options)
        by_chance = completed(offer, option, None, rng) if joint(option) else ()
        picks = by_chance or tuple(_picks(rng, offer, option))
        act = option.act(picks)
        try:
            fit(offer, act)
        except Misfit:
            continue
        return act


def _picks(rng, offer, option):
    for part in option.parts:
        if part.pool == NUMBER:
            yield (rng.randint(part.low, part.high),)
        elif part.pool == TEXT:
            yield ("[]",)
        else:
            cap = part.limits.cap if part.limits is not None else 1
            pool = [ref for ref in offer.pools[part.pool] for _ in range(cap)]
            yield tuple(rng.sample(pool, rng.randint(part.low, min(part.high, len(pool)))))


@pytest.mark.parametrize("seed", each(3, range(6)))
@pytest.mark.parametrize("game", names())
def test_what_is_written_reads_back(game, seed):
    rules, rng = rulebook(game), random.Random(seed)
    decks = [Deck(name, rules.decks[name]) for name in rng.choices(sorted(rules.decks), k=2)]
    match = Match.open(rules, Opening(("a", "b"), tuple(decks), 0), _dice(rng))
    for _ in range(150):
        decision = match.pos.decision
        if decision is None:
            break
        seat = decision.seats[0]
        offer = decision.offers[seat]
        for _ in range(3):
            act = _choice(rng, offer)
            text = write(act, match.pos, rules, seat, offer)
            assert fit(offer, parse(text, match.pos, rules, seat, offer)) == fit(offer, act), text
        match.choose(seat, decision.n, act, match.pos.time)


# -- a small table ---------------------------------------------------------------------------------


def _table(**zones):
    """A position with these cards, numbered from 1 in the order given."""
    p = Position()
    number = 1
    for place, ids in zones.items():
        zone, seat = place.rsplit("_", 1)
        at = f"{zone}/{seat}"
        p.zones[at] = []
        for id_ in ids:
            p.cards[number] = Card(
                id_, int(seat), int(seat), at, True, "active", seen=-1, follow=-1
            )
            p.zones[at].append(number)
            number += 1
    return p


TABLE = _table(
    battle_0=["ST01-001", "ST01-005", "ST01-005"], hand_0=["ST01-005", "ST01-010"],
    battle_1=["ST01-005", "ST03-008", "ST01-016"],
)  # fmt: skip


def _read(text, offer=None, seat=0, p=TABLE, free=False):
    return parse(text, p, RULES, seat, offer, free)


def test_a_card_is_named_by_the_start_of_its_name_whatever_the_case():
    assert _read("attack gund -> player") == Act("attack", 1, (("seat/1",),))
    assert _read("attack ST01-001 -> zaku ii") == Act("attack", 1, ((7,),))


def test_two_of_a_name_are_distinguished():
    TABLE.cards[3].orient = "rested"
    try:
        assert _read("attack battle.GM#2 -> B.GM") == Act("attack", 3, ((6,),))
        assert _read("attack @3 -> @6") == Act("attack", 3, ((6,),))
        with pytest.raises(BadText, match=r"'battle.GM' may be .*GM#1.*@2.*GM#2.*@3"):
            _read("attack battle.GM -> player")
    finally:
        TABLE.cards[3].orient = "active"


def test_of_cards_that_nothing_tells_apart_the_first_is_meant():
    assert _read("attack battle.GM -> player").card == 2


def test_what_parts_share_is_another_copy_each_time():
    shared = Limits(supplies=(Supply((0, 1), 0, (1, 1)),))
    parts = Part("pay", 0, 1, 1), Part("target", 0, 1, 1, shared)
    offer = Offer((Option("deploy", 4, parts),), ((2, 3),))
    for text in ("deploy GM pay battle.GM target battle.GM", "deploy GM pay @2 target battle.GM"):
        assert _read(text, offer) == Act("deploy", 4, ((2,), (3,)))
    assert _read("deploy GM target battle.GM pay battle.GM", offer).picks == ((3,), (2,))


def test_an_offer_narrows_what_is_meant():
    offer = Offer((Option("deploy", 4, (Part("pay", 0, 1, 1),)), Option("end")), ((1, 2),))
    assert _read("deploy GM", offer) == Act("deploy", 4, ((1,),))
    assert _read("dep GM pay GM", offer) == Act("deploy", 4, ((2,),))
    with pytest.raises(BadText, match="takes no 'with'"):
        _read("deploy GM with Gundam", offer)


def test_picks_may_be_none_numbers_or_the_rest():
    offer = Offer((Option("choose", 9, (Part("rest", 0, 0, 2),)),), ((1, 2),))
    assert _read("choose none", offer).picks == ((),)
    number = Offer((Option("mode", 9, (Part("mode", -1, 1, 3),)),))
    assert _read("mode 3", number).picks == ((3,),)
    pay = Offer((Option("deploy", 4, (Part("pay", 0, 3, 3),)),), ((1, 2, 3),))
    assert _read("deploy GM pay GM#2, ...", pay).picks == ((3, 1, 2),)


def test_an_effect_is_named_where_a_card_has_several():
    offer = Offer(tuple(Option("activate", 1, effect=f"ST01-001/{name}") for name in ("a", "b")))
    assert _read("activate Gundam b", offer).effect == "ST01-001/b"
    with pytest.raises(BadText, match="which one: a, b"):
        _read("activate Gundam", offer)


def test_effects_of_one_name_are_distinguished_by_their_cards():
    refs = ("ST01-001/paired", "ST01-010/paired")
    offer = Offer(tuple(Option("resolve", 1, effect=ref) for ref in refs))
    with pytest.raises(BadText, match="which one: ST01-001/paired, ST01-010/paired"):
        _read("resolve Gundam paired", offer)
    assert _read("resolve Gundam ST01-010/paired", offer).effect == "ST01-010/paired"
    assert write(Act("resolve", 1, (), refs[1]), TABLE, RULES, 0, offer).endswith(refs[1])


def test_a_text_is_taken_as_it_stands():
    offer = Offer((Option("declare", 1, (Part("text", TEXT, 1, 100),), "ST01-001/pair"),))
    text = 'declare Gundam text [{"do": "draw", "with": "a -> b"}]'
    act = _read(text, offer)
    assert act == Act("declare", 1, (('[{"do": "draw", "with": "a -> b"}]',),), "ST01-001/pair")
    assert write(act, TABLE, RULES, 0, offer) == text


def test_a_name_with_a_comma_is_quoted():
    offer = Offer((Option("choose", 9, (Part("rest", 0, 1, 2),)),), ((8, 1),))
    act = Act("choose", 9, ((8, 1),))
    text = write(act, TABLE, RULES, 0, offer)
    assert text == 'choose "Asticassia School of Technology, Earth House", Gundam'
    assert _read(text, offer) == act


def test_an_unknown_card_has_a_name_too():
    p = _table(hand_0=["", ""])
    offer = Offer((Option("choose", 9, (Part("discard", 0, 1, 1),)),), ((1, 2),))
    assert write(Act("choose", 9, ((2,),)), p, RULES, 0, offer) == "choose ????#2"
    assert _read("choose ????#2", offer, p=p).picks == ((2,),)


def test_places_are_named_too():
    assert _read("reorder hand Amuro, GM") == Act("reorder", "hand/0", ((5, 4),))
    assert _read("look B.hand", free=True) == Act("look", "hand/1")


def test_a_verb_that_does_not_exist_is_named():
    with pytest.raises(BadText, match="'fly' is not one of: "):
        _read("fly GM")
    assert _read("unpair Gundam", free=True) == Act("unpair", 1)


def test_a_card_that_is_nowhere_is_named():
    with pytest.raises(BadText, match="no card here is called 'Zeong'"):
        _read("attack Zeong -> player")


FEATHER = {
    "id": "X-1", "name": "Feather", "type": "set", "cost": 0, "power": 1000,
    "host": {"match": {"type": "character"}},
}  # fmt: skip
UNPAID = """scenario Unpaid
game hollow_flux

position
    A hand: Feather, Lantern Duelist
    A battlefield: Lantern Squire

A: pass
"""


def test_a_part_is_named_that_no_act_on_offer_has():
    """What a dearer play would be paid with, where all that is offered costs nothing."""
    rules = rulebook("hollow_flux")
    table = lay(rules, load(UNPAID).setting, "Unpaid", prints=(json.dumps(FEATHER),))
    match = Match(rules, table, lambda kind, of: (0,))
    match.driver.start()
    pos, offer = match.pos, match.pos.decision.offers[0]
    unpaid = [one for one in offer.options if "pay" not in {part.name for part in one.parts}]
    assert [one.parts[0].name for one in unpaid if one.kind == "play"] == ["host"]
    offer = replace(offer, options=tuple(unpaid))
    _, duelist = pos.zone("hand", 0)
    (host,) = pos.zone("battlefield")
    dear = parse("play Lantern Duelist pay Lantern Squire", pos, rules, 0, offer)
    assert (dear.card, dear.picks) == (duelist, ((host,),))
    free = parse("play Feather with Lantern Squire", pos, rules, 0, offer)
    assert free.picks == ((host,),)
    with pytest.raises(BadText, match="Lantern Squire pay Gate"):
        parse("play Feather with Lantern Squire pay Gate Watcher", pos, rules, 0, offer)


def test_a_hidden_card_goes_by_its_number_where_its_list_has_others_of_its_name() -> None:
    p = Position()
    p.heading.decks = {0: ("mine", {"main": ("ST01-004", "GD01-008", "ST01-005")}), 1: ("", None)}
    names = Names(p, rulebook("gundam@1.9"), 0)
    assert names.hidden_name("ST01-004", "hand/0") == "ST01-004"
    assert names.hidden_name("ST01-005", "hand/0") == "GM"
    assert names.hidden_name("ST01-004", "hand/1") == "B.hand.Guntank"
