"""A witness (c2sp.org/tlog-witness), as small as one can be, over HTTP on this machine.

It shares with what it witnesses the formats, but keeps its own state: `had` is the last checkpoint
that it signed of each log. `answers` are the statuses it gave; `down`, it answers nothing of use.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from domain.record.proof.anchors import notes, tree
from domain.record.proof.anchors.checkpoints import Checkpoint, checkpoint
from domain.record.proof.anchors.encoding import unbase64
from domain.record.proof.anchors.notes import COSIGNATURE, BadSignature, VerifierKey, fresh

SIZE = "text/x.tlog.size"


class Witness:
    """Its state, and how it answers."""

    def __init__(self, name: str, log: VerifierKey, time: int = 1_700_000_000) -> None:
        self.key = fresh(name, name.encode().ljust(32)[:32], COSIGNATURE)
        self.log, self.time = log, time
        self.had: Checkpoint | None = None
        self.answers: list[int] = []
        self.down = False
        self.url = ""

    def answer(self, body: str) -> tuple[int, str, str]:
        """The status, the type and the text for a request."""
        first, rest = body.split("\n", 1)
        proof, text = ("", rest[1:]) if rest[0] == "\n" else rest.split("\n\n", 1)
        note = notes.parse(text)
        now, old = checkpoint(note), int(first.removeprefix("old "))
        hashes = [unbase64(line) for line in proof.split("\n") if line]
        if now.origin != self.log.name:
            return 404, "text/plain", "unknown log\n"
        try:
            if self.log.of(note) is None:
                return 403, "text/plain", "unknown key\n"
        except BadSignature:
            return 403, "text/plain", "bad signature\n"
        if old > now.size:
            return 400, "text/plain", "old size above the checkpoint's\n"
        had = self.had or Checkpoint(now.origin, 0, tree.EMPTY)
        if old != had.size:
            return 409, SIZE, f"{had.size}\n"
        if old == now.size and had.root != now.root:
            return 409, "text/plain", "another root\n"
        if not tree.consistent(old, had.root, now.size, now.root, hashes):
            return 422, "text/plain", "no proof\n"
        self.had = now
        return 200, "text/plain", str(self.key.sign(note.text, self.time))

    @property
    def line(self) -> str:
        """Its line in a policy."""
        return f"witness {self.key.name} {self.key.verifier} {self.url}\n"


@contextmanager
def witnessing(name: str, log: VerifierKey) -> Iterator[Witness]:
    """A witness that can be asked, for as long as it is used."""
    witness = Witness(name, log)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            assert self.path == "/w/add-checkpoint"
            if witness.down:
                status, kind, text = 503, "text/plain", "down\n"
            else:
                status, kind, text = witness.answer(body)
            witness.answers.append(status)
            data = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        witness.url = f"http://127.0.0.1:{server.server_port}/w/"
        yield witness
        server.shutdown()
