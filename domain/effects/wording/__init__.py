"""Card texts as sentences, made from their data: never the printed wording, always what they do.

`phrasebook` has a phrase for each word of the vocabulary, to which a game adds those of its own
words; `groups` tells which cards are meant, numbers and conditions, `clauses` what is done, `texts`
a whole effect, `prints` what else stands on a card. All of it is phrases, which other languages may
have in another order.
"""
