"""Effects as data: the vocabulary card texts are written in, and the code that carries them out.

`language` is what a card may state (VOCABULARY.md explains it to people who write cards),
`catalogue` reads it. `select` finds the cards a text speaks of, `foresight` says what can be done,
`interpreter` carries out clauses by their `instructions` (or a replacement), `declared`
texts of cards that no catalogue has. `constant` keeps lasting texts and derived numbers up to
date. When targets are chosen, what a lost target voids and how triggers queue is the rulebook's to
say, because the books differ there.
"""
