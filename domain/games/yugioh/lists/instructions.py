"""The instructions of this game's card texts, beside those that other games have as well.

What they do is in `effects.instructions`; the other words that texts may use are in `words`.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from domain.effects.instructions import cards, lasting, ways
from domain.effects.instructions.ways import COMMON, FURTHER
from domain.effects.language.instruction import (
    Aimed,
    AimedNumbered,
    Instruction,
    Lies,
    Numbered,
    Player,
    taken_up,
)
from domain.effects.language.vocabulary import Choose, Group, Phrases
from domain.games.kit.effects.negation import Negate
from domain.words.phrases import phrase

#: Where cards go that leave the field, or were to be Summoned; "": as usual.
Away = Literal["", "grave", "banished", "hand", "deck"]


# -- as in other games, with more to say ----------------------------------------------------------


class Recover(cards.Recover, tag="recover"):
    """A player gains `n` Life Points."""

    example = 'n = 1000, key = "you"'
    phrases: ClassVar[Phrases] = {
        **cards.Recover.phrases,
        "you": phrase("gain {n} Life Points"),
        "opponent": phrase("your opponent gains {n} Life Points"),
        "both": phrase("each player gains {n} Life Points"),
    }


class Move(cards.Move, tag="move", kw_only=True):
    """As in all games.

    `until` a phase with `value = "held"` keeps the zones of its monsters for them.
    """

    value: Literal["held"] | None = None


class Redirect(lasting.Redirect, tag="redirect", kw_only=True):
    """As long as that lasts, those cards go to `place` where they would go to `key`."""

    place: Literal["grave", "banished", "hand", "deck"]
    example = 'key = "grave", place = "banished", to = { zone = "anywhere" }'


class Destroy(cards.Destroy, tag="destroy"):
    """Cards are destroyed; `place` says where they go instead of the Graveyard."""

    place: Away = ""


class Rest(cards.Rest, tag="rest"):
    """Monsters that lie face up are turned to Defense Position."""

    phrases: ClassVar[Phrases] = {"": phrase("turn {cards} to Defense Position")}


class Ready(cards.Ready, tag="ready"):
    """Monsters that lie face up are turned to Attack Position."""

    phrases: ClassVar[Phrases] = {"": phrase("turn {cards} to Attack Position")}


class Modify(lasting.Modify, tag="modify"):
    """As in all games, of the figures of this one."""

    example = 'key = "atk", n = -500, until = "turn", to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {
        **lasting.Modify.phrases,
        "hand-limit": phrase("change how many cards {cards} may keep in hand by {n}"),
        "battle-damage": phrase("change the battle damage of {cards} by {n}"),
    }


class Nothing(ways.Nothing, tag="nothing"):
    """What is activated for nothing but what it does as long as it lies there."""

    phrases: ClassVar[Phrases] = {"": phrase("nothing more happens")}


# -- Summons ---------------------------------------------------------------------------------------


class Deploy(cards.Deploy, tag="deploy"):
    """Monsters are Special Summoned; of `up_to` so many as many as there are zones for.

    With `key = "fusion"` that counts as a Fusion Summon, and `place` is where the monsters go if
    there is no zone for them; `it` is then what has come.
    """

    key: Literal["", "fusion", "ritual", "synchro", "xyz"] = ""
    place: Away = ""
    up: bool | None = None

    example = 'choose = { of = { zone = "grave", whose = "yours", match = { type = "monster" } } }'
    phrases: ClassVar[Phrases] = {
        "": phrase("Special Summon {cards}"),
        "fusion": phrase("Fusion Summon {cards}"),
        "ritual": phrase("Ritual Summon {cards}"),
        "synchro": phrase("Synchro Summon {cards}"),
        "xyz": phrase("Xyz Summon {cards}"),
    }


class Token(Numbered, tag="token", kw_only=True):
    """`n` Tokens come to your field, or that of `key`, all or none; `it` is then what has come."""

    token: cards.TokenId
    orient: Lies = ""
    key: Literal["", "you", "opponent"] = ""

    plain: ClassVar[bool] = True
    example = 'token = "T-001", n = 2, orient = "defence"'
    phrases: ClassVar[Phrases] = {
        "": phrase("Special Summon {n} × {token}"),
        "opponent": phrase("Special Summon {n} × {token} to your opponent's field"),
    }


class Summon(Instruction, tag="summon", kw_only=True):
    """A Fusion or a Ritual Summon (`key`) of the monster it chooses, made of cards of `using`.

    They go to `place` (left out: the Graveyard, Tributed for a Ritual); a Ritual needs Levels of
    `value = "least"` or `"exact"`. `it` is then what has come.
    """

    key: Literal["fusion", "ritual"]
    choose: Choose
    using: Group
    value: Literal["least", "exact"] | None = None
    place: Away = ""

    example = 'key = "fusion", choose = { of = { zone = "extra", whose = "yours" } }, using = { zone = "hand", whose = "yours" }'  # noqa: E501
    phrases: ClassVar[Phrases] = {
        "fusion": phrase("Fusion Summon {cards}"),
        "ritual": phrase("Ritual Summon {cards}"),
        "ritual/exact": phrase("Ritual Summon {cards} for Levels that are exactly its own"),
        "ritual/least": phrase("Ritual Summon {cards} for Levels that are at least its own"),
    }


class SendMaterials(Instruction, tag="send-materials", kw_only=True):
    """The monster it chooses is shown, and what that is made with is sent, out of `using`.

    There is no Summon; `it` is the monster.
    """

    key: Literal["fusion"]
    choose: Choose
    using: Group

    example = 'key = "fusion", choose = { of = { zone = "extra", whose = "yours" } }, using = { zone = "deck", whose = "yours" }'  # noqa: E501
    phrases: ClassVar[Phrases] = {
        "": phrase("show {cards} and send the Materials that it asks for")
    }


# -- cards on the field ----------------------------------------------------------------------------


class FaceDown(Aimed, tag="face-down"):
    """Monsters are turned face down in Defense Position."""

    example = 'to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {"": phrase("turn {cards} face down")}


class FaceUp(Aimed, tag="face-up"):
    """Monsters are turned face up."""

    orient: Lies = ""

    example = 'to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {"": phrase("turn {cards} face up")}


class Position(Aimed, tag="position"):
    """Monsters that lie face up change their position."""

    example = 'to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {"": phrase("change the position of {cards}")}


class SetDown(Aimed, tag="set-down"):
    """Spells and Traps of the hand are Set."""

    example = 'choose = { of = { zone = "hand", whose = "yours" } }'
    phrases: ClassVar[Phrases] = {"": phrase("Set {cards}")}


class Equip(Aimed, tag="equip"):
    """The card is equipped to a monster or, with `key = "this"`, another card to this one."""

    key: Literal["", "this"] = ""

    example = 'to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {
        "": phrase("equip this card to {cards}"),
        "this": phrase("equip {cards} to this card"),
    }


class Detach(AimedNumbered, tag="detach"):
    """`n` Materials of each are detached."""

    example = 'n = 1, to = { zone = "this" }'
    phrases: ClassVar[Phrases] = {"": phrase("detach {n} of the Materials of {cards}")}


class Tribute(Aimed, tag="tribute"):
    """Monsters are Tributed."""

    example = 'to = { zone = "it" }'
    phrases: ClassVar[Phrases] = {"": phrase("Tribute {cards}")}


class Stay(Instruction, tag="stay"):
    """The card stays though its like is used up."""

    phrases: ClassVar[Phrases] = {"": phrase("this card stays on the field")}


# -- what is under way, players --------------------------------------------------------------------


class NegateSummon(Instruction, tag="negate-summon"):
    """The Summon that is answered is negated."""

    phrases: ClassVar[Phrases] = {"": phrase("negate the Summon that is answered")}


class NegateAttack(Aimed, tag="negate-attack"):
    """The attack is negated: that of the cards named, if any are."""

    phrases: ClassVar[Phrases] = {"": phrase("negate the attack of {cards}")}


class EndBattle(Instruction, tag="end-battle"):
    """The Battle Phase ends."""

    phrases: ClassVar[Phrases] = {"": phrase("end the Battle Phase")}


class LoseLife(Numbered, tag="lose-life"):
    """A player loses `n` Life Points, which is no damage."""

    key: Literal["", "you", "opponent", "both"] = ""

    example = 'n = 500, key = "opponent"'
    phrases: ClassVar[Phrases] = {
        "": phrase("lose {n} Life Points"),
        "opponent": phrase("your opponent loses {n} Life Points"),
        "both": phrase("each player loses {n} Life Points"),
    }


class Skip(Instruction, tag="skip", kw_only=True):
    """A player (`key`) skips the phase `value`, the next time that it would come."""

    value: Literal["draw", "standby", "main1", "battle", "main2"]
    key: Player = ""

    example = 'value = "draw", key = "opponent"'
    phrases: ClassVar[Phrases] = {
        "": phrase("skip your {value}"),
        "opponent": phrase("your opponent skips the {value}"),
    }


INSTRUCTIONS = taken_up(
    *COMMON, *FURTHER, Recover, Move, Redirect, Destroy, Rest, Ready, Modify, Nothing,
    Negate, NegateSummon, NegateAttack, EndBattle, Tribute, Deploy, Summon, SendMaterials, Token,
    FaceDown, FaceUp, Position, SetDown, Equip, Detach, LoseLife, Skip, Stay,
    without=("pair", "count", "charge", "oblige", "divert"),
)  # fmt: skip
