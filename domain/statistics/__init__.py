"""Statistics: what ended matches add up to, for one viewer.

`facts` reads the facts of one match from its entries, `figures` selects matches by their facts
and adds them up, `rows` lays that out as tables.
"""
