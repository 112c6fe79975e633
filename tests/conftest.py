"""How long the property tests look: `ci` is short and always the same, `long` is neither.

`KIFU_PROFILE=long pytest tests/properties` takes a quarter of an hour; see `properties/strategies`.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

#: A seed says all there is to say of a match, so a failure is not made smaller.
CALM = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "phases": (Phase.explicit, Phase.reuse, Phase.generate),
}

settings.register_profile("ci", derandomize=True, database=None, print_blob=True, **CALM)
settings.register_profile("long", print_blob=True, **CALM)
settings.load_profile(os.environ.get("KIFU_PROFILE", "ci"))
