"""What all tests share."""

import os

from hypothesis import settings

# The same examples in every run: a test that fails, fails for everybody.
settings.register_profile(
    "fixed", derandomize=True, deadline=None, print_blob=True, max_examples=50
)
settings.load_profile("fixed")

# Tests start hundreds of programs; each would compile all its modules anew where Python is told not
# to keep what it has compiled.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
