"""A client of the service for Python programs.

`client` has the calls about matches, `officials` those of officials, `catalog` those about games;
`connection` is the channel they share, `convert` turns arguments into messages. `files` reads what
Kifu has written, by `from_json` where that is JSON.
"""
