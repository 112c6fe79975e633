"""A verifier of evidence bundles that shares nothing with Kifu: written from AUDIT.md alone.

    python independent_verifier.py FILE.kifu-proof [HEAD | LOG-KEY]…

It needs the standard library, and `cryptography` for the signatures of checkpoints. HEAD is the
thirty digits of a match slip (in quotes) or 64 hex digits; LOG-KEY the public key of a log, whose
checkpoint in the file then has to go to the last entry. It ends with 0 if all is as it should be,
else with 1 and a sentence. Tests compare it with Kifu on each vector and on each forged file.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
import sys
from base64 import b64decode, b64encode

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

#: Fields of an event that may be kept from somebody, by its tag; fields count from 0.
SEALED = {
    1: [10], 2: [3], 11: [5], 12: [2], 13: [2, 5, 7], 14: [3, 4, 5], 20: [1], 21: [1, 2], 23: [2],
    24: [3], 33: [0], 60: [2], 67: [1], 70: [1], 75: [1],
}  # fmt: skip
OFFICIAL, PUBLIC, EVERYONE = -2, -1, -1
OPENED, ANSWER = 1, 13
ANSWER_SEAT, ANSWER_ORIGIN, ANSWER_STATED = 1, 4, 7
ORIGIN, FORGOTTEN = 64, 65


#: What a file of another form may lead to.
FORM = (LookupError, TypeError, ValueError, AttributeError, RecursionError, OverflowError)


class Refused(Exception):
    """What can't be proven, and why."""


# -- MessagePack, in its one shortest form -------------------------------------------------------


def pack(value):
    """A value in the canonical encoding."""
    if value is None:
        return b"\xc0"
    if value is True or value is False:
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return pack_number(value)
    if isinstance(value, str):
        data = value.encode()
        return sized(len(data), 0xA0, 32, b"\xd9", b"\xda", b"\xdb") + data
    if isinstance(value, bytes):
        return sized(len(value), 0, 0, b"\xc4", b"\xc5", b"\xc6") + value
    if isinstance(value, list):
        parts = b"".join(pack(one) for one in value)
        return sized(len(value), 0x90, 16, None, b"\xdc", b"\xdd") + parts
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode())
        parts = b"".join(pack(key) + pack(value[key]) for key in keys)
        return sized(len(value), 0x80, 16, None, b"\xde", b"\xdf") + parts
    raise Refused("a value that no entry has")


def pack_number(n):
    for low, high, lead, form in (
        (0, 2**7, b"", ">B"), (-(2**5), 0, b"", ">b"), (0, 2**8, b"\xcc", ">B"),
        (0, 2**16, b"\xcd", ">H"), (0, 2**32, b"\xce", ">I"), (0, 2**64, b"\xcf", ">Q"),
        (-(2**7), 0, b"\xd0", ">b"), (-(2**15), 0, b"\xd1", ">h"), (-(2**31), 0, b"\xd2", ">i"),
        (-(2**63), 0, b"\xd3", ">q"),
    ):  # fmt: skip
        if low <= n < high:
            return lead + struct.pack(form, n)
    raise Refused("a number that is too large")


def sized(n, short, room, *leads):
    if n < room:
        return bytes([short | n])
    for lead, form, most in zip(leads, (">B", ">H", ">I"), (2**8, 2**16, 2**32), strict=True):
        if lead and n < most:
            return lead + struct.pack(form, n)
    raise Refused("a value that is too long")


def unpack(data):
    """The value of canonical bytes, all of them; a map is a dict, a list a list."""
    value, at = unpack_at(data, 0, 0)
    if at != len(data) or pack(value) != data:
        raise Refused("not encoded canonically")
    return value


def unpack_at(data, at, depth):
    if at >= len(data) or depth > 100:
        raise Refused("it breaks off")
    lead, at = data[at], at + 1
    if lead < 0x80:
        return lead, at
    if lead >= 0xE0:
        return lead - 256, at
    if lead in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[lead], at
    numbers = dict(zip(range(0xCC, 0xD4), "BHIQbhiq", strict=True))
    if lead in numbers:
        form = ">" + numbers[lead]
        return struct.unpack(form, taken(data, at, struct.calcsize(form)))[0], at + struct.calcsize(
            form
        )
    for first, last, kind in ((0x80, 0x8F, "map"), (0x90, 0x9F, "list"), (0xA0, 0xBF, "text")):
        if first <= lead <= last:
            return unpack_long(data, at, kind, lead - first, depth)
    kinds = {0xC4: "bytes", 0xD9: "text", 0xDC: "list", 0xDE: "map"}
    start = max((one for one in kinds if one <= lead), default=0)
    if not start or lead - start > (2 if start in (0xC4, 0xD9) else 1):
        raise Refused("a byte that begins no value")
    width = 1 << (lead - start) + (0 if start in (0xC4, 0xD9) else 1)
    return unpack_long(
        data, at + width, kinds[start], int.from_bytes(taken(data, at, width), "big"), depth
    )


