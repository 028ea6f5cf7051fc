"""Line mode: whole sentences, numbers that answer the question printed last, words as commands."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from p2pcoup.ui.keys import MAX_TALK
from p2pcoup.ui.model import GUARD_SECONDS, Model
from p2pcoup.ui.plain import Teller, Typist
from tests.ui.messages import (
    GAME,
    INVITE,
    RESUMED,
    STAGES,
    Message,
    asked,
    event,
    game,
    hello,
    lobby,
    over,
    peer,
    person,
    state,
    story,
)

LATER = GUARD_SECONDS + 1
RUN = "import sys; from p2pcoup.ui.run import Mode, run;"


class Desk:
    """A person in front of line mode."""

    def __init__(self, *messages: Message, guard: float = GUARD_SECONDS) -> None:
        self.model = Model(guard_seconds=guard)
        self.teller = Teller(self.model)
        self.typist = Typist(self.teller)
        self.printed: list[str] = []
        self.hear(hello(), RESUMED, *messages)

    def hear(self, *messages: Message, at: float = 0.0) -> list[str]:
        told: list[str] = []
        for message in messages:
            self.model.receive(message, at)
            told += self.teller.heard()
        self.printed += told
        return told

    def type(self, line: str, at: float = LATER) -> list[dict[str, object]]:
        told, sent = self.typist.typed(line, at)
        self.printed += told
        return sent


def test_events_are_printed_once_as_they_happen() -> None:
    desk = Desk(*story())
    assert desk.printed == [
        "It is Birch's turn.",
        "Birch claims the Captain and announces Steal against Ash.",
        "정우 says: he never has it",
        "The link to Birch is down.",
    ]
    assert desk.hear(story()[1], event(5, "Next.")) == ["Next."]


@pytest.mark.parametrize("edition", ["base", "inquisitor"])
@pytest.mark.parametrize("kind", STAGES)
def test_every_possible_answer_has_a_number_that_sends_it(kind: str, edition: str) -> None:
    message = asked(kind, edition)
    legal = [move["move"] for move in message["question"]["moves"] if move["legal"]]
    sent = []
    for number in range(1, len(legal) + 1):
        for request in Desk(message).type(str(number)):
            assert (request["type"], request["question"]) == ("answer", f"{GAME}:57")
            sent.append(request["move"])
    if kind == "keep":  # both Dukes are the same
        assert sent == ["0 keep 0,1", "0 keep 0,3", "0 keep 1,2", "0 keep 1,3"]
    else:
        assert sent == legal


def test_a_question_is_told_in_whole_sentences() -> None:
    desk = Desk(asked("act"))
    assert all(line[-1] in ".?!" for line in desk.printed), desk.printed
    for told in (
        "Ash (you): 5 coins, Assassin face down, Duke face down.",
        "Birch: 12 coins, Contessa lost, a card face down, reconnecting.",
        "정우: out in turn 9, Ambassador lost, Duke lost.",
        "It is your turn. What do you do?",
        "1: Income.",
        "3: Tax: claim Duke (true).",
        "4: Assassinate against Birch: pay 3, claim Assassin (true).",
        "After 31 seconds without an answer: Income.",
    ):
        assert told in desk.printed
    (refused,) = [line for line in desk.printed if line.startswith("Not possible now:")]
    assert "Coup (7 coins needed)" in refused
    assert "Coup against" not in refused
    assert "Steal against Birch" not in refused


def test_the_same_question_is_not_printed_twice() -> None:
    desk = Desk(asked("block"))
    assert desk.hear(asked("block")) == []


def test_others_turns_are_told_with_who_is_waited_for() -> None:
    message = game("challenge-action", you=None)
    desk = Desk(state("game", game=message))
    assert "Waiting for: Ash, Élodie, Fern." in desk.printed[-1]
    assert desk.hear(state("game", game=message)) == []


def test_a_number_answers_the_question_that_was_printed_and_no_later_one() -> None:
    desk = Desk(asked("challenge-action"))
    desk.model.receive(asked("lose", number=58), LATER)  # has come, is not printed yet
    assert desk.type("1", LATER + LATER) == []
    assert desk.printed[-1] == "That question is over; nothing was answered."


def test_a_line_typed_for_the_last_question_does_not_answer_the_next() -> None:
    desk = Desk(asked("challenge-action"))
    desk.hear(asked("lose", number=58), at=LATER)
    assert desk.type("1", LATER + 0.1) == []
    assert "only just come" in desk.printed[-1]
    assert desk.type("1", LATER + LATER)[0]["move"] == "0 lose 0"


def test_a_program_at_the_other_end_of_a_pipe_need_not_wait() -> None:
    assert Desk(asked("lose"), guard=0).type("1", 0.0)[0]["move"] == "0 lose 0"


@pytest.mark.parametrize("line", ["0", "99", "-1", "1.5", "999999999999", "²"])
def test_a_number_that_is_none_of_them_answers_nothing(line: str) -> None:
    desk = Desk(asked("lose"))
    assert desk.type(line) == []
    assert desk.printed[-1].startswith("There is no ")


def test_an_unknown_word_is_named_and_help_is_offered() -> None:
    desk = Desk(asked("lose"))
    assert desk.type("fr\x1b[2Job now") == []
    assert desk.printed[-1] == (
        "There is no command fr[2Job. Type help, or the number of a choice."
    )


def test_giving_up_is_asked_back() -> None:
    desk = Desk(asked("act"))
    assert desk.type("concede") == []
    assert "Type concede again" in desk.printed[-1]
    assert desk.type("concede")[0]["move"] == "0 concede"


def test_talk_and_silence() -> None:
    desk = Desk(asked("act"))
    assert desk.type("say hello  there") == [{"type": "say", "n": 2, "text": "hello there"}]
    assert len(str(desk.type("say " + "x" * 999)[0]["text"])) == MAX_TALK
    assert desk.type("say") == []
    (sent,) = desk.type("mute birch")
    assert (sent["peer"], sent["muted"]) == (peer("Birch"), True)
    assert desk.type("mute nobody") == []


def test_passing_on_everything_is_said_and_done() -> None:
    desk = Desk(asked("block"))
    assert desk.type("auto")[0]["move"] == "0 pass"
    assert desk.printed[-1] == "You pass on everything until you are asked something else."
    (told,) = desk.hear(asked("challenge-action", number=58))
    assert told.startswith("Anybody else may challenge that now.")  # and no question
    assert desk.hear(asked("lose", number=59))[-3].startswith("2: Turn up Duke")


def test_the_commands_tell_the_table_the_claims_and_the_waiting() -> None:
    desk = Desk(asked("challenge-action"))
    for command, told in (
        ("table", "Fern: 2 coins, a card face down, a card face down."),
        ("claims", "Ash, Duke: claimed 3 times, proven 1, not proven 0."),
        ("who", "Waiting for: you, Élodie, Fern."),
        ("question", "2: Challenge."),
        ("rules", "The rules are not here yet; `p2pcoup rules` prints them."),
        ("help", "concede: give up: your cards are turned up and you are out."),
    ):
        desk.printed.clear()
        assert desk.type(command) == []
        assert told in desk.printed, command


def test_a_guest_is_told_what_to_type_and_then_who_starts() -> None:
    people = [person("Ash", ready=True), person("Birch", you=True)]
    guest = {"may": ["ready", "leave"], "why_not_start": "Whoever opened the table starts."}
    desk = Desk(lobby(people=people, **guest))
    assert "Type ready when you are." in desk.printed
    assert not [told for told in desk.printed if "cannot start" in told]
    people[1]["ready"] = True
    told = ["The table starts as soon as its opener says so."]
    assert desk.hear(lobby(people=people, **guest)) == told


def test_the_lobby_is_told_and_obeys() -> None:
    desk = Desk(lobby())
    assert INVITE in desk.printed
    assert "Birch: not ready." in desk.printed
    assert "It cannot start yet: Birch is not ready." in desk.printed
    assert desk.type("ready")[0]["ready"] is False
    assert [desk.type(word)[0]["type"] for word in ("start", "bot", "reopen", "leave")] == [
        "start", "add-bot", "reopen", "leave",
    ]  # fmt: skip
    assert desk.type("kick 정우")[0]["peer"] == peer("정우")
    assert desk.hear(lobby()) == []
    assert desk.hear(lobby(why_not_start=None)) == ["Everybody is ready: type start."]
    alone = [person("Ash", you=True, ready=True)]
    assert desk.hear(lobby(why_not_start=None, people=alone)) == []  # events tell who has gone


def test_the_lobby_is_told_as_a_whole_again_after_a_game() -> None:
    desk = Desk(lobby(), state("game", game=game("cards")))
    assert INVITE in desk.hear(lobby())


def test_an_invite_is_told_once() -> None:
    told = event(5, f"Invite: {INVITE}", kind="table", name="invite")
    assert [line for line in Desk(told, lobby()).printed if INVITE in line] == [INVITE]


def test_what_events_have_told_is_not_told_again_with_the_question() -> None:
    claim = "Birch claims the Captain and announces Steal against Ash."
    desk = Desk(event(5, claim), asked("challenge-action"))
    assert [line for line in desk.printed if "Birch claims the Captain" in line] == [claim]
    assert "Then Ash may block it as Captain or Ambassador." in desk.printed
    assert "Do you challenge Birch, who claims the Captain?" in desk.printed
    desk.type("question")
    assert desk.printed.count("Do you challenge Birch, who claims the Captain?") == 2
    assert "Birch claims the Captain for Steal against Ash." in " ".join(desk.printed)


def test_that_it_is_the_users_turn_is_told_once() -> None:
    printed = Desk(asked("act")).printed
    assert sum("your turn" in line for line in printed) == 1


def test_cards_that_are_moved_are_not_worth_a_line() -> None:
    assert Desk(state("game", game=game("cards"))).printed == []
    (told,) = Desk(state("game", game=game("recovery"))).printed
    assert told.startswith("The Court is put together again")


def test_the_opener_changes_the_settings_by_words() -> None:
    desk = Desk(lobby())
    for typed, field, value in (
        ("edition Inquisitor", "edition", "inquisitor"),
        ("options set-of-five, starter-coin", "options", "set-of-five,starter-coin"),
        ("games 3", "games", 3),
        ("seats 2", "seats", 2),
    ):
        (sent,) = desk.type(typed)
        assert (sent["type"], sent[field]) == ("settings", value)
    assert desk.type("seats many") == []
    assert desk.printed[-1] == "A number is needed, such as: seats 3"
    assert desk.type("edition") == []
    assert desk.printed[-1] == "Type what you want behind edition."
    desk.type("help")
    told = "games NUMBER: change how many games are played."
    assert told in desk.printed
    guest = Desk(lobby(may=["ready", "leave"]))
    guest.type("help")
    assert told not in guest.printed


def test_the_end_of_a_game_is_told_once_and_its_audit_when_it_is_there() -> None:
    desk = Desk()
    told = desk.hear(over(audit="pending"))
    assert "The game is over. Ash wins the game." in told
    assert "The audit is running." in told
    assert desk.hear(over(audit="pending")) == []
    assert desk.hear(over()) == [
        "Audit passed: every signature, proof and rule of this game holds."
    ]
    assert desk.type("again")[0]["again"] is True


def test_a_lost_node_is_said_once_and_its_return_as_well() -> None:
    desk = Desk(asked("act"))
    desk.model.lost("The node cannot be reached. Trying again …")
    assert desk.teller.heard() == ["The node cannot be reached. Trying again …"]
    assert desk.teller.heard() == []
    assert "The connection to the node is there again." in desk.hear(hello())


def test_shortly_before_the_end_of_the_time_it_is_said_once() -> None:
    desk = Desk(asked("act"))
    assert desk.teller.warn(20.0) == []
    assert desk.teller.warn(21.5) == ["10 seconds left."]
    assert desk.teller.warn(25.0) == []


def test_quitting_stops_the_node_that_was_started_and_no_other() -> None:
    desk = Desk(asked("act"))
    assert desk.type("quit")[0]["type"] == "quit"
    assert desk.typist.leaving
    assert Typist(desk.teller, stays=True).typed("quit", 0.0) == ([], [])


def test_with_json_the_messages_pass_through_unchanged() -> None:
    node = (
        "import sys\n"
        'print(\'{"type": "hello", "name": "정우"}\', flush=True)\n'
        "print(sys.stdin.readline().strip(), flush=True)\n"
    )
    script = f"{RUN} sys.exit(run(sys.argv[1:], Mode.JSON))"
    sent = {"type": "say", "n": 1, "text": "안녕"}
    done = subprocess.run(
        [sys.executable, "-c", script, sys.executable, "-c", node],
        input=json.dumps(sent, ensure_ascii=False) + "\n",
        env=os.environ | {"PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"},
        capture_output=True, encoding="utf-8", timeout=60, check=True,
    )  # fmt: skip
    heard = [json.loads(line) for line in done.stdout.splitlines()]
    assert heard == [{"type": "hello", "name": "정우"}, sent]


def test_what_is_typed_before_the_node_has_started_is_not_lost(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    node = (
        "import pathlib, sys\n"
        'print(\'{"type": "hello", "api": 1, "run": "r", "next": 0}\', flush=True)\n'
        "said = (line for line in sys.stdin if '\"say\"' in line)\n"
        "pathlib.Path(sys.argv[1]).write_text(next(said, 'nothing'))\n"
    )
    script = f"{RUN} sys.exit(run(sys.argv[1:], Mode.PLAIN))"
    subprocess.run(
        [sys.executable, "-c", script, sys.executable, "-c", node, heard],
        input="say hello there\nquit\n", capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert json.loads(heard.read_text())["text"] == "hello there"
