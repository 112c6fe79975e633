"""The tests; the game that they add to those of the house is found by name, like any other."""

from domain.games import register

register("lamps", "tests.lamps")
