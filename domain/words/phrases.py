"""Phrases: English text that remembers its parts, so that it can be translated.

A phrase is a string, and in English nothing more happens to it. It keeps the sentence it was made
from, with its places by name (`there is no entry {n}`), and what went into them, which may be
phrases again. The sentence is the key of the tables (`tables`). Nothing here depends on a language,
and nothing in a record does: a phrase that is to be recorded is a bug that msgspec refuses.

`phrase` makes one. Its sentence is a literal, never an f-string: the table of what there is to
translate is read off the code (`replay_cli.checking.translatable`).
"""

from __future__ import annotations

from collections.abc import Iterable

#: Contexts of what is no sentence: texts in a row, and one that begins with a capital letter.
JOINED, CAPITAL = "joined", "capital"
#: The context of gists of rules, whose tables are files of their own.
GISTS = "gists"


class Phrase(str):
    """A text for people. `values` are the pairs of names and what stands there.

    `context` is empty for sentences. For a word of a manifest it is its list (`toy/steps`): one
    English word may be several in another language.
    """

    __slots__ = ("context", "sentence", "values")

    sentence: str
    values: tuple[tuple[str, object], ...]
    context: str

    def __new__(
        cls,
        text: str,
        sentence: str = "",
        values: tuple[tuple[str, object], ...] = (),
        context: str = "",
    ) -> Phrase:
        self = super().__new__(cls, text)
        self.sentence, self.values, self.context = sentence or str(text), values, context
        return self


def phrase(sentence: str, /, **values: object) -> Phrase:
    """A sentence with its values; without any it is taken as it stands, braces and all."""
    if values:
        values = {
            name: message_of(one) if isinstance(one, BaseException) else one
            for name, one in values.items()
        }
        return Phrase(sentence.format(**values), sentence, tuple(values.items()))
    return sentence if isinstance(sentence, Phrase) else Phrase(sentence)


def labelled(name: object, text: str) -> Phrase:
    """A phrase after the name of what it is about."""
    return phrase("{name}: {text}", name=name, text=text)


def word(text: str, context: str) -> Phrase:
    """A word of a list."""
    return Phrase(text, context=context)


def renamed(label: Phrase, english: str) -> Phrase:
    """A word of a list that stands in English in another form (`resource` for `Resources`)."""
    return Phrase(english, label.sentence, (), label.context)


def filled(label: str, every: str = "", **values: object) -> Phrase:
    """A word of a list with its places filled in: `{}` with `every`, others by their names."""
    pairs = (("", every), *values.items())
    context = label.context if isinstance(label, Phrase) else ""
    return Phrase(label.format(every, **values), str(label), pairs, context)


def trimmed(text: str) -> Phrase:
    """A text without blanks at its ends, as an empty value leaves them."""
    if isinstance(text, Phrase):
        return Phrase(text.strip(), text.sentence, text.values, text.context)
    return Phrase(text.strip())


def joined(separator: str, texts: Iterable[str]) -> Phrase:
    """Texts in a row; what stands between them is a matter of language too.

    A separator that is a phrase stands between clauses, and is translated as a sentence; else it
    stands between names, which some languages separate in another way.
    """
    parts = tuple((str(n), text) for n, text in enumerate(texts))
    return Phrase(separator.join(str(text) for _, text in parts), separator, parts, JOINED)


def lines(text: Phrase) -> list[Phrase]:
    """A text line by line, if it was joined from several."""
    if (text.context, text.sentence) == (JOINED, "\n"):
        return [
            phrase(str(line)) if not isinstance(line, Phrase) else line for _, line in text.values
        ]
    return [text] if text else []


def message_of(error: BaseException) -> str:
    """The message of an exception: the phrase that it was raised with, if one."""
    first = error.args[0] if error.args else ""
    return first if isinstance(first, Phrase) else str(error)


def capital(text: str) -> Phrase:
    """A text that begins a line: with a capital letter, where letters have any."""
    return Phrase(text[:1].upper() + text[1:], " ", (("", text),), CAPITAL)
