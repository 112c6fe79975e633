"""The checks of acts, each with its narrowest rule, in the order in which a judge asks."""
