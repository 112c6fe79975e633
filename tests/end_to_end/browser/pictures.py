"""Pictures of the pages, for a person to look at: the same matches, in all sizes, light and dark.

    python -m tests.end_to_end.browser.pictures FOLDER [PAGE…]

The folder gets a picture of each page, and `index.html`, in which they stand side by side. The
matches are recorded once: what is in the folder already is shown once more, so that before and
after can be compared. `PAGE` names some of them (`match-gundam`, `home`), as a beginning.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from domain.games import names
from tests.end_to_end.browser.watching import open_match, play
from tests.support import browsers, serving
from tests.support.serving import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZES = ((390, 844), (1024, 768), (1920, 1080), (3840, 2160))
#: How many decisions of a match are made: it is in the middle then.
DECISIONS = {"gundam": 230, "yugioh": 330, "battle_spirits": 230, "hollow_flux": 200}


def main(folder: Path, wanted: tuple[str, ...] = ()) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (
        serving.running(folder / "m.kifu", forked=False, http_port=0) as site,
        browsers.chromium() as browser,
    ):
        made = [
            picture
            for name, path in _pages(_matches(folder, site))
            if not wanted or name.startswith(wanted)
            for picture in _taken(browser, folder, name, site.web + path)
        ]
    (folder / "index.html").write_text(_index(made), "utf-8")


def _matches(folder: Path, site: Running) -> dict[str, str]:
    """The match of each game, recorded if it is not there yet."""
    file = folder / "matches.json"
    if not file.exists():
        found = {}
        with site.client() as host:
            for game in names():
                opened = open_match(host, game)
                play(host, opened, DECISIONS.get(game, 200), game=game)
                found[game] = opened.id
        file.write_text(json.dumps(found))
    return dict(json.loads(file.read_text()))


def _pages(matches: dict[str, str]) -> Iterator[tuple[str, str]]:
    """What is shown, and where it is."""
    yield "home", "/"
    for game, match in matches.items():
        yield f"match-{game}", f"/m/{match}"
        for theme in ("plain", "bold"):
            yield f"overlay-{game}-{theme}", f"/overlay/{match}?theme={theme}"
            yield (
                f"overlay-board-{game}-{theme}",
                f"/overlay/{match}?theme={theme}&show=players,score,clock,board",
            )


def _taken(browser: Browser, folder: Path, name: str, address: str) -> Iterator[str]:
    """Take the pictures of a page."""
    schemes = ("dark",) if name.startswith("overlay") else ("light", "dark")
    for width, height in SIZES:
        if name.startswith("overlay") and width < 1920:
            continue
        for scheme in schemes:
            page = browsers.page(browser, width=width, height=height, color_scheme=scheme)
            page.goto(address)
            if name.startswith("match"):
                page.wait_for_selector("#match[data-ready]")
            page.wait_for_timeout(900 if name.startswith("overlay") else 350)
            file = f"{name}-{width}-{scheme}.png"
            page.screenshot(path=str(folder / file))
            page.context.close()
            yield file


def _index(made: list[str]) -> str:
    shown = "".join(
        f"<figure><img src='{one}' loading=lazy><figcaption>{one}</figcaption></figure>"
        for one in made
    )
    style = "img{max-width:46vw;max-height:90vh;border:1px solid #888}figure{display:inline-block}"
    return f"<!doctype html><meta charset=utf-8><title>Pages</title><style>{style}</style>{shown}"


if __name__ == "__main__":
    main(Path(sys.argv[1]), tuple(sys.argv[2:]))
