"""A phrase for each word of the card texts of this game; for what all games share: `wording`."""

from __future__ import annotations

from domain.effects.wording.phrasebook import Phrasebook
from domain.words.phrases import phrase

PHRASEBOOK = Phrasebook(
    kinds={
        "character": phrase("characters"),
        "command": phrase("commands"),
        "set": phrase("set cards"),
        "world": phrase("world sets"),
    },
    # some of it all games share in English: other languages have terms of this game for it
    zones={
        "sky": phrase("sky"),
        "attacker": phrase("the attacking card"),
        "attacked": phrase("the card that is attacked"),
        "foe": phrase("the card that this one fights"),
    },
    attacks={
        "player": phrase("the attack is on a player"),
        "card": phrase("the attack is on a card"),
        "player at first": phrase("the attack was declared on a player"),
        "card at first": phrase("the attack was declared on a card"),
    },
    has={"class": phrase("the class {test}"), "sets": phrase("{test} set cards on it")},
    values={"active": phrase("active"), "asleep": phrase("asleep")},
    figures={
        "cost": phrase("cost"),
        "without": phrase("without"),
        "among": phrase("among"),
        "copies": phrase("copies"),
        "additional": phrase("further deck"),
    },
    happens={
        "enter": phrase("{card} comes to the battlefield"),
        "set": phrase("{card} is set on a host"),
        "attack": phrase("{card} attacks"),
        "defend": phrase("{card} defends"),
        "destroyed": phrase("{card} is destroyed"),
        "destroyed-by-damage": phrase("{card} is destroyed by damage"),
        "destroyed-by-effect": phrase("{card} is destroyed by an effect"),
        "destroys": phrase("{card} destroys a character"),
        "damage-trigger": phrase("{card} is shown as damage moves it from the guard deck"),
        "active-end": phrase("an active phase ends"),
        "draw-end": phrase("a draw phase ends"),
        "energy-end": phrase("an energy phase ends"),
        "main-start": phrase("a main phase starts"),
        "main-end": phrase("a main phase ends"),
        "discard-end": phrase("a discard phase ends"),
        "turn-end": phrase("a turn ends"),
        "lost": phrase("the game would be lost"),
    },
    can={
        "attack": phrase("attack"),
        "defend": phrase("defend"),
        "abilities": phrase("be changed by abilities"),
        "effects": phrase("be changed by effects"),
    },
    costs={
        "pay": phrase("pay {n} energy"),
        "carnage": phrase("carnage {n}"),
        "trash": phrase("put this card into the trash"),
        "trash/of": phrase("put {n} of {cards} into the trash"),
        "rest": phrase("put this card to sleep"),
        "discard": phrase("discard {n} of your cards"),
    },
    keywords={
        "counter": phrase("counter {n}"),
        "pierce": phrase("pierce {n}"),
        "heavy": phrase("heavy strike {n}"),
        "vigilance": phrase("vigilance"),
        "undying": phrase("undying"),
        "swift": phrase("swift"),
    },
)
