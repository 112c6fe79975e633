"""The commands of `kifu`, one module each; `replay_cli.main` lists them."""
