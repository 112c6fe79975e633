"""Pairings: the Swiss system (`swiss`) and single elimination (`bracket`).

Nothing here reads or writes; what is drawn follows from a seed that is handed in (`chance`).
"""
