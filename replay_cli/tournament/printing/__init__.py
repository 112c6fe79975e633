"""Printed sheets of an event: pages of HTML, and text of 80 columns."""