def unpack_long(data, at, kind, n, depth):
    if kind in ("bytes", "text"):
        found = taken(data, at, n)
        try:
            return found if kind == "bytes" else found.decode(), at + n
        except UnicodeDecodeError:
            raise Refused("a text that is none") from None
    values = []
    for _ in range(n * (2 if kind == "map" else 1)):
        value, at = unpack_at(data, at, depth + 1)
        values.append(value)
    if kind == "list":
        return values, at
    if not all(isinstance(key, str) for key in values[::2]):
        raise Refused("a key that is no text")
    return dict(zip(values[::2], values[1::2], strict=True)), at


def taken(data, at, n):
    if at + n > len(data):
        raise Refused("it breaks off")
    return data[at : at + n]


# -- the chain -----------------------------------------------------------------------------------


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def short(head):
    """The thirty digits that stand for a head."""
    digits = f"{int.from_bytes(head, 'big') % 10**30:030}"
    return " ".join(digits[at : at + 5] for at in range(0, 30, 5))


def genesis(layout, match, since, first):
    """The hash before the first entry."""
    event = first[6]
    if event[0] != OPENED:
        raise Refused("entry 1: no match is opened")
    return sha256(b"\0", pack(["kifu", layout, match, event[1], event[2], event[3], since]))


def kept(tag, fields):
    """The fields that are kept from somebody; one that came later may not be there."""
    known = (at for at in SEALED.get(tag, ()) if at < len(fields) and fields[at] is not None)
    return [at for at in known if fields[at][0] != EVERYONE]


def parts_of(entry):
    """What an entry keeps from somebody: number, audience, value as this copy has it."""
    tag, *fields = entry[6]
    found = [(at, *fields[at]) for at in kept(tag, fields)]
    if tag == ANSWER:
        own = 1 << fields[ANSWER_SEAT] if fields[ANSWER_SEAT] >= 0 else 0
        found += [
            (ORIGIN, own, fields[ANSWER_ORIGIN]),
            (FORGOTTEN, own, forgotten(fields[ANSWER_STATED][1])),
        ]
    return found


def forgotten(stated):
    """Of what was stated, the cards that nobody can name any more."""
    lost = [pair for pair in (stated[0] if stated else []) if pair[1] == ""]
    return [lost] if lost else None


def opens(viewer, to):
    return viewer == OFFICIAL or (viewer >= 0 and bool(to & 1 << viewer))


def public(entry):
    """The entry as everybody may see it."""
    tag, *fields = entry[6]
    for at in kept(tag, fields):
        fields[at] = [fields[at][0], None]
    if tag == ANSWER and fields[ANSWER_ORIGIN] == "auto":
        fields[ANSWER_ORIGIN] = "seat"
    return [*entry[:6], [tag, *fields]]


def says_too_much(entry, viewer):
    """Whether a copy has what its viewer may not know, and no commitment would tell."""
    tag, *fields = entry[6]
    if viewer == OFFICIAL:
        return False
    own = tag == ANSWER and fields[ANSWER_SEAT] == viewer
    if tag == ANSWER and not own and fields[ANSWER_ORIGIN] == "auto":
        return True
    for at in kept(tag, fields):
        if opens(viewer, fields[at][0]):
            continue
        allowed = forgotten(fields[at][1]) if own and at == ANSWER_STATED else None
        if fields[at][1] != allowed:
            return True
    return False


def commitments(entry, opened, viewer):
    """What each part is committed to with, by number: made where it is open, given where not."""
    found, at = {}, 0
    for number, to, value in parts_of(entry):
        is_open = opens(viewer, to)
        given, at = opened[at : at + (16 if is_open else 32)], at + (16 if is_open else 32)
        found[number] = sha256(b"\1", given, pack(value)) if is_open else given
    if at != len(opened):
        raise Refused(f"entry {entry[0]}: what opens it has another length")
    return found


# -- a bundle ------------------------------------------------------------------------------------


