"""`kifu doctor`: faults of a deployment, in plain sentences, and what to do.

`looking` asks servers, pages and stores, and judges nothing: what it has seen is data (`seen`).
`checks` are small functions that look at that and say what is wrong (`findings`); `table` has all
of them. So each check can be tried on what was seen of something that is broken.
"""
