"""What bots are called."""

NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel")
"""One for each seat of the largest table."""
