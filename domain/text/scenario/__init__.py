"""Scenarios: a position, choices and expectations, in a text that people write by hand.

SCENARIOS.md explains the format. `load` reads one (`text`), `run` plays it (`run`): the position is
set up by ordinary events (`setting`), the choices are put to a real match (`real_table` where cards
are named as they are shown), acts of officials to the desk (`officials`), and every expectation is
held against what happened (`checks`). Nothing here knows a game.
"""

from domain.text.scenario.run import Failure, Report, run
from domain.text.scenario.text import BadScenario, Scenario, in_editions, load, witnesses

__all__ = [
    "BadScenario",
    "Failure",
    "Report",
    "Scenario",
    "in_editions",
    "load",
    "run",
    "witnesses",
]
