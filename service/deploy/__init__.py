"""Running the service for real: a container, a unit of systemd, and the check of its health.

DEPLOY.md says how; `health` asks a running service whether it serves.
"""
