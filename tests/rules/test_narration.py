"""The game told in sentences."""

import pytest

from p2pcoup.rules import (
    BASE,
    Act,
    Action,
    Allow,
    Challenge,
    Drew,
    Effect,
    Options,
    Pass,
    Setup,
    Shown,
    apply,
    narrate,
    pending,
    start,
    told,
)
from tests.rules.random_games import TABLES, random_game
from tests.rules.scripts import event, table

NAMES = ("Ann", "Bob", "Cid")


def story_of(state, *happens):
    """Return the sentences for these events, "all pass" included."""
    story = []
    for text in happens:
        events = (
            [Pass(decision.seat) for decision in pending(state)]
            if text == "all pass"
            else [event(state, text)]
        )
        for one in events:
            after = apply(state, one)
            story += map(str, narrate(state, one, after, NAMES))
            state = after
    return story


STORIES = {
    "income": (
        table("2,2,2"),
        ["0 income"],
        """
        Ann announces Income.
        Ann takes 1 coin from the Treasury and has 3 now.
        It is Bob's turn.
        """,
    ),
    "assassination with a caught bluff": (
        table("3,2,2"),
        [
            "0 assassinate 1",
            "all pass",
            "1 block contessa",
            "2 challenge",
            "0 challenge",
            "1 decline",
            "1 lose 0",
            "1 opened duke",
            "1 opened captain",
        ],
        """
        Ann pays 3 coins, claims the Assassin and announces Assassinate against Bob.
        Bob claims the Contessa and blocks.
        Cid challenges Bob's claim to the Contessa.
        Ann challenges Bob's claim to the Contessa.
        Cid is next clockwise: that challenge counts.
        Bob does not show the Contessa: the block falls.
        Bob turns up the Duke and loses an influence.
        Bob turns up the Captain and loses an influence.
        Bob returns 2 coins to the Treasury.
        Bob is out.
        It is Cid's turn.
        """,
    ),
    "steal that is proven": (
        table("2,1,2"),
        [
            "0 steal 1",
            "1 pass",
            "2 challenge",
            "0 show 0",
            "0 opened captain",
            "2 lose 1",
            "2 opened duke",
            "0 replaced",
            "1 pass",
        ],
        """
        Ann claims the Captain and announces Steal against Bob.
        Cid challenges Ann's claim to the Captain.
        Ann shows the Captain.
        Cid turns up the Duke and loses an influence.
        Ann puts the card back into the Court and draws a new one.
        Ann takes 1 coin from Bob and has 3 now.
        It is Bob's turn.
        """,
    ),
    "cost that comes back": (
        table("3,2,2"),
        ["0 assassinate 2", "1 challenge", "2 pass", "0 decline", "0 lose 0", "0 opened duke"],
        """
        Ann pays 3 coins, claims the Assassin and announces Assassinate against Cid.
        Bob challenges Ann's claim to the Assassin.
        Ann does not show the Assassin: Assassinate fails.
        Ann gets 3 coins back.
        Ann turns up the Duke and loses an influence.
        It is Bob's turn.
        """,
    ),
    "block that stands": (
        table("2,2,2"),
        ["0 foreign-aid", "1 pass", "2 block duke", "all pass"],
        """
        Ann announces Foreign Aid.
        Cid claims the Duke and blocks.
        The block stands: Foreign Aid fails.
        It is Bob's turn.
        """,
    ),
    "block that is proven": (
        table("2,2", "duke,? ?,?"),
        [
            "0 foreign-aid",
            "1 block duke",
            "0 challenge",
            "1 show 1",
            "1 opened duke",
            "0 opened captain",
        ],
        """
        Ann announces Foreign Aid.
        Bob claims the Duke and blocks.
        Ann challenges Bob's claim to the Duke.
        Bob shows the Duke.
        The block stands: Foreign Aid fails.
        Ann turns up the Captain and loses an influence.
        Ann returns 2 coins to the Treasury.
        Ann is out.
        Bob wins the game.
        """,
    ),
    "exchange": (
        table("2,2,2"),
        ["0 exchange", "all pass", "0 drew", "0 keep ?", "shuffled"],
        """
        Ann claims the Ambassador and announces Exchange.
        Ann draws 2 cards from the Court.
        Ann keeps 2 cards and returns the others.
        The Court is shuffled.
        It is Bob's turn.
        """,
    ),
    "examination": (
        table("2,2,2", edition="inquisitor"),
        ["0 examine 2", "all pass", "2 reveal 0", "2 shown", "0 force", "2 redrawn"],
        """
        Ann claims the Inquisitor and announces Examine against Cid.
        Cid shows a face-down card to Ann alone.
        Ann makes Cid draw another card.
        Cid draws a new card and puts the old one back into the Court.
        It is Bob's turn.
        """,
    ),
    "examination that ends well": (
        table("2,2,2", edition="inquisitor"),
        ["0 examine 2", "all pass", "2 reveal 0", "2 shown", "0 allow"],
        """
        Ann claims the Inquisitor and announces Examine against Cid.
        Cid shows a face-down card to Ann alone.
        Ann lets Cid keep the card.
        It is Bob's turn.
        """,
    ),
    "set of five": (
        start(BASE, 2, (0, 1), 1, Options(Setup.SET_OF_FIVE)),
        ["1 pick duke", "0 pick ?", "dealt"],
        """
        Bob picks a card in secret and sets 4 cards aside.
        Ann picks a card in secret and sets 4 cards aside.
        The Court is shuffled and everybody is dealt 1 card.
        It is Bob's turn.
        """,
    ),
    "giving up and getting lost": (
        table("2,2,2"),
        ["0 concede", "0 opened duke,contessa", "2 lost"],
        """
        Ann gives up.
        Ann turns up the Duke and the Contessa and loses 2 influences.
        Ann returns 2 coins to the Treasury.
        Ann is out.
        It is Bob's turn.
        Cid is lost; all face-down cards return to the Court unseen.
        Cid returns 2 coins to the Treasury.
        Cid is out.
        Bob wins the game.
        """,
    ),
}


