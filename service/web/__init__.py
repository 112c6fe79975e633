"""Matches in a browser: pages, feeds and the API over HTTP, from the same process and records.

`site` has the data of pages, `visitors` finds out who asks, `answers` makes responses and reports
faults, `app` puts the parts together and `running` serves them. Each part is a package with its
routes, and its templates and static files beside them:

- `layout`: what all pages share: their frame, styles, scripts.
- `board`: a position as HTML, from the manifest alone.
- `positions`: content that never changes, at addresses of its own: positions, lines, entries; and
  the stream that announces new entries.
- `matches`: the page of a match, live and replay; the list of matches.
- `overlay`: what streams show, with themes.
- `seats`: where a player plays, or his decisions are entered.
- `table`: where a real table is recorded, on a phone or a tablet.
- `hall`: all tables of an event, for its organisers and officials.
- `desk`: a match, for its officials: rulings, rewinds, penalties, time.
- `events`: what everybody sees of an event, and the screen of a hall.
- `entrance`: signing in by a code, and out.
- `connect`: the API for programs: Connect, feeds, OpenAPI.

WEB.md says which addresses there are, who may ask for them, and how long they may be kept.
"""
