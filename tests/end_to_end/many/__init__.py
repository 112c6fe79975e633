"""Several servers on one database, each a process of its own."""
