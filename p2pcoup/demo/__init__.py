"""A whole match on one machine, in which every peer is a program of its own."""
