"""Signing in by a code (`/in`), and out (`/out`); a browser's session (`/me`) and language; health.

`signing` says what may be brought and what a browser keeps, and reads what a page sends.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from domain.words import tables
from domain.words.phrases import phrase
from service.api.calls.errors import Fault, malformed
from service.api.calls.faults import fault_of
from service.credentials import spelling, tokens
from service.credentials.tokens import Issued
from service.identity import BadToken, Identity, Role
from service.telemetry.answering import PATHS, health_of
from service.web import answers, visitors
from service.web.answers import with_faults
from service.web.entrance import signing
from service.web.site import Site

#: In seconds.
_A_YEAR = 365 * 86_400


def routes(site: Site) -> Sequence[BaseRoute]:
    """The routes of this part."""
    pages = _Pages(site)
    return (
        Route("/in", with_faults(pages.form), methods=["GET"]),
        Route("/in", with_faults(pages.enter), methods=["POST"]),
        Route("/out", with_faults(pages.leave), methods=["POST"]),
        Route("/me", with_faults(pages.session), methods=["GET"]),
        Route("/language", with_faults(pages.speak), methods=["POST"]),
        *(Route(path, with_faults(pages.health), methods=["GET"]) for path in PATHS),
    )


class _Pages:
    """The pages of this part."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def form(self, request: Request) -> Response:
        """Where a code is brought."""
        return self._form(request, to=signing.own_address(request.query_params.get("to", "")))

    async def enter(self, request: Request) -> Response:
        """Bring a code, a one-use key, a token, or the code that the browser has kept."""
        sent = await signing.form_of(request)
        to = signing.own_address(sent.get("to", ""))
        kept = signing.kept_code(request) if "renew" in sent else ""
        brought = kept or sent.get("code", "").strip()
        try:
            session = await signing.enter(self._site, brought, request, to, bool(kept))
        except (Fault, BadToken) as error:
            fault = fault_of(error)
            assert fault is not None
            code = brought if spelling.looks_like(brought) and not kept else ""
            return self._form(request, to=to, fault=fault, renewed=bool(kept), code=code)
        found = RedirectResponse(to or session.home, HTTPStatus.SEE_OTHER)
        found.headers["cache-control"] = answers.NOT_KEPT
        signing.set_cookies(found, request, session)
        return found

    async def leave(self, request: Request) -> Response:
        """Forget who the browser's is; `revoke`: its token is then invalid everywhere."""
        sent = await signing.form_of(request)
        if "revoke" in sent:
            with suppress(BadToken):  # one that is good for nothing any more
                visitor = visitors.signed_in(self._site, request)
                if visitor is not None and _revocable(visitor.who, await self._issued(visitor.who)):
                    await self._site.tokens.revoke([visitor.who.id], visitor.who.subject)
        found = RedirectResponse("/in", HTTPStatus.SEE_OTHER)
        found.headers["cache-control"] = answers.NOT_KEPT
        visitors.forget(found, request)
        return found

    async def session(self, request: Request) -> Response:
        """The visitor's identity, and when it expires."""
        visitor = visitors.signed_in(self._site, request)
        if visitor is None:
            return RedirectResponse("/in?to=/me", HTTPStatus.SEE_OTHER)
        who = visitor.who
        return answers.page(
            "entrance/me.html",
            visitors.language_of(request),
            who=who,
            home=signing.home(who),
            until=datetime.fromtimestamp(who.expires, UTC),
            renewed=bool(signing.kept_code(request)),
            revocable=_revocable(who, await self._issued(who)),
        )

    async def speak(self, request: Request) -> Response:
        """Keep the language of pages, and go back to the one where it was chosen."""
        sent = await signing.form_of(request)
        tag = sent.get("lang", "")
        if tag not in dict(tables.own_names()):
            raise malformed("lang", phrase("is no language of these pages"))
        found = RedirectResponse(signing.page_before(request), HTTPStatus.SEE_OTHER)
        found.headers["cache-control"] = answers.NOT_KEPT
        visitors.keep(found, request, visitors.SPOKEN, tag, _A_YEAR)
        return found

    async def health(self, request: Request) -> Response:
        """Whether the service is alive, or ready."""
        status, shown = health_of(request.url.path, self._site.health)
        return answers.answer(shown, "text/plain; charset=utf-8", status=status)

    async def _issued(self, who: Identity) -> Issued | None:
        """The stored row of a token; None: none."""
        matches = self._site.matches
        found = await matches.lanes.run(tokens.named, matches.records, [who.id])
        return found.get(who.id) if who.id else None

    def _form(
        self,
        request: Request,
        *,
        to: str,
        fault: Fault | None = None,
        renewed: bool = False,
        code: str = "",
    ) -> Response:
        shown = (
            answers.ShownFault(fault, visitors.language_of(request)) if fault is not None else None
        )
        found = answers.page(
            "entrance/in.html",
            visitors.language_of(request),
            status=shown.status if shown is not None else HTTPStatus.OK,
            to=to,
            code=code,
            fault=shown,
            renewed=bool(signing.kept_code(request)) and not renewed,
            place=self._place(request),
        )
        return answers.with_retry(found, fault) if fault is not None else found

    def _place(self, request: Request) -> str:
        """The place of whoever is signed in already, and comes back; empty: nobody is."""
        with suppress(BadToken):
            visitor = visitors.signed_in(self._site, request)
            return signing.home(visitor.who) if visitor is not None else ""
        return ""


def _revocable(who: Identity, issued: Issued | None) -> bool:
    """Whether somebody may take back his own token as he goes.

    An organiser's that was issued for no browser may lie in the file by which commands get in.
    """
    return issued is not None and (who.role != Role.ORGANISER or bool(issued.code))
