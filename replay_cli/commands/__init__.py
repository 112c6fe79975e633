"""The commands of `kifu`, a module each, by purpose; `replay_cli.main` lists them."""
