"""Evidence: what a file holds of a match, whatever its form, for claims to be judged by.

Forms are told by what is in a file, not by its name. A file of matches holds its own chain
(`service.store`), an exported record or a bundle what proves it; a transcript's bundle lies beside
it under the same name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from domain.record.entries import Entry
from domain.record.events import DeckRegistered
from domain.record.proof import bundle
from domain.record.proof.bundle import Proof
from domain.record.views import OFFICIAL, PUBLIC
from replay_cli import record
from replay_cli.output import USAGE, Failed
from service.store.derived import checks
from service.store.records import Records, StoreError

_DATABASE = b"SQLite format 3\0"


class Evidence(Struct, frozen=True):
    """What a file holds of one match, unchecked.

    `damage` says why its entries can't be read; `derived` what is derived from them and wrong,
    None: nothing is derived in such a file. `transcript` is the text that its entries should tell.
    """

    subject: str
    entries: Sequence[Entry]
    proof: Proof | None = None
    damage: str = ""
    derived: Sequence[str] | None = None
    transcript: str | None = None

    @property
    def viewer(self) -> int:
        """Whose copy it is; the official's, unless it lacks what he would see."""
        if self.proof is not None:
            return self.proof.viewer
        lists = (e.event for e in self.entries if isinstance(e.event, DeckRegistered))
        return PUBLIC if any(deck.cards.value is None for deck in lists) else OFFICIAL


def of_file(path: Path, match: str = "", beside: Path | None = None) -> Iterator[Evidence]:
    """What is in a file, match by match; `beside` is the proof of what has none in it.

    Raises `Failed` if it holds no match, or not the one that is named.
    """
    if _is_database(path):
        yield from _of_store(path, match)
        return
    text = record.text_of(path)
    if record.is_transcript(text):
        yield _of_transcript(path, text, beside)
        return
    entries, proof = record.read_with_proof(path)
    if beside is not None:
        proved, proof = record.read_with_proof(beside)
        if proof is None or [*proved] != [*entries]:
            raise Failed(f"{beside} proves other entries than those in {path}")
    if match and (proof is None or proof.match != match):
        raise Failed(f"in {path} there is no match {match}", USAGE)
    yield Evidence(str(path), entries, proof)


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_DATABASE)) == _DATABASE


def _of_transcript(path: Path, text: str, beside: Path | None) -> Evidence:
    """A transcript with the entries that its bundle proves, or else those that it tells."""
    found = beside or path.with_suffix(bundle.SUFFIX)
    if found.is_file():
        entries, proof = record.read_with_proof(found)
        return Evidence(str(path), entries, proof, transcript=text)
    return Evidence(str(path), record.read(path))


def _of_store(path: Path, match: str) -> Iterator[Evidence]:
    with closing(Records(path, reading=True)) as records:
        ids = records.ids()
        if match and match not in ids:
            raise Failed(f"in {path} there is no match {match}", USAGE)
        for one in [match] if match else ids:
            yield _of_match(records, one)


def _of_match(records: Records, match: str) -> Evidence:
    subject = f"match {match}"
    try:
        return Evidence(subject, records.entries(match), derived=checks.faults(records, match))
    except StoreError as error:
        return Evidence(subject, (), damage=str(error))
