"""Dispute pages: all there is to know about a decision, as one page of HTML or as JSON.

`model` has the content of a page, as data; `gather` makes it from a match as one viewer sees it
(`reaching.source`), with `following` for what followed the decision, `knowledge` for who knew which
card, `desk` for the acts of officials; `page` lays it out by its template. The JSON is the model
itself: DISPUTE.md says what is in it.
"""
