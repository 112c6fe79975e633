"""The service: the application around the aggregate, over gRPC and SQLite.

`server` puts it together. `api` answers the calls, `live` keeps the matches that are being played
in memory and streams them, `store` keeps records in a file, `identity` issues and checks tokens,
`wire` converts records to messages and back, `dice` draws chance, `metrics` counts, `logs` writes
the log, `garbage` keeps the collector's pauses short. `client` is how a Python program talks to the
service.
"""
