"""Dealt matches for machine learners: an environment by PettingZoo's AEC interface.

    >>> from kifu.env import MatchEnv
    >>> env = MatchEnv("gundam", ["ST01", "ST03"])
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter():
    ...     seen, reward, ended, cut_off, _ = env.last()
    ...     env.step(None if ended or cut_off else int(seen["action_mask"].argmax()))

An agent observes what its seat may see, and nothing else. What is in an observation, what actions
mean and how episodes are kept is in `service/env/ENV.md`. It needs `pip install 'kifu[env]'`.
"""

from __future__ import annotations

from kifu import _find_own

_find_own()
try:
    from service.env.environment import MatchEnv as MatchEnv
    from service.env.layout import Layout as Layout
    from service.env.menu import ACTIONS as ACTIONS
    from service.env.menu import IllegalAction as IllegalAction
    from service.env.menu import Line as Line
    from service.env.menu import Menu as Menu
    from service.env.observing import TooManyCards as TooManyCards
except ModuleNotFoundError as error:
    if error.name not in ("gymnasium", "numpy", "pettingzoo"):
        raise
    text = f"{error.name} is not installed: pip install 'kifu[env]'"
    raise ModuleNotFoundError(text, name=error.name) from error

__all__ = ["ACTIONS", "IllegalAction", "Layout", "Line", "MatchEnv", "Menu", "TooManyCards"]
