"""How long the property tests look: `ci` is short and always the same, `long` is neither.

`KIFU_PROFILE=long pytest tests/properties` takes a quarter of an hour; see `properties/strategies`.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

CALM = {"deadline": None, "suppress_health_check": list(HealthCheck)}

settings.register_profile("ci", derandomize=True, database=None, print_blob=True, **CALM)
settings.register_profile("long", print_blob=True, **CALM)
settings.load_profile(os.environ.get("KIFU_PROFILE", "ci"))
