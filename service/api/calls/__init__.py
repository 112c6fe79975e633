"""Around every call: tokens, limits, errors, languages, repeats, pages.

`guard` is entered first, for calls of any kind (`over_grpc`; `service.web.connect`): it admits
(`admission`), and turns exceptions (`faults`) into errors (`errors`). `commands` takes those that
come on a stream. `requests` converts and limits what was sent, `tickets` and `repeats` deal with
repeated commands, `pages` with long lists, `languages` with the words of an answer.
"""
