"""The full screen: urwid on trio. What is drawn follows from the model and the keyboard alone."""

from p2pcoup.ui.screen.app import run_screen
from p2pcoup.ui.screen.compose import compose

__all__ = ["compose", "run_screen"]
