"""What Lamps declares: its zones, steps and words."""

from domain.games.kit import usual
from domain.record.schema.manifest import FRAMES, Conserved, Manifest, Zone, words
from domain.record.schema.tallies import Tally

MANIFEST = Manifest(
    game="lamps", title="Lamps", prefix="lm", version="lamps 1.0",
    zones=(
        Zone("quay", "Quay", "all", "all", row=0),
        Zone("store", "Store", "all", "all", row=1),
        Zone("deck", "Deck", "none", "none", ordered=True, row=2, style="stack"),
        Zone("trash", "Trash", "all", "all", row=2, style="pile"),
        Zone("hand", "Hand", "owner", "owner", row=3),
    ),
    steps=words("setup", "draw", "main", "window", "dusk"),
    parts=words("pay", "fill", "price", "modify", *usual.PARTS),
    decisions=words("main", ("window", "gusts"), *usual.DECISIONS),
    counters=words("oil"), stats=words("light"), marks=words(*usual.MARKS),
    reasons=words("lit", ("out", "went out"), ("gust", "blew"), "outshone", "deck", *usual.REASONS),
    frames=FRAMES,
    badges=("light",), acts=(),  # of the table in `acts`
    declarations=words(("gust", "lets a gust blow"), *usual.DECLARATIONS),
    conserved=(Conserved("oil", "store", "lm:5-1"),),
)  # fmt: skip
#: What overlays show: who is to draw from an empty deck has lost.
TALLIES = (
    Tally("life", "Deck", zone="deck"), Tally("deck", "Deck", zone="deck"),
    Tally("hand", "Hand", zone="hand"), Tally("oil", "Oil", zone="store", counters=("oil",)),
)  # fmt: skip
