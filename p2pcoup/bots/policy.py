"""What a bot is: a function from a view and a source of chance to a move."""

import random
from collections.abc import Callable

from p2pcoup.rules import Move, View

Policy = Callable[[View, random.Random], Move]
"""Called when `view.legal_moves()` is not empty; returns one of them. The same view and the same
state of the generator give the same move."""
