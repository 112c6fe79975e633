"""The scripted scorekeeper, under the name by which tests know it; see `replay_cli.fuzz.tables`."""

from replay_cli.fuzz.tables import Scorekeeper as Scorekeeper
from replay_cli.fuzz.tables import at_table as at_table
from replay_cli.fuzz.tables import names_in as names_in
from replay_cli.fuzz.tables import no_dice as no_dice
from replay_cli.fuzz.tables import public as public
from replay_cli.fuzz.tables import roll as roll
from replay_cli.fuzz.tables import rolls as rolls
