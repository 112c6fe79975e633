"""The servicer of tournaments (tournament_service.proto), which people call events.

What is asked of one is in `queries`, what is done at one in `commands`, who may do and see what in
`rights`. Requests become commands of the domain by the rows of `acts`.
"""
