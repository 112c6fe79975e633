"""Claims about a record and their verdicts, in words for a head judge.

Each module beside this one makes some of them from the evidence; `audit` has them in order.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from domain.words.phrases import phrase

#: Verdicts on a claim: it was checked and holds; nothing here can show it; it is false; no copy of
#: this viewer's could show it, with any attachments.
PROVEN, UNPROVEN, WRONG, NOT_ASKED = "proven", "not proven", "wrong", "not asked"

#: Exit codes of an audit: all that is asked is proven; something is wrong; not all is.
ALL_PROVEN, SOMETHING_WRONG, NOT_ALL = 0, 1, 3

#: What each claim is called, in the order in which people read them.
TITLES = {
    "readable": phrase("it can be read"),
    "unchanged": phrase("entries are unchanged"),
    "original": phrase("chained as it was written"),
    "disclosed": phrase("what is disclosed was sealed"),
    "complete": phrase("nothing is missing"),
    "text": phrase("the text is what the entries say"),
    "engine": phrase("played by the rules"),
    "chance": phrase("shuffles were fair"),
    "actors": phrase("who acted"),
    "results": phrase("results are those of its matches"),
    "times": phrase("times are plausible"),
    "derived": phrase("lists and snapshots agree"),
    "looks": phrase("looks are written down"),
}


class Claim(Struct, frozen=True):
    """One of `TITLES`, the verdict on it, why, and the first entry that it is about (0: none)."""

    name: str
    verdict: str
    why: str
    seq: int = 0


class Report(Struct, frozen=True):
    """The result of an audit of one match; `head` is its last entry's and the short form.

    `behind`: how many entries a log has of it that are not there.
    """

    subject: str
    claims: tuple[Claim, ...]
    entries: int = 0
    seen_by: str = ""
    head: str = ""
    digits: str = ""
    behind: int = 0

    @property
    def exit_code(self) -> int:
        """0: all that is asked is proven, 1: something is wrong, 3: not everything is proven."""
        return worst(claim.verdict for claim in self.claims)

    @property
    def rests_on_the_file(self) -> bool:
        """Whether something is proven of entries which nobody showed to be those written."""
        found = {claim.name: claim.verdict for claim in self.claims}
        return found.get("unchanged") != PROVEN and PROVEN in found.values()


def worst(verdicts: Iterable[str]) -> int:
    """The exit code for some verdicts."""
    found = set(verdicts)
    if WRONG in found:
        return SOMETHING_WRONG
    return NOT_ALL if UNPROVEN in found else ALL_PROVEN


def proven(name: str, why: str) -> Claim:
    """A claim that was checked and holds."""
    return Claim(name, PROVEN, why)


def unproven(name: str, why: str, seq: int = 0) -> Claim:
    """A claim that nothing in the evidence can show."""
    return Claim(name, UNPROVEN, why, seq)


def not_asked(name: str, why: str) -> Claim:
    """A claim that copies of this viewer's say nothing of."""
    return Claim(name, NOT_ASKED, why)


def wrong(name: str, why: str, seq: int = 0) -> Claim:
    """A claim that is false."""
    return Claim(name, WRONG, why, seq)
