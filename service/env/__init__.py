"""Dealt matches as an environment for machine learners, by PettingZoo's AEC interface (ENV.md).

`environment` plays the match and keeps its record, `menu` numbers what a seat may do, `observing`
makes arrays of what it sees, by a `layout`. Programs import kifu.env, which needs `kifu[env]`.
"""
