"""The screen's panes as rich text; the layout is in `screen`."""

from __future__ import annotations

from rich.text import Text

from domain.record.position import Position
from domain.scorekeeping.line.input_line import InputLine
from domain.scorekeeping.line.questions import Answer
from domain.scorekeeping.session import Session
from domain.scorekeeping.suggestions import suggest
from domain.scorekeeping.understanding.understood import Understood
from domain.telling.names import Names, count, letter
from domain.text import foreign
from domain.words.phrases import joined, phrase
from replay_cli import cells
from replay_cli.drawing.lines import SEATS, Columns
from replay_cli.output import language, say
from replay_cli.scorekeeper.waiting import title

#: The keys of the help, each with what it does; then what is to be known about lines.
KEYS = (
    ("Enter", phrase("does what stands after ⏎: the usual act, while nothing is typed")),
    ("1 … 9", phrase("while nothing is typed: where cards in front may act, the k-th of them "
     "attacks the rival, or blocks; elsewhere what is on offer")),
    (phrase("typing"), phrase("a verb and names, the first letters of each; a typo does no harm")),
    ("↑ ↓", phrase("choose another suggestion")),
    ("Tab", phrase("complete the line")),
    ("B: …", phrase("for the other seat (B: concede)")),
    ("X, Y", phrase("several cards")),
    ("????", phrase("in the place of a name: nobody noted which card it was")),
    ("gm = …", phrase("that card was named wrongly: it is another one (battle.gm = guntank)")),
    ("Ctrl+Z", phrase("take back your last entry, while the other seat has not answered; once a "
     "match is over, its end (officials)")),
    ("Ctrl+S", phrase("then A or B: that player has shuffled his cards, and the other cut")),
    ("F2", phrase("call a judge to the table (at an event); what is typed goes along")),
    ("F3", phrase("T: time is called; A, B: a penalty for that player (officials)")),
    ("F4", phrase("bring a card that no catalogue has: its form opens, and the line stays")),
    ("Ctrl+R", phrase("record a refused play all the same, as an irregularity (officials)")),
    ("Esc", phrase("drop the question, or the line")),
    ("PgUp PgDn", phrase("scroll the board")),
    ("F1", phrase("this help")),
    ("Ctrl+Q", phrase("leave")),
)  # fmt: skip
NOTES = (
    phrase("A name means the card on the table, else one that nobody has seen, which is named as "
    "it is played. One that lies face down among others goes by its place: spell#2. Passes, and "
    "the end of a turn, are inferred: type the next act, of either seat. Enter does what is shown, "
    "and nothing else; after ✗ it would be refused. Where a card is turned up in between, its name "
    "is asked for first; then Enter again."),
    phrase("B: pass until the turn ends, B: pass in STEP until the rival acts: B passes by itself "
    "from now on. B: withdraw ends that."),
)  # fmt: skip
#: Columns of the help, and of its keys.
HELP, KEY = 74, 11


#: From how many columns on the lines of the transcript have the numbers of their entries.
NUMBERED = 90
#: The text shown where cards that nobody knows may be played.
ONE_UNKNOWN = "{n} unknown card: type what is done, and its name"
UNKNOWN = "{n} unknown cards: type what is done, and its name"
#: The text shown once a shuffle was recorded.
SHUFFLED = phrase("who has shuffled his cards (the other cut)?  A or B; any other key: nobody")


def helping() -> str:
    """The help, in rows."""
    rows = list[str]()
    for key, text in KEYS:
        first, *further = cells.wrap(say(text), HELP - KEY)
        rows += [cells.pad(say(key), KEY) + first, *(" " * KEY + row for row in further)]
    for note in NOTES:
        rows += ["", *cells.wrap(say(note), HELP)]
    return "\n".join(rows)


def heading(
    session: Session, waits: str, online: bool, sending: bool, now: int, columns: int
) -> Text:
    """Whose decision it is, of which kind, the clocks, and whether the service can be reached.

    Or for what the match `waits` to begin; of one of an event, at which table.
    """
    text, p = Text(no_wrap=True, overflow="ellipsis"), session.pos
    decision = session.decision
    if p.over:
        text.append(say(phrase("the match is over")), "bold")
    elif waits:
        text.append(waits, "bold yellow")
    elif decision is None:
        text.append(say(phrase("nothing is to be decided")), "dim")
    for n, seat in enumerate(decision.seats if decision is not None else ()):
        text.append(say(joined(" and ", ("", ""))) if n else "")
        text.append(f"{letter(seat)} {p.heading.seats[seat]}", SEATS[seat % len(SEATS)])
    if decision is not None:
        kind = session.book.manifest.label("decisions", decision.kind)
        text.append(f" · {say(kind)}", "bold")
        text.append(f" · {say(phrase('decision {n}', n=decision.n))}", "dim")
    if p.paused >= 0:
        text.append(f" · {say(phrase('paused'))}", "bold yellow")
    right = Text(title(p), "dim").append(clocks(p, now))
    if sending or not online:
        right = Text.assemble(
            (f"{say(phrase('recording …'))} " if sending else "", "yellow"),
            ("" if online else say(phrase("OFFLINE, trying again")), "bold white on red"),
            "  ", right,
        )  # fmt: skip
    text.append(" " * max(columns - text.cell_len - right.cell_len, 2)).append(right)
    return text


