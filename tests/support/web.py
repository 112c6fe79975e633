"""A site as the holder of a token asks it: pages, data, and forms as scripts send them."""

from __future__ import annotations

import uuid
from typing import Any

import httpx

from tests.support.serving import Running


class Web:
    """A site as the holder of a token asks it."""

    def __init__(self, site: Running, token: str) -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self.client = httpx.Client(base_url=site.web, headers=headers)

    def page(self, path: str, code: int = 200) -> str:
        found = self.client.get(path, headers={"accept": "text/html"})
        assert found.status_code == code, (path, found.status_code, found.text[:300])
        assert found.headers["cache-control"] == "no-store"
        return found.text

    def data(self, path: str) -> Any:
        found = self.client.get(path)
        assert found.status_code == 200, found.text
        return found.json()

    def prepare(self, at: str, code: int = 200, **form: object) -> Any:
        found = self.client.post(f"{at}/prepare", json=form)
        assert found.status_code == code, found.text
        return found.json()

    def carry_out(self, at: str, **form: object) -> Any:
        """Do what a page's script does with a form."""
        made = self.prepare(at, **form)
        request = {**made["request"], "requestId": uuid.uuid4().hex}
        return self.client.post(f"/api/kifu.v1.{made['method']}", json=request)
