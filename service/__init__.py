"""The service: the application around the aggregate, over gRPC and HTTP, on SQLite or PostgreSQL.

`server` puts it together, as `settings` say, of what it opened first (`opening`). `api` answers the
calls, `web` has the pages for browsers, `live` keeps the matches that are being played in memory
and streams them, `store` keeps records in a file or a database, `keeping` looks after them over
years, `anchors` keeps a signed log of them. Servers that share a store tell each other by `news`
what is new, and look for it (`hearing`).

`credentials` are tokens and codes that were issued, `identity` is what a token says, `wire`
converts records to messages and back, `changes` what positions differ in, `dice` draws chance,
`telemetry` counts, traces and writes the log, `garbage` keeps the collector's pauses short.
`deploy` has what operators need, and `client` is how a Python program talks to the service.
"""
