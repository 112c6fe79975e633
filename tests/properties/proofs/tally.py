"""How many forgeries of each kind were tried, and how many of them each check noticed."""

from __future__ import annotations

from collections import Counter, defaultdict


class Tally:
    """Counts by kind of forgery and by check."""

    def __init__(self) -> None:
        self.tried = Counter[str]()
        self.noticed: dict[str, Counter[str]] = defaultdict(Counter)
        self.missed: list[tuple[str, str, object]] = []

    def add(self, kind: str, what: object = "", **noticed: bool) -> None:
        """Count one forgery, and which checks noticed it."""
        self.tried[kind] += 1
        for check, found in noticed.items():
            self.noticed[kind][check] += found
            if not found:
                self.missed.append((kind, check, what))

    def __str__(self) -> str:
        checks = list(dict.fromkeys(check for row in self.noticed.values() for check in row))
        rows = [f"{'forged':<52} {'tried':>8} " + " ".join(f"{name:>12}" for name in checks)]
        for kind, n in self.tried.items():
            found = (str(self.noticed[kind].get(name, "-")) for name in checks)
            rows.append(f"{kind:<52} {n:>8} " + " ".join(f"{one:>12}" for one in found))
        return "\n".join([*rows, f"{'in all':<52} {sum(self.tried.values()):>8}"])
