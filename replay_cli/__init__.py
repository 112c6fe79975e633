"""The command line: a gRPC client like any other, and what shows records to people.

`main` lists the commands, each of which is a module of `commands`. `drawing` turns entries and
positions into boards and sentences by the words of a game's manifest, so nothing here knows a game.
`connection` finds or starts the service (`hosting`), `record` reads exported files, `typed` parses
what people type, `scorekeeper` is the screen for real tables, `playing` has bots and fuzzing,
`coverage` reports which rules are tested, `output` prints.
"""
