"""The command line: a gRPC client like any other, which shows records to people.

`main` lists the commands, each of which is a module of `commands`. `drawing` turns entries and
positions into boards and sentences by the words of a game's manifest, so nothing here knows a game.
`reaching` finds or starts the service, `record` reads exported files, `typed` parses what people
type, `scorekeeper` is the screen for real tables, `playing` has bots and fuzzing, `checking`
verifies records and reports which rules are tested, `output` prints.
"""
