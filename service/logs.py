"""Logs: one JSON object a line, on standard error."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

log = logging.getLogger("kifu")


class JsonLines(logging.Formatter):
    """Writes a record and whatever was put in its `extra` under `with_`."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, Any] = {
            "time": f"{at}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "with_", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


@contextmanager
def about(**facts: Any) -> Iterator[None]:
    """Whatever is raised within is about this: logged with it, wherever it is caught."""
    try:
        yield
    except Exception as error:
        error.__dict__["about"] = facts | error.__dict__.get("about", {})
        raise


def log_event(level: int, event: str, *, wrong: Exception | None = None, **facts: Any) -> None:
    """Log an event and its facts; `wrong`: what went wrong, where, and what it is `about`."""
    if log.isEnabledFor(level):
        facts |= getattr(wrong, "about", {})
        log.log(level, event, extra={"with_": facts}, exc_info=wrong)


def to_stderr(level: str = "INFO") -> None:
    """Send Kifu's logs, and warnings of the libraries, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    log.setLevel(level.upper())
