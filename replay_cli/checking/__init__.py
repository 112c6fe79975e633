"""Checks of records, of rule coverage, and of the sentences that can be translated."""
