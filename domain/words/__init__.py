"""Words shown to people: sentences and their translations.

`phrases` is what code says, in English; `tables` says it in another language. WORDS.md tells
translators where tables lie and how one is begun. `fields` says how the fields of acts are typed.
"""
