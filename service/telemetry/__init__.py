"""Telemetry: logs, metrics and traces for the operator.

`logs` writes lines; `metrics` keeps counters, those of what servers share in `shared`; `tracing`
follows a command on its way, by spans of OpenTelemetry (`opentelemetry_spans`). `exporting` sends
traces and metrics (`otlp_metrics`) to a collector. `health` knows whether the service is alive and
ready, and `answering` tells that, and the metrics, over plain HTTP.
"""
