"""`kifu play --against bot`: a match against the player that looks ahead, in the terminal.

A person is a client of a seat here, like the player at the other one.
"""

from __future__ import annotations

from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, cast

import click

from domain.record import events as ev
from domain.record.decisions import Act, Offer
from domain.record.folding.fold import fold
from domain.record.position import Position
from domain.telling.book import Book
from domain.telling.narration import Narrator, is_choice
from domain.text.notation import BadText
from domain.words.phrases import message_of, phrase
from replay_cli.commands.viewing.watch import columns_of
from replay_cli.drawing import board, choices
from replay_cli.output import BadValue, console, say, width
from replay_cli.playing.policy.sitting import Rival
from replay_cli.reaching import hosting
from replay_cli.reaching.connection import book_to_open
from replay_cli.typed import asked, lists
from service.client.client import Client, Opened, connect
from service.client.connection import CallError
from service.client.playing import Playing

if TYPE_CHECKING:
    from domain.engine.rulebook import Rulebook

#: The person's seat, and the other's; the act that stands open beside any decision.
MINE, OTHER, CONCEDE = 0, 1, "concede"


def play_alone(data: Path, game: str, edition: str, decks: str, seed: int | None) -> None:
    """Play a match to its end, or until the person leaves."""
    with hosting.hosted(data) as serving, connect(serving.address, serving.token) as client:
        book = book_to_open(client, game, edition)
        names = decks.split(",") if decks else [*book.decks][: book.manifest.seats]
        if len(names) != book.manifest.seats:
            text = phrase("{seats} are needed", seats=book.manifest.seats)
            raise BadValue(text, param_hint="--decks")
        listed, brought = lists.opened_with(names, book, (), yes=True)
        opened = client.open_match(
            book.manifest.game, [say(phrase("You")), "Kifu"], [one.deck for one in listed],
            seed=seed, prints=brought, edition=book.manifest.edition or "1.0",
        )  # fmt: skip
        rival = Rival(SystemRandom().randrange(10**6) if seed is None else seed, pace=0.0)
        rival.address = serving.address
        rival(book.manifest.game, opened.id, OTHER, opened.seats[OTHER])
        _Seat(client.with_token(opened.seats[MINE]), opened, book.further(brought)).play()


class _Seat:
    """The person's seat: prints what happens, and asks."""

    def __init__(self, client: Client, opened: Opened, book: Book) -> None:
        self.client, self.match, self.book = client, opened.id, book
        self.pos, self.out = Position(), console()

    def play(self) -> None:
        """Follow the match, and answer what the seat is asked."""
        columns = columns_of(self.book.manifest.steps)
        narrator = Narrator(self.book)
        with self.client.join(self.match), self.client.playing() as table:
            for entry in self.client.watch(self.match):
                fold(self.pos, entry)
                for line in narrator.feed(entry):
                    if not line.minor:
                        self.out.print(columns.render(line))
                event = entry.event
                if not isinstance(event, ev.OptionsOffered) or event.seat != MINE:
                    continue
                offer = event.offer.value
                while offer is not None and not self._done(table, event.n, self._answer(offer)):
                    pass
        for line in narrator.close():
            self.out.print(columns.render(line))

    def _done(self, table: Playing, n: int, act: Act) -> bool:
        """Whether an act was carried out; if the rules refuse it, why is printed."""
        try:
            if act.kind == CONCEDE:
                table.interject(self.match, act)
            else:
                table.choose(self.match, n, act)
        except CallError as error:
            if not error.reason:
                raise
            self.out.print(say(message_of(error)), style="red")
            return False
        return True

    def _answer(self, offer: Offer) -> Act:
        """What the person does; what leaves no choice is done at once."""
        if not is_choice(offer):
            return offer.options[0].act()
        self.out.print()
        self.out.print(board.draw(self.book, self.pos, near=MINE, width=width()))
        self.out.print(choices.options(self.book, self.pos, MINE, offer))
        written = [*choices.written(self.book, self.pos, MINE, offer)]
        while True:
            text = click.prompt(say(phrase("A number, or an act as typed"))).strip()
            if text.isdecimal() and 0 < int(text) <= len(written):
                text = written[int(text) - 1].typed
            try:
                _, act, _ = asked.read(
                    text, cast("Rulebook", self.book), self.pos, MINE, sees_all=False
                )
            except BadText as error:
                self.out.print(say(message_of(error)), style="red")
                continue
            return act
