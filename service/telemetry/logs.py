"""Logs: one JSON object a line, on standard error; sentences where a command has the server.

A line has the server that wrote it, and the trace (`tracing`) within which that was, if there is
one. `trace` is where in the code something was raised. No line has a password in it (`passwords`).
"""

from __future__ import annotations

import json
import logging
import time
from typing import Any

from service.telemetry import tracing
from service.telemetry.passwords import concealed

log = logging.getLogger("kifu")
#: What this server is called; empty: nothing, as it is the only one.
server = ""


class JsonLines(logging.Formatter):
    """Writes a record and the fields in its `extra` under `with_`."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, Any] = {
            "time": f"{at}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "event": concealed(record.getMessage()),
            **{name: _safe(value) for name, value in getattr(record, "with_", {}).items()},
        }
        if (found := tracing.current()) is not None:
            line["trace_id"], line["span_id"] = found
        if server:
            line["server"] = server
        if record.exc_info:
            line["trace"] = concealed(self.formatException(record.exc_info))
        return json.dumps(line, default=lambda value: concealed(str(value)))


class Sentences(logging.Formatter):
    """Writes a record as people read it; where in the code it was only if nobody foresaw it."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line, and a trace if it is an incident."""
        facts: dict[str, Any] = getattr(record, "with_", {})
        error = record.exc_info[1] if record.exc_info else None
        why = str(error) if error is not None else facts.get("text", "")
        event = record.getMessage()
        if "match" in facts:
            event = f"match {facts['match']}: {event}"
        line = f"{event}: {why}" if why else event
        if record.exc_info and "incident" in facts:
            line = f"{line}\nincident {facts['incident']}\n{self.formatException(record.exc_info)}"
        return concealed(line)


def _safe(value: Any) -> Any:
    return concealed(value) if isinstance(value, str) else value


class About:
    """Exceptions raised within are about this: logged with it, wherever they are caught."""

    def __init__(self, **facts: Any) -> None:
        self._facts = facts

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, Exception):
            error.__dict__["about"] = self._facts | error.__dict__.get("about", {})


def log_event(level: int, event: str, *, wrong: Exception | None = None, **facts: Any) -> None:
    """Log an event and its facts; `wrong`: what went wrong, where, and what it is `about`."""
    if log.isEnabledFor(level):
        facts |= getattr(wrong, "about", {})
        log.log(level, event, extra={"with_": facts}, exc_info=wrong)


def name_server(name: str) -> None:
    """Write this name of the server into every line from now on."""
    global server
    server = name


def to_stderr(level: str = "INFO", form: logging.Formatter | None = None) -> None:
    """Send Kifu's logs, and warnings of the libraries, to standard error; in JSON if left out."""
    handler = logging.StreamHandler()
    handler.setFormatter(form or JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    log.setLevel(level.upper())