@pytest.mark.parametrize("story", STORIES)
def test_a_story_is_told_in_these_sentences(story):
    state, happens, sentences = STORIES[story]
    assert story_of(state, *happens) == [line.strip() for line in sentences.strip().splitlines()]


def test_a_secret_choice_is_told_like_a_public_one():
    state = start(BASE, 2, (0, 1), 0, Options(Setup.SET_OF_FIVE))
    assert (
        story_of(state, "0 pick duke")
        == story_of(state, "0 pick captain")
        == story_of(state, "0 pick ?")
    )


PRICE_OF_ONE = "no action costs a single coin"
PRICE_WITHOUT_TARGET = "what costs coins is aimed at somebody"
NEVER_MET = {
    told.ANNOUNCES_AGAINST.text: "what is aimed at somebody costs coins or claims a character",
    told.PAYS.text: PRICE_WITHOUT_TARGET,
    told.PAYS.plural: PRICE_WITHOUT_TARGET,
    told.PAYS_AGAINST.text: PRICE_OF_ONE,
    told.PAYS_CLAIMS.text: PRICE_WITHOUT_TARGET,
    told.PAYS_CLAIMS.plural: PRICE_WITHOUT_TARGET,
    told.PAYS_CLAIMS_AGAINST.text: PRICE_OF_ONE,
    told.GETS_BACK.text: PRICE_OF_ONE,
    told.PICKS.text: "a set of five has four others",
    told.DEALT.plural: "the set of five deals one card",
}
"""Forms that the editions there are never need, and why. Another edition may need them."""


def test_every_template_is_met_in_random_games_but_those_no_edition_needs():
    met = set()
    for table_of_game in TABLES:
        names = [f"P{seat}" for seat in range(table_of_game.seats)]
        for seed in range(25):
            for _, before, happens, after in random_game(seed, table_of_game):
                for sentence in narrate(before, happens, after, names):
                    plural = sentence.plural is not None and sentence.n != 1
                    met.add(sentence.plural if plural else sentence.template)
    forms = {form for each in told.TEMPLATES for form in (each.text, each.plural) if form}
    assert forms - met == set(NEVER_MET)


@pytest.mark.parametrize("cost", [0, 1, 3])
@pytest.mark.parametrize("claims", [False, True])
@pytest.mark.parametrize("aimed", [False, True])
def test_an_action_of_any_edition_can_be_announced(cost, claims, aimed):
    effect = Effect.STRIKE if aimed else Effect.GAIN
    claim = BASE.characters[0] if claims else None
    action = Action("rob", effect, 1, cost=cost, claim=claim)
    state = table("9,9,9")
    act = Act(0, action, 1 if aimed else None)
    said, *_ = narrate(state, act, state, NAMES)
    text = str(said)
    assert text.startswith("Ann ")
    assert text.endswith("announces Rob against Bob." if aimed else "announces Rob.")
    assert ("claims the Duke" in text) == claims
    assert ("1 coin " in text or "1 coin," in text) == (cost == 1)
    assert ("3 coins" in text) == (cost == 3)


@pytest.mark.parametrize("impossible", [Challenge(0), Allow(0), Shown(0), Drew(0)])
def test_what_cannot_follow_on_a_state_is_not_told(impossible):
    state = table("2,2,2")
    with pytest.raises(ValueError, match="here"):
        narrate(state, impossible, state, NAMES)
