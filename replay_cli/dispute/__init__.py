"""Dispute pages: all there is to know about a decision, as one page of HTML or as JSON.

`model` has what a page says, as data; `gather` makes it from a match as one viewer sees it
(`reaching.source`), with `following` for what came of the decision, `knowledge` for who knew which
card, `desk` for what officials did; `page` lays it out by the template beside it. The JSON is the
model itself: DISPUTE.md says what is in it.
"""
