"""Pictures of all pages, for a person to look at: in all sizes, light and dark, before and after.

    python -m tests.end_to_end.browser.pictures FOLDER [--before OTHER] [--lang LANGUAGE] [PAGE…]

The folder gets a picture of each page, and `index.html`, in which they stand side by side, with
those of `OTHER` if that is given. What is shown is recorded once: what is in the folder already is
shown once more, so a copy of it is what to begin with for a comparison. `PAGE` names some of them
(`match-gundam`, `home`), as a beginning. `LANGUAGE` is that of the browser; then a phone and a
desktop are enough. What was seen and mended is in LOOKS.md.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tests.end_to_end.browser import all_pages
from tests.end_to_end.browser.all_pages import Shown
from tests.support import browsers, serving
from tests.support.serving import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SPOKEN = ((390, 844), (1280, 800))
SIZES = ((390, 844), (1024, 768), (1920, 1080), (3840, 2160))


def main(folder: Path, before: Path | None, wanted: tuple[str, ...], lang: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (
        serving.running(folder / "m.kifu", forked=False, http_port=0) as site,
        browsers.chromium() as browser,
    ):
        made = [
            picture
            for shown in [*_shown(folder, site)]
            if not wanted or shown.name.startswith(wanted)
            for picture in _taken(browser, folder, site, shown, lang)
        ]
    (folder / "index.html").write_text(_index(made, folder, before), "utf-8")


def _shown(folder: Path, site: Running) -> Iterator[Shown]:
    """The pages, recorded if they are not there yet; and overlays of the matches."""
    file = folder / "pages.json"
    if not file.exists():
        file.write_text(json.dumps(all_pages.made(site)))
    for one in [Shown(*each) for each in json.loads(file.read_text())]:
        if one.name != "friend":  # an invitation, which is in memory
            yield one
        if one.name.startswith("match-") and not one.token:
            path, _, at = one.path.replace("/m/", "/overlay/").partition("?")
            for theme in ("plain", "bold"):
                name = f"{one.name.replace('match', 'overlay')}-{theme}"
                overlay = one._replace(
                    template="/overlay/{match}", name=name, path=f"{path}?theme={theme}&{at}"
                )
                yield overlay
                board = f"{overlay.path}&show=players,score,clock,banner,board"
                yield overlay._replace(name=f"{name}-board", path=board)


def _taken(browser: Browser, folder: Path, site: Running, shown: Shown, lang: str) -> Iterator[str]:
    """Take the pictures of a page."""
    overlay = shown.template.startswith("/overlay/{match}")
    if lang and overlay:  # which says its language in its address
        shown = shown._replace(path=f"{shown.path}&lang={lang}")
    for width, height in SPOKEN if lang and not overlay else SIZES:
        if overlay and width < 1920:
            continue
        for scheme in ("dark",) if overlay else ("light",) if lang else ("light", "dark"):
            page = all_pages.opened(
                browser,
                site,
                shown,
                width=width,
                height=height,
                color_scheme=scheme,
                locale=lang or "en",
            )
            page.wait_for_timeout(900 if overlay else 350)
            file = f"{shown.name}-{width}-{lang or scheme}.png"
            page.screenshot(path=str(folder / file), full_page=bool(lang))
            page.context.close()
            yield file


def _index(made: list[str], folder: Path, before: Path | None) -> str:
    """The pictures, each beside what it was before."""

    def figure(path: str, text: str) -> str:
        return f"<figure><img src='{path}' loading=lazy><figcaption>{text}</figcaption></figure>"

    shown = ""
    for one in made:
        if before is not None and (before / one).exists():
            shown += figure(os.path.relpath(before / one, folder), f"before: {one}")
        shown += figure(one, one)
    style = "img{max-width:46vw;max-height:90vh;border:1px solid #888}figure{display:inline-block}"
    return f"<!doctype html><meta charset=utf-8><title>Pages</title><style>{style}</style>{shown}"


if __name__ == "__main__":
    asked = sys.argv[1:]
    options = {}
    for name in ("--before", "--lang"):
        if name in asked:
            at = asked.index(name)
            options[name] = asked[at + 1]
            del asked[at : at + 2]
    other = Path(options["--before"]).resolve() if "--before" in options else None
    main(Path(asked[0]).resolve(), other, tuple(asked[1:]), options.get("--lang", ""))
