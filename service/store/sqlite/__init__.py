"""A store in an SQLite file, which one process writes and any number read.

`file` knows Kifu's files and what goes wrong with them, `lock` says which process may write one,
`recorder` writes rows, `database` is the driver that the store uses (`service.store.driver`).
"""
