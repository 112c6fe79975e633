"""Yu-Gi-Oh! OCG as it was played in 2013."""
