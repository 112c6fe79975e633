"""Tables: the phrases of the code, and the words of games, in another language.

A table is a TOML file, `LANGUAGE.toml`: a section a context, in it a line a text: the English one
and its translation; `[sentences]` are those of the code. Gists of rules, which few texts need, are
in `LANGUAGE.gists.tsv`: the English one, a tab, the other. The core's tables lie beside this
module, a game's in its folder `words`; those of games are read once something is looked for that
the core's does not have. Missing texts are shown in English. What is wrong in a table is found by
`replay_cli.checking.translated`, not here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from domain.words.phrases import CAPITAL, GISTS, JOINED, Phrase

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

#: The code's own language, and the section of a table for its sentences.
ENGLISH, SENTENCES = "en", "sentences"
SUFFIX = ".toml"
#: How long a tag is at most that is looked at.
LONGEST = 35
#: What languages are called by those who read them.
OWN_NAMES = {ENGLISH: "English", "ja": "日本語", "zh-Hans": "简体中文", "zh-Hant": "繁體中文"}
#: Where Chinese is written which way, if a tag does not say so itself.
_SCRIPTS = {"zh-tw": "zh-hant", "zh-hk": "zh-hant", "zh-mo": "zh-hant", "zh": "zh-hans"}

#: Context to English to translation.
Table = Mapping[str, Mapping[str, str]]


class Language:
    """A language to say things in. English has no table: it says every sentence as it stands.

    `games` reads the tables of games, once a text is not in `table`.
    """

    def __init__(
        self, tag: str = ENGLISH, table: Table | None = None, games: Callable[[], Table] = dict
    ) -> None:
        self.tag, self.table, self._read = tag, table or {}, games

    @cached_property
    def games(self) -> Table:
        return self._read()

    def say(self, text: str) -> str:
        """A phrase in this language; a text that is no phrase (a name, a note) as it is."""
        if not isinstance(text, Phrase) or not self.table:
            return str(text)
        values = {name: self.say(v) if isinstance(v, str) else v for name, v in text.values}
        if text.context == CAPITAL:
            return "".join(f"{value[:1].upper()}{value[1:]}" for value in map(str, values.values()))
        if text.context == JOINED:
            clauses = isinstance(text.sentence, Phrase)
            own = self._own(SENTENCES if clauses else JOINED, text.sentence)
            return own.join(map(str, values.values()))
        own = self._own(text.context, text.sentence)
        if not values:
            return own
        try:
            return own.format(values.pop("", ""), **values)
        except (LookupError, ValueError):  # a table of somebody's, with other places
            return str(text)

    def _own(self, context: str, sentence: str) -> str:
        """The translation of a sentence: of a game's word, else of the core's of that kind."""
        if context == GISTS:
            return gists(self.tag).get(sentence) or sentence
        for place in (context or SENTENCES, context.rpartition("/")[2]):
            own = self.table.get(place, {}).get(sentence)
            own = own or self.games.get(place, {}).get(sentence)
            if own:
                return own
        return sentence


@lru_cache(maxsize=64)
def language(asked: str) -> Language:
    """The language that is meant by a tag, or by what `accept-language` says; else English."""
    return _language(chosen(asked, languages()))


@cache
def languages() -> tuple[str, ...]:
    """The languages that there are tables for, beside English."""
    return tuple(sorted({tag for _, folder in folders() for tag in held(folder)}))


def own_names() -> list[tuple[str, str]]:
    """All languages there are, each with its own name, by which its readers find it."""
    return [(tag, OWN_NAMES.get(tag, tag)) for tag in (ENGLISH, *languages())]


@cache
def _language(tag: str) -> Language:
    if tag == ENGLISH:
        return Language()
    (prefix, core), *games = folders()
    return Language(tag, read(core, tag, prefix), lambda: merged(_of_games(games, tag)))


def _of_games(games: Iterable[tuple[str, Traversable]], tag: str) -> Iterator[Table]:
    """The tables of games, and what their cards are called."""
    for prefix, folder in games:
        yield read(folder, tag, prefix)
        yield {f"{prefix}names": dict(pairs(folder / f"{tag}.names.tsv"))}


def folders() -> Iterator[tuple[str, Traversable]]:
    """Where tables lie, and what stands before their contexts: the core's, then each game's."""
    here = Path(__file__).parent
    yield "", here
    for folder in sorted((here.parent / "games").iterdir()):
        yield f"{folder.name}/", folder / "words"


def held(folder: Traversable) -> list[str]:
    """The languages that a folder has tables for."""
    names = [file.name for file in folder.iterdir()] if folder.is_dir() else []
    return [name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX)]


def read(folder: Traversable, tag: str, prefix: str = "") -> Table:
    """The table of a language in a folder, if it has one; a game's contexts get its `prefix`.

    Sentences and separators are there without it as well: most of them do not say whose they are.
    Of TOML only the form that `kifu words` writes is read, which takes a tenth of the time.
    """
    file = folder / f"{tag}{SUFFIX}"
    found: dict[str, dict[str, str]] = {}
    sentences: dict[str, str] = {}
    for line in file.read_bytes().decode().split("\n") if file.is_file() else ():
        if line[:1] == '"':
            english, _, own = line[1:-1].partition('" = "')
            if "\\" in line:
                english, own = json.loads(f'["{english}", "{own}"]')
            sentences[english] = own
        elif line[:1] == "[":
            context = line[1:-1]
            sentences = found[f"{prefix}{context}"] = {}
            if context in (SENTENCES, JOINED):
                found[context] = sentences
    return found


def pairs(file: Traversable) -> Iterator[tuple[str, str]]:
    """The lines of a TSV file of words, if it is there: English, and what a language has for it."""
    for line in file.read_text("utf-8").splitlines() if file.is_file() else ():
        english, _, own = line.partition("\t")
        yield english, own.partition("\t")[0]


@cache
def gists(tag: str) -> Mapping[str, str]:
    """The gists of all rules in a language, by the English ones; read once one is cited."""
    found = dict[str, str]()
    for _, folder in folders():
        found.update(pairs(folder / f"{tag}.gists.tsv"))
    return found


def merged(tables: Iterable[Table]) -> Table:
    """Several tables as one; of a text that several have, the first one's translation stays."""
    found: dict[str, dict[str, str]] = {}
    for table in tables:
        for context, sentences in table.items():
            found[context] = {**sentences, **found.get(context, {})}
    return found


def chosen(asked: str, known: Iterable[str]) -> str:
    """The best of the known languages for what is asked for; English if none is.

    `asked` is as in `accept-language` (`ja, zh-TW;q=0.8`) or an environment's (`ja_JP.UTF-8`).
    """
    own = {name.lower(): name for name in (*known, ENGLISH)}
    for tag in _wanted(asked):
        while tag:
            for one in (tag, _SCRIPTS.get(tag, "")):
                if one in own:
                    return own[one]
            tag = tag.rpartition("-")[0]
    return ENGLISH


def _wanted(asked: str) -> list[str]:
    """The tags of what is asked for, the best first."""
    found = []
    for item in asked.split(",")[:20]:
        tag, _, weight = item.partition(";")
        tag = tag.partition(".")[0].strip().replace("_", "-").lower()
        try:
            weighs = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            weighs = 0.0
        if weighs > 0 and len(tag) <= LONGEST:
            found.append((-weighs, tag))
    return [tag for _, tag in sorted(found, key=lambda one: one[0])]
