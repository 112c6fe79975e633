"""Faults under load, and the check of what was seen meanwhile (FAULTS.md)."""

import os

# Programs are started from a process with many threads of gRPC's: it must not try to help.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "false")
