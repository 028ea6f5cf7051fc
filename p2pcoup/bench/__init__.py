"""The project's own measurements (``p2pcoup bench``).

`proofs` beside the raw cost of their library calls, whole `games` between processes, the `rules`
alone, and a node under `junk`.
"""
