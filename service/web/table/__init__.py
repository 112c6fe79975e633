"""The table's page: a match at a real table, recorded on a phone or a tablet.

What a line means and what one tap records is `domain.scorekeeping`, as in the terminal; the page
has no rules and reads no lines. `kept` has the matches as scorekeepers see them, `recording`
carries out what was tapped, and `drawing` draws the parts of the page, which each answer brings, so
that a tap is one request.

A card that no catalogue has is typed in `bringing`.

Taps are kept on the device until they are answered (`static/queue.js`): each has an id, is sent in
its turn, and is recorded once. One that was made before the match had gone on is understood anew,
by the line that says the same.
"""
