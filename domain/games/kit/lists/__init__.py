"""Cards before the match: faults of card data and of deck lists, and a second list between games.

Reading card data is in `domain.effects.catalogue`.
"""
