"""How a command reaches its matches: a server, its own or another's, and how that fails."""
