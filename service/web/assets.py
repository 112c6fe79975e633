"""Static files: scripts and styles in the folder `static` of each part.

They are served under the digest of all of them, so that a browser keeps them for as long as they
are these, and modules that import each other by relative paths are always of one version:
`/static/{digest}/{part}/{file}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

#: The kinds of files there are.
KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}


class Asset(NamedTuple):
    """A static file."""

    body: bytes
    kind: str


@cache
def assets() -> Mapping[str, Asset]:
    """All static files, by part and path: `layout/base.css`."""
    found = {}
    for part in sorted(files("service.web").iterdir(), key=lambda one: one.name):
        folder = part / "static"
        if part.is_dir() and folder.is_dir():
            found.update(_below(folder, part.name))
    return found


def _below(folder: Traversable, path: str) -> dict[str, Asset]:
    found = {}
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        name = f"{path}/{one.name}"
        kind = KINDS.get(name[name.rfind(".") :])
        if one.is_dir():
            found.update(_below(one, name))
        elif kind is not None:
            found[name] = Asset(one.read_bytes(), kind)
    return found


@cache
def digest() -> str:
    """A digest that distinguishes these static files from those of another version."""
    found = blake2b(digest_size=8)
    for name, asset in assets().items():
        found.update(f"{name}\0{len(asset.body)}\0".encode() + asset.body)
    return found.hexdigest()


def static_address(name: str) -> str:
    """Where a static file is served; a file that is not there is a bug."""
    if name not in assets():
        raise LookupError(f"there is no static file {name}")
    return f"/static/{digest()}/{name}"
