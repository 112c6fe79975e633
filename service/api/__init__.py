"""The API: the servicers of proto/kifu/v1, and the wrapper around every call.

`matches` and `reading`, `officials`, `catalog` and `admin` answer, `watching` with streams; `calls`
is what stands around each method, `answers` makes messages of what was found. `looks` records looks
at hidden information. `tournaments` are events of organisers.
"""
