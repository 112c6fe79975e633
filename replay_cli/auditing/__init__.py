"""Auditing: what a file proves of a match, claim by claim, with no server and no network.

`evidence` reads what files hold, `trust` what an auditor brings, `claims` says what a claim is;
`chaining`, `anchoring`, `telling`, `replaying`, `acting` and `timing` judge them. `audit` has the
table of all who judge.
"""