def clocks(p: Position, now: int) -> Text:
    """The time left on each clock."""
    text = Text()
    for name in p.clocks:
        left = p.left(name, now)
        kind, _, seat = name.partition("/")
        label = letter(int(seat)) if seat else kind
        text.append(f"  {label} ", "dim").append(minutes(left), "" if left > 0 else "bold red")
    return text


def minutes(ms: int) -> str:
    """`12:05`; with a minus once it has run out."""
    whole, rest = divmod(abs(ms) // 1000, 60)
    return f"{'-' if ms < 0 else ''}{whole}:{rest:02d}"


def choices(input_line: InputLine, shown: Understood, most: int) -> Text:
    """The possible meanings of the typed text, or the offer, each with its key."""
    rows, lines = shown.rows, list[Text]()
    moved = input_line.moved
    first = max(0, min(input_line.selected - most + 1, len(rows) - most)) if moved else 0
    for at, row in enumerate(rows[first : first + most], first):
        meant = bool(input_line.typed) and not shown.problem
        chosen = at == input_line.selected and (moved or meant)
        key = "" if isinstance(row, Answer) else row.key
        mark = "▸" if chosen else " "
        lines.append(Text.assemble((f"{mark}{key or ' ':<2}", "bold cyan")))
        lines[-1].append(_act(input_line.session, row.text), "reverse" if chosen else "")
        alike = 1 if isinstance(row, Answer) else row.alike
        lines[-1].append(f"  ({say(phrase('{n} alike', n=alike))})" if alike > 1 else "", "dim")
    left, hidden = len(rows) - first - most, 0
    if not input_line.typed and input_line.question is None:
        hidden = _unknown(input_line.session)
    further = [
        say(phrase("… {n} more", n=left)) if left > 0 else "",
        say(count(hidden, ONE_UNKNOWN, UNKNOWN)) if hidden else "",
    ]
    if any(further):
        lines.append(Text(f"   {' · '.join(filter(None, further))}", "dim"))
    found = Text("\n", no_wrap=True, overflow="ellipsis").join(lines)
    found.no_wrap, found.overflow = True, "ellipsis"
    return found


def _unknown(session: Session) -> int:
    """How many cards nobody knows may be played."""
    return len(suggest.unknown(session.offer(session.seat))) if session.seat >= 0 else 0


def _act(session: Session, text: str) -> str:
    """An act as the reader's language writes it."""
    return foreign.shown(say(text), session.pos.heading.game, language().tag)


def prompt(session: Session, shown: Understood) -> Text:
    """The act of Enter; or the question; and whether it would be refused."""
    text = Text(no_wrap=True, overflow="ellipsis")
    if shown.question is not None:
        text.append(f"{say(shown.question.text)} ", "bold yellow")
    if shown.problem:
        text.append(f"? {say(shown.problem)}", "red")
        return text.append(f"   {say(phrase('F4: bring a card'))}", "dim")
    if shown.refused is not None:
        rule = f" {shown.refused.rules[0]}" if shown.refused.rules else ""
        text.append(f"✗{rule} ", "bold red").append(_act(session, shown.text), "bold")
        return text.append(f"   {say(shown.refused.text)}", "red")
    text.append("⏎ ", "bold cyan").append(
        _act(session, shown.text) or "–", "bold" if shown.text else "dim"
    )
    return text.append(named(session, shown), "dim")


def named(session: Session, shown: Understood) -> str:
    """Where cards lie that Enter would name; others of that name may lie elsewhere."""
    names, p = Names(session.book, session.pos), session.pos
    command = shown.command
    places = {p.card(n).place for n in (command.names if command is not None else ())}
    found = joined(", ", map(names.place, sorted(places)))
    return f"   {say(phrase('out of {places}', places=found))}" if places else ""


def note(input_line: InputLine, may_rule: bool) -> Text:
    """Why something was refused: the sentence, and the rules in our own words."""
    refused = input_line.refused
    if refused is None:
        return Text()
    why = say(refused.text)
    why = say(phrase("refused: {why}", why=refused.text)) if refused.reason else why
    text = Text(why, "bold red")
    if may_rule and input_line.refused_command is not None and refused.rules:
        allowed = say(phrase("Ctrl+R records it all the same, as an irregularity"))
        text.append(f"\n  {allowed}", "yellow")
    for rule in refused.rules[:3]:  # last: they give way where there is little room
        text.append(f"\n  {rule}  {say(input_line.session.book.gist(rule))}", "red")
    return text


def log(session: Session, most: int, columns: int, *, brief: bool = False) -> Text:
    """The last lines of the transcript, in at most so many rows; `brief`: a row each."""
    shown = [line for line in session.lines if not line.minor][-most:]
    steps = {word.name: word.label for word in session.book.manifest.steps}
    rows: list[Text] = []
    for first in range(len(shown)):  # the turn is shown with the first visible line
        setter = Columns(columns, steps, brief=brief, numbered=columns >= NUMBERED)
        lines = shown[first:]
        rows = [setter.render(line, undone=session.abandoned(line.seq)) for line in lines]
        if sum(row.plain.count("\n") + 1 for row in rows) <= most:
            break
    return Text("\n").join(rows)


def fit(height: int, most: int) -> int:
    """How many lines a pane gets of a screen of this height, so that the board has room as well."""
    return max(2, min(most, (height - 20) // 3))
