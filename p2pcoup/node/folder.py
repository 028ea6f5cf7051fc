"""Which folder holds a user's files (SPEC 10); `home` says what is in it.

``P2PCOUP_HOME`` if set, else the folder the platform has for an application's data.
"""

import os
from pathlib import Path

HOME_VARIABLE = "P2PCOUP_HOME"
NAME_FILE = "name"  # what the user wants to be called


def home_folder() -> Path:
    """The data folder; it need not exist yet."""
    if chosen := os.environ.get(HOME_VARIABLE):
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_data_dir("p2pcoup", appauthor=False))
