"""The API: the servicers of proto/kifu/v1, and the wrapper around every call.

`calls` wraps each method (`admission`, `errors`) and `commands` those that come on a stream;
`matches` and `reading`, `officials`, `catalog` and `admin` answer. `requests` converts and limits
what they are sent, `pages`, `tickets` and `repeats` deal with lists and repeated commands, `looks`
records looks at hidden information.
"""
