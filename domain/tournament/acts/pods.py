"""Pods are drawn, before the first round is opened, and those who come later are seated in them."""

from __future__ import annotations

from domain.tournament import record as ev
from domain.tournament.acts import checks
from domain.tournament.acts.checks import PODS
from domain.tournament.pairing import pods
from domain.tournament.progress import active
from domain.tournament.state import Stage
from domain.tournament.tournament import Sender, Tournament


def draw(t: Tournament, by: Sender, add: bool = False, seed: int = 0) -> None:
    """Draw the pods of all who play, or (`add`) seat those who sit in none of them."""
    s = t.state
    checks.going_on(s, PODS)
    pod, playing = s.format.pools.pod, active(s)
    if not pod:
        raise checks.refused("this event has no pods", PODS, "NO_PODS")
    if add:
        late = [one for one in playing if not s.pod(one)]
        if not (s.pods and late):
            text = "everybody sits in a pod" if s.pods else "no pods are drawn yet"
            raise checks.refused(text, PODS, "NO_PODS")
        found = pods.join(s.pods, late, {*s.players} - {*playing}, s.seed)
        t.emit(by, ev.PodsDrawn(found, s.seed))
        return
    if any(one.stage != Stage.PAIRED for one in s.rounds):
        text = "pods are not drawn again once a round was opened: seat who came late"
        raise checks.refused(text, PODS, "PODS_FIXED")
    if not playing:
        raise checks.refused("there are no players", PODS, "NO_PODS")
    t.emit(by, ev.PodsDrawn(pods.draw(playing, pod, seed), seed))
