"""The routes of this part."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from service.web.answers import with_faults
from service.web.matches.home import Home
from service.web.matches.page import MatchPage
from service.web.site import Site
from service.web.visitors import Spectators


def routes(site: Site, spectators: Spectators) -> Sequence[BaseRoute]:
    """The routes of this part."""
    return (
        Route("/", with_faults(Home(site, spectators).page)),
        Route("/m/{match}", MatchPage(site, spectators).page),
    )
