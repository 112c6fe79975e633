"""The service: the application around the aggregate.

`store` keeps records in a `file` that one process has the `hold` of, `commit` makes commands
durable together, `live` holds the matches that are being played, `identity` says who may do what,
`wire` turns records into messages and back, `calls` stands around every call, `matches`, `catalog`
and `admin` answer them, `server` puts it together;
`client` is how a Python program talks to it.
"""
