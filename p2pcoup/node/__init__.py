"""A peer as a program: the table, the journal and the links put together (SPEC 10)."""
