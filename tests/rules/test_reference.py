"""The card with the rules of an edition."""

import pytest

from p2pcoup.rules import (
    BASE,
    EDITIONS,
    INQUISITOR,
    USUAL,
    Action,
    Character,
    Edition,
    Effect,
    Options,
    Setup,
    card_words,
    reference_card,
    reference_to_data,
)
from p2pcoup.rules.reference import reference
from p2pcoup.rules.sentence import Sentence

CARD = """\
Base edition, 2 to 6 players

Set-up
  15 cards, 3 each of Duke, Assassin, Captain, Ambassador and Contessa.
  All are shuffled and 2 cards dealt to each player; the others are the Court.
  Coins: 2 for each player; of two players 1 for who starts.

Actions (with 10 or more coins only Coup)
  action       cost  claims      effect                       blocked by
  Income       -     -           take 1 coin                  -
  Foreign Aid  -     -           take 2 coins                 any Duke
  Coup         7     -           a player loses an influence  -
  Tax          -     Duke        take 3 coins                 -
  Assassinate  3     Assassin    a player loses an influence  Contessa
  Steal        -     Captain     take 2 coins of a player     Captain/Ambassador
  Exchange     -     Ambassador  draw 2 cards, return 2       -

Characters
  Duke        3x  does Tax, blocks Foreign Aid
  Assassin    3x  does Assassinate
  Captain     3x  does Steal, blocks Steal
  Ambassador  3x  does Exchange, blocks Steal
  Contessa    3x  blocks Assassinate

Claims
  Anybody may claim any character, and any other player may challenge that at
  once.
  Who then does not show the card loses an influence, and the claim fails; the
  cost of an action comes back. Otherwise the challenger loses one, and the card
  is swapped for a new one.
  A block is a claim too. What it stops has no effect and stays paid.
  A target that has challenged an action in vain may still block it.
  Steal takes what there is; it may be aimed at a player without coins."""

STRICT = Options(failed_challenger_may_block=False, steal_from_penniless=False)
FIVE = Options(Setup.SET_OF_FIVE)


def test_the_card_of_the_base_game_reads_like_this():
    assert reference_card(BASE) == CARD


@pytest.mark.parametrize("options", [USUAL, STRICT, FIVE, Options(Setup.SET_OF_FIVE, True)])
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_every_card_names_all_there_is_in_lines_that_fit_a_terminal(edition, options):
    card = reference_card(edition, options)
    assert all(len(line) <= 80 and line == line.rstrip() for line in card.splitlines())
    for item in (*edition.characters, *edition.actions):
        assert item.title in card


def test_options_are_told_in_words():
    assert "in vain may not block it" in reference_card(BASE, STRICT)
    assert "may not be aimed at a player without coins" in reference_card(BASE, STRICT)
    five = reference_card(INQUISITOR, FIVE)
    assert five.startswith("Inquisitor edition, 2 players, set of five")
    assert "sets the other 4 aside unseen" in " ".join(five.split())
    assert "Coins: 2 for each player." in five
    coin = reference_card(BASE, Options(Setup.SET_OF_FIVE, starter_coin=True))
    assert "Coins: 1 for the player who starts, 2 for the other." in coin


def test_a_card_follows_the_table_of_any_edition():
    miller = Character("miller")
    rob = Action("rob", Effect.TAKE, 4, cost=5, claim=miller, blockers=(miller,))
    mill = Edition("mill", (miller,), (rob,), rob, copies=20, forced_from=12, max_players=5)
    card = reference_card(mill)
    assert "20 cards, 20 each of Miller." in card
    assert "Actions (with 12 or more coins only Rob)" in card
    assert "Rob     5     Miller  take 4 coins of a player  Miller" in card
    assert "Miller  20x  does Rob, blocks Rob" in card


COIN = Options(Setup.SET_OF_FIVE, starter_coin=True)
NEVER_MET = {
    card_words.DEAL.text: "two cards are dealt",
    card_words.DEAL_THIRD.plural: "one card is dealt",
    card_words.TAKE.text: "two coins are taken",
    card_words.EXAMINE.plural: "one card is seen",
}
"""Forms that the editions there are never need, and why. Another edition may need them."""


def forms_in(argument):
    """The templates an argument is made of, each in the form that is told."""
    if isinstance(argument, Sentence):
        yield argument.template if argument.n in (None, 1) else argument.plural
        for inner in argument.args.values():
            yield from forms_in(inner)


def test_every_template_is_met_on_some_card_but_those_no_edition_needs():
    met = {
        form
        for edition in EDITIONS.values()
        for options in (USUAL, STRICT, FIVE, COIN)
        for section in reference(edition, options)
        for part in (section.title, *section.lines, *(cell for row in section.rows for cell in row))
        for form in forms_in(part)
    }
    forms = {form for each in card_words.TEMPLATES for form in (each.text, each.plural) if form}
    assert forms - met == set(NEVER_MET)


@pytest.mark.parametrize("options", [USUAL, FIVE])
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_the_card_as_data_has_the_sections_of_the_card(edition, options):
    title, *sections = reference_to_data(edition, options)
    card = reference_card(edition, options).splitlines()
    assert title["lines"] == []
    assert title["title"]["text"] == card[0]
    assert [each["title"]["text"] for each in sections] == [
        line for at, line in enumerate(card) if at and not card[at - 1]
    ]
    actions, characters = sections[1]["lines"], sections[2]["lines"]
    assert [row[0] for row in actions[1:]] == [{"action": each.name} for each in edition.actions]
    assert [row[0] for row in characters] == [{"character": c.name} for c in edition.characters]
    assert {len(row) for row in actions} == {5}
    assert {len(row) for row in characters} == {3}
    assert all(line["text"].endswith(".") for each in (0, 3) for line in sections[each]["lines"])
