"""Checks of addresses: whether anybody answers, by which protocol, and with which certificate."""

from __future__ import annotations

from collections.abc import Iterator

from domain.words.phrases import phrase
from replay_cli.doctor.findings import MEND, WRONG, Problem
from replay_cli.doctor.seen import Seen

#: Why a server refuses a token that was signed with another key than its own.
FOREIGN = "TOKEN_INVALID"
#: A certificate that ends within so many days is to be renewed; days in seconds.
SOON, DAY = 21, 86_400.0


def answers(seen: Seen) -> Iterator[Problem]:
    """Whether somebody answers at every address."""
    remedy = phrase(
        "See that a server listens there (`kifu serve --host`), that the name leads to it, and that"
        " no firewall is in between."
    )
    calls = [(one.address, one.unreachable) for one in seen.endpoints if not one.http1]
    for where, why in (*calls, *((one.address, one.unreachable) for one in seen.pages)):
        if why:
            yield Problem(WRONG, where, phrase("Nobody answers: {why}.", why=why), remedy)


def speaks_http2(seen: Seen) -> Iterator[Problem]:
    """Whether the server there speaks HTTP/2, which gRPC needs."""
    for one in seen.endpoints:
        if one.http1:
            text = phrase("What answers there speaks HTTP/1, over which there is no gRPC.")
            remedy = phrase(
                "Have the proxy pass gRPC on (nginx: `listen … http2` and `grpc_pass`; Envoy:"
                " codec_type HTTP2 and http2_protocol_options), or name the port for calls."
            )
            yield Problem(WRONG, one.address, text, remedy)


def serves(seen: Seen) -> Iterator[Problem]:
    """Whether servers say that they serve."""
    for one in seen.endpoints:
        if one.health not in ("", "SERVING"):
            text = phrase("It says of itself: {health}.", health=one.health)
            remedy = phrase("Its log says why. A server that is about to stop says so as well.")
            yield Problem(WRONG, one.address, text, remedy)
    for page in seen.pages:
        if page.health not in (0, 200):
            text = phrase("Its health answers {status}.", status=page.health)
            remedy = phrase("The server's log says why; at a proxy: that no server is there.")
            yield Problem(WRONG, page.address, text, remedy)


def describes(seen: Seen) -> Iterator[Problem]:
    """Whether servers say what they are: most checks need that."""
    accepted = any(seen.processes())
    for one in seen.endpoints:
        if one.refused and not (accepted and one.refused == FOREIGN):
            text = phrase("It does not say what it is ({why}).", why=one.refused)
            remedy = phrase("Give an organiser's token: --token @FILE.")
            yield Problem(MEND, one.address, text, remedy)


def speaks_tls(seen: Seen) -> Iterator[Problem]:
    """Whether traffic over the network uses TLS."""
    for one in seen.endpoints:
        if not (one.tls or one.loopback or one.unreachable):
            text = phrase("Anybody on the network can read the traffic, tokens included.")
            remedy = phrase(
                "Name a certificate (--tls-cert, --tls-key), or let a proxy that has one be reached"
                " alone."
            )
            yield Problem(MEND, one.address, text, remedy)


def certificates(seen: Seen) -> Iterator[Problem]:
    """Whether certificates are trusted, fit the name, and last."""
    for one in seen.endpoints:
        found = one.certificate
        if found is None:
            continue
        left = (found.expires - seen.now) / DAY
        if found.wrong:
            text = phrase("Its certificate is not accepted: {why}.", why=found.wrong)
            remedy = phrase(
                "Have one made for that name by an authority that clients trust, or name the"
                " certificate to trust (--tls-ca)."
            )
            yield Problem(WRONG, one.address, text, remedy)
        elif left < SOON:
            text = phrase("Its certificate ends in {days} days.", days=int(left))
            remedy = phrase(
                "Renew it; a server reads it when it starts, nginx when it is reloaded."
            )
            yield Problem(MEND if left > 1 else WRONG, one.address, text, remedy)
