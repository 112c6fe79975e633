"""A server that is to stop reports that first, and serves until no more calls come."""

from __future__ import annotations

import signal
from pathlib import Path
from random import Random

import httpx
import pytest

from service.client.client import CallError
from service.deploy import health
from tests.support import serving
from tests.support.waiting import until


@pytest.mark.long
def test_readiness_goes_first_then_service_then_streams(tmp_path: Path) -> None:
    running = serving.start(tmp_path / "m.kifu", http_port=0, drain=5)
    host = running.client()
    opened = host.open_match("toy", ["A", "B"], ["ones", "tens"], seed=1)
    seats = tuple(map(host.with_token, opened.seats))
    assert health.fault(running.address) == health.fault(running.web) == ""
    followed = host.watch(opened.id, patience=0)
    next(followed)
    running.process.send_signal(signal.SIGTERM)
    until(lambda: health.fault(running.address))
    assert health.fault(running.address).endswith("NOT_SERVING")
    assert httpx.get(f"{running.web}/readyz").status_code == 503
    assert httpx.get(f"{running.web}/healthz").status_code == 200
    assert serving.play(seats, opened, Random(1), 2) == 2, "what still comes is served"
    with pytest.raises(CallError) as ended:
        list(followed)
    assert (ended.value.code, ended.value.reason) == ("UNAVAILABLE", "SHUTTING_DOWN")
    assert running.process.wait(30) == 0
