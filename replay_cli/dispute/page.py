"""Renders a dispute as one page of HTML: by the template and style sheet in this folder.

The page needs nothing else: no script, no picture, no font, no network (its own policy forbids
them).
"""

from __future__ import annotations

from domain.telling.names import clock
from domain.words.phrases import joined, phrase
from replay_cli.dispute.model import Dispute
from replay_cli.dispute.tables import plain
from replay_cli.drawing.templates import environment, style
from replay_cli.output import language

#: What the page itself says.
WORDS = {
    "comma": joined(", ", ("", "")),
    "made_for": phrase("Made for"),
    "match": phrase("Match"),
    "game": phrase("Game"),
    "players": phrase("Players"),
    "opened": phrase("Opened"),
    "fork": phrase("UNOFFICIAL: forked from match"),
    "decided": phrase("What was decided"),
    "decision": phrase("decision"),
    "asked_at": phrase("asked at"),
    "asked_by": phrase("asked by"),
    "options": phrase("options"),
    "option": phrase("option"),
    "typed": phrase("typed"),
    "hidden": phrase("The options are hidden from the reader of this page."),
    "taken": phrase("taken"),
    "time_taken": phrase("time taken"),
    "by_rules": phrase("allowed by"),
    "undone": phrase("UNDONE: the match was rewound by entry"),
    "seat": phrase("by the player"),
    "implied": phrase("implied by what was done next"),
    "auto": phrase("auto-pass"),
    "official": phrase("by an official, against the rules"),
    "timeout": phrase("as time ran out"),
    "tables": phrase("The table at the decision"),
    "after": phrase("The table afterwards"),
    "followed": phrase("What followed"),
    "entry": phrase("entry"),
    "time": phrase("time"),
    "who": phrase("who"),
    "what": phrase("what"),
    "nothing_followed": phrase("Nothing has followed."),
    "asked": phrase("What was refused, and why"),
    "no_trace": phrase(
        "What a player tried and was refused leaves no trace in a record. What could be done is in"
        " the options above; what forbade anything else can be asked of the rules."
    ),
    "not_offered": phrase("What was not on offer with which cards, and why"),
    "allowed": phrase("nothing forbade it"),
    "knowledge": phrase("Who knew which card"),
    "place": phrase("where"),
    "cards": phrase("cards"),
    "known_to": phrase("known to"),
    "all_known": phrase("Everybody knew all cards that the reader could see."),
    "officials": phrase("What officials did"),
    "looks": phrase("Who looked at hidden information"),
    "why": phrase("why"),
    "before": phrase("before"),
    "during": phrase("meanwhile"),
    "since": phrase("since"),
    "nothing_done": phrase("Nothing is recorded."),
    "verdict": phrase("Verdict and proof"),
    "exact": phrase("EXACT"),
    "unverified": phrase("UNVERIFIED"),
    "diverged": phrase("DIVERGED"),
    "unknown": phrase("NOT VERIFIED"),
    "at_entry": phrase("at entry"),
    "entries": phrase("entries"),
    "decisions": phrase("decisions"),
    "rules": phrase("Rules cited on this page, in our own words"),
    "no_gist": phrase("(not in the index at hand)"),
    "turn": phrase("turn"),
    "signed": phrase("Signed"),
    "judge": phrase("Head judge"),
    "player": phrase("Player"),
}


def render(page: Dispute) -> str:
    """The page as HTML."""
    found = environment(__package__)
    found.filters["clock"] = clock
    found.filters["seconds"] = lambda ms: f"{ms / 1000:.1f} s"
    words = {key: plain(text) for key, text in WORDS.items()}
    gists = {rule.id: rule.gist for rule in page.rules}
    return found.get_template("page.html").render(
        page=page, w=words, style=style(__package__), lang=language().tag, gists=gists
    )
