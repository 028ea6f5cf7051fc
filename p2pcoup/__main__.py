"""``python -m p2pcoup``."""

from p2pcoup.cli import main

main()
