"""What the plainer cards of the ready-made deck YSKR do, each on a small board of its own.

Those that change what players may do, or hang on a whole turn, are scenarios (`cards_*.scenario`).
"""

from __future__ import annotations

import pytest

from domain.text.scenario import load, run

BOARDS = {
    "Chaos Necromancer: 300 for each monster, and for nothing else": """
position
    A monster: Chaos Necromancer
    A grave: Mystical Elf, Kuriboh, Dark Hole
    A hand: Tribute to The Doomed, Dark Blade
    B grave: Gemini Elf
    B monster: Battle Ox

Chaos Necromancer is atk 600, def 0
A: activate Tribute to The Doomed target Battle Ox
all: pass
Chaos Necromancer is atk 900
B grave: Gemini Elf, Battle Ox
""",
    "Chaos Necromancer: what is halved is the 0 that is printed": """
position
    A monster: Chaos Necromancer
    A grave: Mystical Elf, Kuriboh
    A hand: Shrink, Rush Recklessly

A: activate Shrink -> Chaos Necromancer
all: pass
Chaos Necromancer is atk 600
A: activate Rush Recklessly -> Chaos Necromancer
all: pass
Chaos Necromancer is atk 1300
""",
    "Blade Knight: 400 more with one card in the hand, and none with two": """
position
    A monster: Blade Knight
    A hand: Tribute to The Doomed, 2
    B monster: Battle Ox

Blade Knight is atk 1600
A: activate Tribute to The Doomed target Battle Ox
all: pass
Blade Knight is atk 2000
""",
    "Cybernetic Cyclopean: 1000 more without a hand": """
position
    A monster: Cybernetic Cyclopean
    A hand: Dark Blade
    B hand: none

Cybernetic Cyclopean is atk 1400
A: summon Dark Blade
all: pass
Cybernetic Cyclopean is atk 2400
""",
    "Puppet Plant: what it took goes back in the End Phase": """
position
    A hand: Puppet Plant, 3
    B monster: Gemini Elf, Battle Ox, Dark Blade [down, defence]
    B hand: none
    B deck: 5 Mystical Elf

A: activate Puppet Plant -> Battle Ox ! ygo:base.cost.1
A: activate Puppet Plant -> Dark Blade ! ygo:base.cost.1
A: activate Puppet Plant -> Gemini Elf
then cards.moved A hand -> A grave, Puppet Plant, discard   ygo:base.cost.1
all: pass
A monster: Gemini Elf
A: end
all: pass
then cards.controlled Gemini Elf, B
B monster: Battle Ox, Dark Blade, Gemini Elf
""",
    "Puppet Plant: without a zone for what it would take it can't be used": """
position
    A hand: Puppet Plant
    A monster: 5 Mystical Elf
    B monster: Gemini Elf

A: activate Puppet Plant -> Gemini Elf ! ygo:summon.zone.1
""",
    "Puppet Plant: nothing of its kind": """
position
    A hand: Puppet Plant
    B monster: Battle Ox

A: activate Puppet Plant ! ygo:base.cost.1
""",
    "Vanguard of the Dragon: 300 for each Dragon that is sent, for as long as it lies there": """
position
    A monster: Vanguard of the Dragon
    A hand: Luster Dragon, Alexandrite Dragon, Battle Ox

A: activate Vanguard of the Dragon raise cost Battle Ox ! ygo:base.cost.1
A: activate Vanguard of the Dragon raise cost Luster Dragon
then cards.moved A hand -> A grave, Luster Dragon, cost      ygo:base.cost.1
all: pass
Vanguard of the Dragon is atk 2000
A: activate Vanguard of the Dragon raise cost Alexandrite Dragon
all: pass
Vanguard of the Dragon is atk 2300
A: activate Vanguard of the Dragon raise ! ygo:base.cost.1
A: end
all: pass
Vanguard of the Dragon is atk 2300
""",
    "Yomi Ship: it takes with it what has destroyed it": """
position
    step battle
    A monster: Battle Ox
    B monster: Yomi Ship

A: attack Battle Ox -> Yomi Ship
all: pass
then cards.moved B monster -> B grave, Yomi Ship, battle
then act.declared trigger, Yomi Ship                         ygo:base.speed.1
then cards.moved A monster -> A grave, Battle Ox, destroyed  ygo:base.destroy.1
then attack.ended
counters B: life 7100
""",
    "Yomi Ship: two that destroy each other have nothing left to destroy": """
position
    step battle
    A monster: Yomi Ship, Battle Ox
    B monster: Yomi Ship

A: attack Yomi Ship -> Yomi Ship
all: pass
A monster: Battle Ox
exactly 2 act.declared trigger
exactly 2 not.done destroy, impossible
never cards.moved destroyed
""",
    "Yomi Ship: an effect that destroys it sets nothing off": """
position
    A hand: Offerings to the Doomed
    B monster: Yomi Ship

A: activate Offerings to the Doomed -> Yomi Ship
all: pass
B grave: Yomi Ship
never act.declared trigger
""",
    "Des Feral Imp: a card of one's own Graveyard goes back, and the deck is shuffled": """
position
    A monster: Des Feral Imp [down, defence]
    A grave: Dark Hole
    A deck: 3 Mystical Elf
    B grave: Kuriboh

A: flip Des Feral Imp
all: pass
A: use Des Feral Imp target B.Kuriboh ! ygo:base.cost.1
A: use Des Feral Imp target Dark Hole
all: pass
then cards.moved A grave -> A deck, Dark Hole
then chance.drawn shuffle
A deck: 4
A grave: none
""",
    "Des Feral Imp: with an empty Graveyard it comes to nothing": """
position
    A monster: Des Feral Imp [down, defence]
    A deck: 3 Mystical Elf

A: flip Des Feral Imp
all: pass
never act.declared
never chance.drawn
asked A main
""",
    "Tribute to The Doomed: a card is the price, a face-down monster will do": """
position
    A hand: Tribute to The Doomed
    B monster: Mystical Elf [down, defence]

A: activate Tribute to The Doomed -> Mystical Elf ! ygo:base.cost.1
""",
    "Rush Recklessly: 700 more until the turn is over, in the Damage Step too": """
position
    step battle
    A monster: Battle Ox
    A hand: Rush Recklessly
    B monster: Gemini Elf

A: attack Battle Ox -> Gemini Elf
A: pass
B: pass
step damage/1
A: activate Rush Recklessly -> Battle Ox
all: pass
then damage.dealt Battle Ox -> B, 500
Battle Ox is atk 2400
A: end battle
all: pass
A: end
all: pass
turn 6 B
Battle Ox is atk 1700
""",
    "Offerings to the Doomed: the next Draw Phase of its player is skipped": """
position
    A hand: Offerings to the Doomed
    B monster: Battle Ox, Mystical Elf [down, defence]
    B hand: none

A: activate Offerings to the Doomed -> Mystical Elf ! ygo:base.cost.1
A: activate Offerings to the Doomed -> Battle Ox
all: pass
B grave: Battle Ox
A: end
all: pass
turn 6 B
B hand: 1
B: end
all: pass
turn 7 A
then not.done draw, A, skipped             ygo:golden.card.1
A hand: none
""",
    "Stamping Destruction: damage to who controlled it; not without a Dragon": """
position
    A monster: Luster Dragon [down, defence]
    A hand: 2 Stamping Destruction
    A spell: Dark Hole [down]
    B spell: Mirror Force [down], Skill Drain [up]

A: activate Stamping Destruction -> Mirror Force ! ygo:main1.effect.1
A: flip Luster Dragon
all: pass
A: activate Stamping Destruction -> Dark Hole
all: pass
then cards.moved A spell -> A grave, Dark Hole, destroyed
then damage.dealt Stamping Destruction -> A, 500
A: activate Stamping Destruction -> Mirror Force
B: pass
A: pass
then damage.dealt Stamping Destruction -> B, 500
""",
    "Stamping Destruction: no damage where nothing is destroyed": """
position
    A monster: Luster Dragon
    A hand: Stamping Destruction
    B spell: Mystical Space Typhoon [down], Skill Drain [down]

A: activate Stamping Destruction -> Skill Drain
B: activate Mystical Space Typhoon -> Skill Drain
all: pass
never damage.dealt
""",
    "Shrink: half of the original ATK, what was added stays; rounded up": """
position
    A monster: Vanguard of the Dragon
    A hand: Luster Dragon, Shrink
    B monster: Battle Ox

A: activate Vanguard of the Dragon raise
all: pass
A: activate Shrink -> Vanguard of the Dragon
all: pass
Vanguard of the Dragon is atk 1150, def 1300
A: end
all: pass
Vanguard of the Dragon is atk 2000
""",
    "Shield Crush: whatever lies in Defence Position, face down or up": """
position
    A hand: 2 Shield Crush
    A monster: Mystical Elf [defence]
    B monster: Battle Ox, Kuriboh [down, defence]

A: activate Shield Crush -> Battle Ox ! ygo:base.cost.1
A: activate Shield Crush -> Kuriboh
all: pass
B monster: Battle Ox
A: activate Shield Crush -> Mystical Elf
all: pass
A monster: none
""",
    "Silent Doom: a Normal Monster comes in Defence Position and never attacks": """
position
    A hand: Silent Doom
    A grave: Luster Dragon, Sangan
    B grave: Battle Ox

A: activate Silent Doom -> Sangan ! ygo:base.cost.1
A: activate Silent Doom -> Battle Ox ! ygo:base.cost.1
A: activate Silent Doom -> A.Luster Dragon
all: pass
A monster: Luster Dragon [defence]
A: end
all: pass
B: end
all: pass
turn 7 A
A: position Luster Dragon
A: battle
all: pass
A: attack Luster Dragon -> player ! card:42534368/revive
""",
    "Silent Doom: without a free zone it can't be activated": """
position
    A hand: Silent Doom
    A monster: 5 Mystical Elf
    A grave: Luster Dragon

A: activate Silent Doom ! ygo:base.special.1
""",
    "Dragonic Tactics: two Dragons make room for one of Level 8 out of the deck": """
position
    A hand: Dragonic Tactics
    A monster: Luster Dragon, Alexandrite Dragon, Battle Ox, 2 Mystical Elf
    A deck: Blue-Eyes White Dragon, Luster Dragon, 3

A: activate Dragonic Tactics cost Luster Dragon, Battle Ox ! ygo:base.cost.1
A: activate Dragonic Tactics cost Luster Dragon, Alexandrite Dragon
then cards.moved A monster -> A grave, Luster Dragon, tribute
all: pass
A: choose Blue-Eyes White Dragon
A: place Blue-Eyes White Dragon position attack
A monster has Blue-Eyes White Dragon
then chance.drawn shuffle
""",
    "Sakuretsu Armor: the attacker alone, and only a rival's": """
position
    step battle
    A monster: Battle Ox, Gemini Elf
    B monster: Kuriboh
    B spell: Sakuretsu Armor [down]
    A spell: Sakuretsu Armor [down]

A: attack Battle Ox -> Kuriboh
A: activate Sakuretsu Armor ! ygo:main1.effect.1
A: pass
B: activate Sakuretsu Armor -> Gemini Elf ! ygo:base.cost.1
B: activate Sakuretsu Armor -> Battle Ox
all: pass
A grave: Battle Ox
then attack.ended                  ygo:base.attack.2
A monster: Gemini Elf
""",
    "Widespread Ruin: the highest ATK in Attack Position, chosen as it is done": """
position
    step battle
    A monster: Battle Ox, 2 Gemini Elf, Summoned Skull [defence]
    B monster: Blue-Eyes White Dragon
    B spell: Widespread Ruin [down]

A: attack Gemini Elf -> Blue-Eyes White Dragon
A: pass
B: activate Widespread Ruin
A: pass
B: pass
asked B target
picks B: Gemini Elf, Gemini Elf
B: choose Gemini Elf#2
A monster: Battle Ox, Gemini Elf, Summoned Skull
""",
    "Threatening Roar: no attack is declared this turn, by nobody of that side": """
position
    A monster: Battle Ox
    B spell: Threatening Roar [down]

A: battle
B: activate Threatening Roar
all: pass
A: battle
all: pass
step battle
A: attack Battle Ox -> player ! card:36361633/roar
not offered A: attack Battle Ox -> player
""",
}


@pytest.mark.parametrize("title", BOARDS)
def test_board(title: str) -> None:
    report = run(load(f"scenario {title}\ngame yugioh\n{BOARDS[title]}"))
    assert report.passed, "\n".join(map(str, report.failures))
