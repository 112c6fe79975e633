"""Every citation names a rule that exists, every word is declared, every refusal names its rule."""

from __future__ import annotations

from hypothesis import given

from domain.engine.rulebook import Rulebook
from domain.record.schema.citations import known, texts
from domain.record.schema.wording import faults
from domain.record.values import CHANCE
from domain.record.values import RULES as BY_RULES
from tests.playouts import Setup, play
from tests.properties.strategies import examples, setups


def exists(cite: str, rules: Rulebook) -> bool:
    """Whether a citation names something in that book."""
    return known(cite, rules.rules, texts(rules.cards))


@examples(8)
@given(setups())
def test_everything_cited_exists(setup: Setup) -> None:
    cites = {cite for entry in play(setup) for cite in entry.cites}
    assert not [cite for cite in cites if not exists(cite, setup.rules)]


@examples(8)
@given(setups())
def test_every_entry_that_a_rule_mandates_names_it(setup: Setup) -> None:
    for entry in play(setup):
        assert entry.cites or entry.by not in (BY_RULES, CHANCE, 0, 1), entry


@examples(8)
@given(setups())
def test_every_word_is_declared(setup: Setup) -> None:
    assert not {fault for entry in play(setup) for fault in faults(setup.rules.manifest, entry)}
