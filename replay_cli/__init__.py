"""The command line: a gRPC client like any other, and what it takes to show a record to people.

`main` is the door; each group of commands has a module of its own. What is drawn is drawn from a
game's manifest alone (`book`), so nothing here knows a game: `board` draws a position, `transcript`
tells the story of the entries, `bots` play.
"""
