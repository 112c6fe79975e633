"""Analysis of a match that has ended: what each decision was worth, by playing on from there.

`chances` estimates one decision, `running` all of a match on all cores, and keeps what it found
beside the record. What is played on is dealt and played by `playing.policy`.
"""
