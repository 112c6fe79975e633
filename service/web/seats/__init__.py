"""Where a player plays, or his decisions are entered.

`seated` says who may, `asked` what his seat is asked and may do beside it, `building` how an act is
put together part by part, `refusals` why something can't be done, `naming` which card a scorekeeper
means by a name. The page (`seat.html`) fetches those as parts (`choices.html`, `building.html`,
`refusals.html`) and sends commands as any program does: by the API. All rules are asked of the
service; the scripts know none.
"""
