"""A phrase for each word of the card texts of this game; for what all games share: `wording`."""

from __future__ import annotations

from domain.effects.wording.phrasebook import Phrasebook
from domain.words.phrases import phrase

PHRASEBOOK = Phrasebook(
    kinds={
        "unit": phrase("Units"),
        "pilot": phrase("Pilots"),
        "command": phrase("Commands"),
        "base": phrase("Bases"),
        "resource": phrase("Resources"),
    },
    has={"trait": phrase("the trait {test}"), "terrain": phrase("the zone {test}")},
    are={"paired": phrase("paired"), "linked": phrase("linked"), "battling": phrase("battling")},
    values={
        "rested": phrase("rested"),
        "active": phrase("active"),
        "pilot": phrase("a Pilot"),
    },
    figures={"cost": phrase("cost")},
    happens={
        "deploy": phrase("{card} is deployed"),
        "paired": phrase("{card} gets a Pilot"),
        "linked": phrase("{card} gets a Pilot that completes its link"),
        "attack": phrase("{card} attacks"),
        "destroyed": phrase("{card} is destroyed"),
        "destroyed-by-damage": phrase("{card} is destroyed by damage"),
        "destroyed-by-effect": phrase("{card} is destroyed by an effect"),
        "destroys-unit": phrase("{card} destroys an enemy Unit with battle damage"),
        "destroys-shield": phrase("{card} destroys an enemy Base or Shield with battle damage"),
        "burst": phrase("{card} is turned up as a destroyed Shield"),
        "rested": phrase("{card} is rested"),
        "readied": phrase("{card} becomes active"),
        "returned": phrase("{card} is returned to a hand"),
        "turn-start": phrase("a turn starts"),
        "turn-end": phrase("a turn ends"),
        "lost": phrase("the game would be lost"),
    },
    timings={"main": phrase("in your main phase"), "action": phrase("in an action step")},
    can={
        "attack-player": phrase("choose the player as the target of an attack"),
        "attack-target": phrase("attack such cards as may not be attacked otherwise"),
        "battle-damage": phrase("be dealt battle damage"),
    },
    costs={"pay": phrase("pay {n} of your Resources")},
    keywords={
        "repair": phrase("Repair {n}"),
        "breach": phrase("Breach {n}"),
        "support": phrase("Support {n}"),
        "blocker": phrase("Blocker"),
        "first-strike": phrase("First Strike"),
        "high-maneuver": phrase("High-Maneuver"),
        "suppression": phrase("Suppression"),
    },
)
