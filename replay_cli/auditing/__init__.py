"""Auditing: what a file proves of a match, claim by claim, with no server and no network.

`evidence` reads what files hold, `claims` says what a claim is; `chaining`, `telling`,
`replaying`, `acting` and `timing` judge them. `audit` has the table of all who judge.
"""
