"""What cards say, printed from their data: a page for each card of the catalogue.

`routes` has the page, `linking` puts links to it into texts, `cards.js` shows it over another page:
of a card on a board by the position of the viewer, so that it tells of no card that he can't see.
"""
