"""Imports what servers of tests need, once for all that are forked from here (see `forking`)."""

# ruff: noqa: F401

import gc

import opentelemetry.exporter.otlp.proto.grpc.metric_exporter
import opentelemetry.exporter.otlp.proto.grpc.trace_exporter
import uvloop

import replay_cli.reaching.hosting
import service.server
import service.store.postgres.database
import service.telemetry.opentelemetry_spans
import service.telemetry.otlp_metrics
import service.web.app
import service.web.running
import tests.faults.planted
import tests.support.leaks
import tests.support.serving
import tests.toy
from domain import games

for name in games.names():
    games.rulebook(name)
gc.freeze()  # what is never collected is not copied either
