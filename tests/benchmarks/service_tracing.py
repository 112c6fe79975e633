"""What tracing costs a command, on and off: `python -m tests.benchmarks service_tracing`.

Commands are sent on streams, each with a trace, to a server without a collector, with one where a
trace in a hundred is sampled, and with one where all are: rates and the server's processor time,
beside those without. Off, what is left of tracing is measured by itself: as many calls of it as a
command makes, beside a command.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import process_time
from timeit import timeit

from service.telemetry import tracing
from tests.benchmarks.service_chain import Measured
from tests.benchmarks.service_commands import command_rate, play, stream
from tests.benchmarks.table import Found, Rounds, show
from tests.support.collector import collecting

AT_ONCE = 16
#: How many spans a command begins, and attributes it notes, on its way.
SPANS, NOTES = 6, 3
SAMPLED = {"one in a hundred": "0.01", "all": "1"}


@contextmanager
def sampling(ratio: str) -> Iterator[None]:
    """Servers that are started within it sample so many traces."""
    os.environ |= {"OTEL_TRACES_SAMPLER": "traceidratio", "OTEL_TRACES_SAMPLER_ARG": ratio}
    try:
        yield
    finally:
        del os.environ["OTEL_TRACES_SAMPLER"], os.environ["OTEL_TRACES_SAMPLER_ARG"]


def off(command: float) -> Found:
    """What tracing costs where nothing is traced, beside a command (processor seconds)."""

    def as_a_command_does() -> None:
        tracing.incoming("")
        for _ in range(SPANS):
            with tracing.span("step", {"match.id": "m", "match.entry": 1}) as span:
                pass
        for _ in range(NOTES):
            span.note({"match.entry": 1})
        tracing.trace_id()

    times = 20_000
    tries = (timeit(as_a_command_does, timer=process_time, number=times) for _ in range(5))
    each = min(tries) / times
    figures = f"{each * 1e6:.2f} µs a command of {command * 1e6:.0f} µs"
    text = "tracing that is off, beside a command's processor time"
    return Found("tracing, off", text, (each / command,), figures, "0.01", True)


def main(rounds: int = 2) -> list[Found]:
    matches = [play(seed) for seed in range(AT_ONCE * 2 + 1)]
    without, traced = [], {name: list[Measured]() for name in SAMPLED}
    with collecting() as collector:
        without.append(command_rate(matches, AT_ONCE, stream, []))
        for _ in range(rounds):
            for name, ratio in SAMPLED.items():
                with sampling(ratio):
                    found = command_rate(matches, AT_ONCE, stream, [], telemetry=collector.address)
                traced[name].append(found)
            without.append(command_rate(matches, AT_ONCE, stream, []))
        assert collector.spans
    found = [off(min(each for _, each in without))]
    for name, measured in traced.items():
        found.append(_compared(name, without, measured))
    for one in found:
        show(one.text, {"ratio": str(one), "figures": one.figures})
    return found


def _compared(name: str, without: Sequence[Measured], traced: Sequence[Measured]) -> Found:
    spent, plain = [each for _, each in traced], [each for _, each in without]
    rates = Rounds([rate for rate, _ in without], [rate for rate, _ in traced])
    ratios = Rounds([1 / each for each in plain], [1 / each for each in spent]).ratios
    figures = (
        f"{min(spent) * 1e6:.0f}–{max(spent) * 1e6:.0f} µs a command,"
        f" {min(plain) * 1e6:.0f}–{max(plain) * 1e6:.0f} without; {rates.figures('/s')}"
    )
    text = f"commands on streams, {AT_ONCE} at once: CPU without tracing beside with {name} sampled"
    return Found(f"tracing, {name}", text, ratios, figures)


if __name__ == "__main__":
    main()
