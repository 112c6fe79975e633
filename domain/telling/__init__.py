"""Records in words for people, on any screen: names, sentences, transcripts, causes.

`book` has the names of a game, `names` says what lies on a table, `board` describes all of it as
any screen shows it, `likeness` says which acts nobody can tell apart, `narration` makes lines of
entries, `record` holds a viewer's entries with a position at each, `causes` follows an entry back
to what set it off, `officials` and `notices` word what they do and what is to be known,
`consequences` what their acts will do; `tournament` and `tournament_consequences` say the same of
events. All of it comes from the manifest and is in phrases. How it is laid out is for the screens:
`replay_cli.drawing` for a terminal, `service.web` for a browser.
"""