def verify(text, trusted=()):
    """The heads after each entry of a bundle; raises `Refused`. `trusted` are heads as text."""
    if not text.endswith("\n"):
        raise Refused("its last line does not end")
    rows = [parsed(line) for line in text[:-1].split("\n")]
    header = rows[0]
    wanted = {"kifu-proof", "layout", "match", "viewer", "since", "entries", "head"}
    if header.keys() != wanted or header["kifu-proof"] != 1 or header["layout"] != 1:
        raise Refused("a header of another form")
    viewer, heads, last, shown = header["viewer"], [], b"", {}
    for row in rows[1:]:
        if "entry" not in row:
            continue
        entry, opened = unpack(unbase64(row["entry"])), unbase64(row.get("opens", ""))
        if not isinstance(entry, list) or len(entry) != 7 or entry[0] != len(heads) + 1:
            raise Refused(f"entry {len(heads) + 1}: it is missing")
        if entry[0] == 1:
            last = genesis(header["layout"], header["match"], header["since"], entry)
            if not -2 <= viewer < len(entry[6][6]):
                raise Refused("no such viewer")
        if says_too_much(entry, viewer):
            raise Refused(f"entry {entry[0]}: it says more than its viewer may know")
        shown[entry[0]] = made = commitments(entry, opened, viewer)
        last = sha256(b"\0", last, pack(public(entry)), *made.values())
        heads.append(last)
    if (
        len(heads) != header["entries"]
        or last.hex() != header["head"]
        or not 0 <= header["since"] <= len(heads)
    ):
        raise Refused("the entries do not lead to the head")
    for row in rows:
        if one := row.get("disclosed"):
            made = sha256(b"\1", unbase64(one["salt"]), unbase64(one["value"]))
            if shown.get(one["seq"], {}).get(one["field"]) != made:
                raise Refused(f"entry {one['seq']}: what is disclosed is not what was sealed")
    anchors = {one: anchored(one, header, heads) for row in rows if (one := row.get("anchor"))}
    for head in trusted:
        if "+" in head:
            if max((n for one, n in anchors.items() if signed(one, head)), default=0) < len(heads):
                raise Refused("no checkpoint of that log goes as far")
            continue
        plain = re.sub(r"[\s.-]", "", head).lower()
        if plain not in {
            form for one in heads for form in (one.hex(), short(one).replace(" ", ""))
        }:
            raise Refused(f"the head {head} stands nowhere in the chain")
    return heads


def signed(text, key):
    """Whether the checkpoint of an anchor is signed by this key; raises `Refused` if not."""
    note, _, below = text.split("\n\n", 1)[1].rpartition("\n\n")
    name, id_, typed = key.split("+", 2)
    made = [
        unbase64(one.split(" ")[2]) for one in below.split("\n") if one.startswith(f"— {name} ")
    ]
    signature = next((one[4:] for one in made if one[:4].hex() == id_), b"")
    try:
        public = Ed25519PublicKey.from_public_bytes(unbase64(typed)[1:])
        public.verify(signature, f"{note}\n".encode())
    except InvalidSignature:
        raise Refused("the checkpoint is not signed by that key") from None
    if note.split("\n")[0] != name:
        raise Refused("the checkpoint is of another log")
    return True


def anchored(text, header, heads):
    """How many entries a checkpoint has of this match, whoever signed it; raises `Refused`."""
    form, extra, index, *rest = text.split("\n")
    if form != "c2sp.org/tlog-proof@v1":
        raise Refused("an anchor of another form")
    leaf, at = unbase64(extra.removeprefix("extra ")), int(index.removeprefix("index "))
    _, size, root = text.split("\n\n", 1)[1].split("\n")[:3]
    last, found = int(size) - 1, sha256(b"\0", leaf)
    for one in map(unbase64, rest[: rest.index("")]):
        if at % 2 or at == last:
            found = sha256(b"\1", one, found)
            while at and not at % 2:
                at, last = at >> 1, last >> 1
        else:
            found = sha256(b"\1", found, one)
        at, last = at >> 1, last >> 1
    if last or found != unbase64(root):
        raise Refused("the anchor does not lead to its checkpoint")
    seen = dict(line.split(" ", 1) for line in leaf.decode().split("\n")[1:-1])
    count = int(seen["count"])
    if (seen["match"], int(seen["since"])) != (header["match"], header["since"]):
        raise Refused("the anchor is of another match")
    if count > len(heads) or heads[count - 1] != unbase64(seen["head"]):
        raise Refused("its end is missing, or it is not what was anchored")
    return count


def parsed(line):
    def once(pairs):
        if len(dict(pairs)) != len(pairs):
            raise Refused("a key stands twice")
        return dict(pairs)

    try:
        row = json.loads(line, object_pairs_hook=once)
    except ValueError:
        raise Refused("a line that is no JSON") from None
    if not isinstance(row, dict):
        raise Refused("a line that is no object")
    return row


def unbase64(text):
    try:
        data = b64decode(text, validate=True)
    except (ValueError, TypeError):
        raise Refused("no base64") from None
    if b64encode(data).decode() != text:
        raise Refused("no base64")
    return data


def main(args):
    with open(args[0], encoding="utf-8") as file:
        text = file.read()
    try:
        heads = verify(text, args[1:])
    except Refused as why:
        print(f"refused: {why}")
        return 1
    except FORM as error:
        print(f"refused: it has another form: {error!r}")
        return 1
    print(f"{len(heads)} entries lead to the head {heads[-1].hex()}\n  {short(heads[-1])}")
    if len(args) == 1:
        print("compare it with one that did not come with the file")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
