"""The program `kifu`, as it is installed; the commands are in `main`."""

from __future__ import annotations

import os
import signal


def main() -> None:
    """Run `kifu` with the arguments of this process."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as in the background of a shell
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from replay_cli import process  # an interrupt ends this, too, without a word
    from replay_cli.main import kifu

    process.fit_encoding()
    process.conceal_passwords()
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # kifu reports errors itself
    kifu.main(prog_name="kifu")


if __name__ == "__main__":
    main()
