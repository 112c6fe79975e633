"""The commands of `kifu`, a module each, by what they are for; `replay_cli.main` lists them."""
