"""Commands that run a service, open matches, and record acts of officials."""
