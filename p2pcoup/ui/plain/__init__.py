"""Line mode: complete sentences, numbered choices, nothing that moves a cursor.

For screen readers, pipes, and terminals without a full screen.
"""

from p2pcoup.ui.plain.teller import WARN_SECONDS, Teller
from p2pcoup.ui.plain.typist import Typist

__all__ = ["WARN_SECONDS", "Teller", "Typist"]
