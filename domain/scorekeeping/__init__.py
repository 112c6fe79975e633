"""What somebody means who records a real table, on any screen.

`session` follows the match; `suggestions` propose acts, `understanding` turns a line into the
`command` that it stands for, and `line` has the state of an input line and the questions that are
asked in between. Screens draw that and send the commands: `replay_cli.scorekeeper` in a terminal,
`service.web.table` in a browser.
"""
