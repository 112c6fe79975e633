"""A network without names: the addresses of this machine, and a certificate for them.

At an event phones reach one laptop by its address. No authority signs a certificate for that, so
this one is signed by itself: browsers ask once whether to trust it, and nobody on the network can
read what is sent. It lies beside the matches and is taken again as long as it holds.
"""

from __future__ import annotations

import datetime
import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from service.identity import is_private, write_private

#: How long a certificate holds, and for how long it must still hold to be taken again, in days.
DAYS, LEFT = 90, 2
#: Any address elsewhere: nothing is sent to it, but the way there begins at one of ours.
_ELSEWHERE = ("192.0.2.1", 9)


def addresses() -> list[str]:
    """The addresses of this machine that others reach it by; the one of the way out is first."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)
            found.append(probe.getsockname()[0])
        except OSError:  # there is no way out
            pass
    try:
        known = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM)
        found += [str(one[4][0]) for one in known]
    except OSError:
        pass
    return [one for one in dict.fromkeys(found) if not _only_here(IPv4Address(one))]


def _only_here(address: IPv4Address) -> bool:
    return address.is_loopback or address.is_unspecified


def certificate(data: Path, hosts: Sequence[str], now: datetime.datetime) -> tuple[Path, Path]:
    """The files of a certificate for these addresses and its key; raises `OSError`."""
    cert, key = (data.with_name(f"{data.name}-lan-{part}.pem") for part in ("cert", "key"))
    if not _holds(cert, key, hosts, now):
        made, signed = _made(hosts, now)
        key.unlink(missing_ok=True)
        write_private(key, made)
        cert.write_bytes(signed)
    return cert, key


def fingerprint(cert: Path) -> str:
    """What browsers show of a certificate, by which people can tell that it is this one."""
    found = x509.load_pem_x509_certificate(cert.read_bytes())
    return found.fingerprint(hashes.SHA256()).hex(":").upper()


def _holds(cert: Path, key: Path, hosts: Sequence[str], now: datetime.datetime) -> bool:
    """Whether a certificate that was made before is for all these addresses, and for a while."""
    try:
        found = x509.load_pem_x509_certificate(cert.read_bytes())
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        private = is_private(key)
    except (OSError, ValueError, x509.ExtensionNotFound):
        return False
    known = {str(one) for one in names.get_values_for_type(x509.IPAddress)}
    lasts = found.not_valid_after_utc - now > datetime.timedelta(days=LEFT)
    return private and lasts and {*hosts} <= known


def _made(hosts: Sequence[str], now: datetime.datetime) -> tuple[str, bytes]:
    """A new key and its certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Kifu at {hosts[0]}")])
    known = [x509.IPAddress(ip_address(one)) for one in (*hosts, "127.0.0.1")]
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName([*known, x509.DNSName("localhost")]), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
        .sign(key, hashes.SHA256())
    )
    text = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return text.decode(), signed.public_bytes(serialization.Encoding.PEM)
