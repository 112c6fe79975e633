"""Lines typed in the players' own languages, with the words of the notation put in their place.

What is replaced: verbs, zones and other words of the notation (`LANGUAGE.notation.tsv` in a game's
folder `words`) and names of cards (`LANGUAGE.names.tsv`), of all languages at once: nobody has to
say in which one he types. Width, case, the kind of kana and dots between words make no difference.
What no table knows stays as it was typed. What the notation means is in `notation`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol
from unicodedata import normalize

from domain.record.schema.citations import without_edition
from domain.record.schema.manifest import Manifest
from domain.words.tables import folders, pairs

#: Hiragana as katakana.
_KANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}
#: The dots that some write between words, and others leave out.
DOTS = dict.fromkeys(map(ord, "・·‧"))
#: Signs that input methods write, and what the notation has for them.
_SIGNS = {"→": " -> ", "、": ", "}
#: What begins a text that is declared, which stays as it stands.
DECLARED = " text "
#: Letters that no word of the notation has.
_FOREIGN = re.compile(r"[^\x00-\x7f\s]+")


class Card(Protocol):
    """A card of a catalogue, as a rulebook or a book has it."""

    @property
    def name(self) -> str: ...


#: By their first letter: own words, the longest first, each with the notation's.
_Words = Mapping[str, Sequence[tuple[str, str]]]
#: Which name, in English, a few letters in another language mean; empty: none, or several.
Guess = Callable[[str], str]


def in_english(
    text: str, manifest: Manifest, cards: Mapping[str, Card], guess: Guess | None = None
) -> str:
    """A line with the notation's words for those of other languages.

    The names of `cards`, those at hand, stay as they are: one that a match brought may be called
    like a verb. With `guess`, that is asked for letters that are no whole word or name.
    """
    if text.isascii():
        return text
    head, lead, declared = text.partition(DECLARED)
    kept = [name for card in cards.values() if not (name := card.name).isascii()]
    known = _known(without_edition(manifest.name))
    found = "".join(
        _read(normalize("NFKC", head), {folded(one): one for one in kept}, known, guess)
    )
    return re.sub(r" +", " ", found).strip() + lead + declared


def shown(text: str, game: str, tag: str) -> str:
    """A line of the notation as buttons show it to readers of a language.

    Its verb and the names in it are theirs; both would be understood if they were typed.
    """
    verbs, names, found = _shown(without_edition(game), tag)
    verb = next((one for one in verbs if text == one or text.startswith(f"{one} ")), "")
    rest = text[len(verb) :]
    return verbs.get(verb, "") + (found.sub(lambda one: names[one[0]], rest) if names else rest)


def folded(text: str) -> str:
    """A text as it is compared, letter for letter: no width, no case, one kana."""
    lower = "".join(one if len(one.lower()) > 1 else one.lower() for one in normalize("NFKC", text))
    return lower.translate(_KANA)


def own_names(game: str) -> Mapping[str, Sequence[str]]:
    """What cards are called in other languages, folded, by their names in English."""
    return _own_names(without_edition(game))


def _read(text: str, kept: Mapping[str, str], known: _Words, guess: Guess | None) -> Iterator[str]:
    at, plain = 0, folded(text)
    names = sorted(kept.items(), key=_longest)
    while at < len(text):
        if stays := next((one for one, _ in names if plain.startswith(one, at)), ""):
            yield text[at : at + len(stays)]  # what stands around it belongs to it (`#2`)
            at += len(stays)
            continue
        there = known.get(plain[at], ())
        own, english = next((one for one in there if plain.startswith(one[0], at)), ("", ""))
        letters = _FOREIGN.match(text, at) if guess is not None and not own else None
        meant = guess(letters[0]) if guess is not None and letters is not None else ""
        if letters is not None and meant:
            own, english = letters[0], meant
        yield f" {english} " if own else _SIGNS.get(text[at], text[at])
        at += len(own) or 1


def _longest(pair: tuple[str, str]) -> int:
    return -len(pair[0])


def written(game: str, kind: str, tag: str = "*") -> Iterator[tuple[str, str]]:
    """The lines of a game's files of a kind, of a language or of all: English, own words."""
    folder = Path(str(dict(folders())[f"{game}/"]))
    for file in sorted(folder.glob(f"{tag}.{kind}.tsv")):
        yield from pairs(file)


@cache
def _own_names(game: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for english, own in written(game, "names"):
        found[english].append(folded(own))
    return found


@cache
def _shown(game: str, tag: str) -> tuple[Mapping[str, str], Mapping[str, str], re.Pattern[str]]:
    """The verbs and names of a language by those of the notation, and what finds names."""
    names = dict(written(game, "names", tag))
    verbs = dict(written(game, "notation", tag))
    script = 0
    if not verbs and tag.startswith("zh"):  # one file has both scripts, the Simplified first
        verbs, script = dict(written(game, "notation", "zh")), int(tag == "zh-Hant")
    own = {}
    for english in sorted(verbs, key=len, reverse=True):
        words = verbs[english].split("|")
        own[english] = own[english.replace("-", " ")] = words[min(script, len(words) - 1)]
    longest = sorted(map(re.escape, names), key=len, reverse=True)
    return own, names, re.compile(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)")


@cache
def _known(game: str) -> _Words:
    """By their first letter: the words and names of all languages, folded, the longest first."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for kind in ("names", "notation"):
        for english, own in written(game, kind):
            for key in (folded(one) for one in own.split("|")):
                for spelt in () if key.isascii() else (key, key.translate(DOTS)):
                    found[spelt[0]][spelt] = english
    return {first: sorted(words.items(), key=_longest) for first, words in found.items()}
