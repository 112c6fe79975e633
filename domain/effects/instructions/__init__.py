"""The instructions of card texts, a class each: `cards`, `players`, `lasting`, `ways`.

`doing` has what they share; `replacement` is what texts do in place of an occurrence.
"""
