"""Two friends play: one picks a game and a deck and sends a link, the other picks his and begins.

`pairs` has who waits and who plays, for as long as the service runs; `routes` the pages, all forms
that work without scripts. The match is opened by the right of the organiser who invites, by the
same call as any other. In his browser his own session waits until he leaves the match.
"""
