"""What all tests share."""

from hypothesis import settings

# The same examples in every run: a test that fails, fails for everybody.
settings.register_profile("fixed", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("fixed")
