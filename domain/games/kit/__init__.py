"""What all games have, once: a game declares it, the kit carries it out."""
