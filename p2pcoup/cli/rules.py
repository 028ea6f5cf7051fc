"""The command that tells the rules."""

import click

from p2pcoup.cli.variants import Variant, variant_options
from p2pcoup.rules import reference_card, reference_to_data
from p2pcoup.ui import words
from p2pcoup.ui.fields import Fields
from p2pcoup.ui.reference import printed_card, read_card


@click.command()
@variant_options
@click.option("--lang", metavar="LANGUAGE", help="de, en, fr, it, ko; else your system's.")
def rules(edition: str, setup: str | None, options: str | None, lang: str | None) -> None:
    """Print the rules on one card.

    \b
        p2pcoup rules
        p2pcoup rules --edition inquisitor
        p2pcoup rules --setup set-of-five --lang de
    """
    chosen = Variant.chosen(edition, setup, options, seats=2)
    if words.speak(lang) == "en":
        click.echo(reference_card(chosen.edition, chosen.options))
        return
    sections = reference_to_data(chosen.edition, chosen.options)
    click.echo(printed_card(read_card(Fields({"sections": sections}))))
