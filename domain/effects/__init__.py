"""Effects as data: the vocabulary card texts are written in, and the code that carries them out.

`vocabulary` says what a card may state (VOCABULARY.md explains it to people who write cards),
`select` finds the cards a text speaks of, `interpreter` carries out clauses, `constant` keeps
lasting texts and derived numbers up to date. When targets are chosen, what a lost target voids and
how triggers queue is the rulebook's to say, because the books differ there.
"""
