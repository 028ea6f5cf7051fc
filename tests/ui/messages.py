"""Messages of a node, written out (protocol/API.md), for every stage of a game."""

from typing import Any, Final

NAMES: Final = ("Ash", "Birch", "정우", "Maximiliane Hohenstein-W", "Élodie", "Fern")
CHARACTERS: Final = {
    "base": ["duke", "assassin", "captain", "ambassador", "contessa"],
    "inquisitor": ["duke", "assassin", "captain", "inquisitor", "contessa"],
}
STAGES: Final = (
    "act", "challenge-action", "block", "challenge-block", "prove",
    "lose", "keep", "pick", "reveal", "judge",
)  # fmt: skip
WITHOUT_QUESTION: Final = ("setup", "cards", "recovery", "result")

Message = dict[str, Any]
GAME: Final = "6b1f" * 8
"""The id of the game."""


def peer(name: str) -> str:
    """A peer id for this name."""
    return "-".join(["ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[sum(name.encode()) % 32] * 7] * 8)


RESUMED: Final = {"type": "ok", "n": 1}
"""The answer to a client's first request: from here on all events come that there are."""


def hello(run: str = "9f3c", following: int = 1) -> Message:
    """The first message."""
    return {
        "type": "hello", "api": 1, "program": "p2pcoup 0.2.0", "peer": peer("Ash"),
        "name": "Ash", "run": run, "next": following,
    }  # fmt: skip


def person(name: str, **more: Any) -> Message:
    """Somebody in a lobby."""
    usual = {
        "peer": peer(name), "name": name, "ready": False, "bot": False, "here": True,
        "you": False, "known": "known", "watching": False,
    }  # fmt: skip
    return usual | more


INVITE: Final = "coup://192.168.178.123:7700#" + "-".join(["ABCDEFG"] * 8)


def lobby(**more: Any) -> Message:
    """The state of a lobby with three people."""
    usual = {
        "table": "friday evening", "edition": "base", "options": "standard", "games": 1,
        "times": {"decide": 45, "answer": 20, "grace": 120}, "seats": 4,
        "editions": [
            {"edition": "base", "fewest": 2, "most": 6},
            {"edition": "inquisitor", "fewest": 2, "most": 6},
        ],
        "opener": peer("Ash"), "opener_here": True, "invite": INVITE,
        "address": "192.168.178.123:7700",
        "people": [
            person("Ash", you=True, ready=True), person("Birch", known="new"),
            person("정우", bot=True, ready=True), person("Fern", watching=True),
        ],
        "may": ["ready", "start", "leave", "kick", "settings", "add-bot"],
        "why_not_start": {
            "text": "Birch is not ready.", "template": "{name} is not ready.",
            "args": {"name": "Birch"},
        }, "starting": False, "notes": [],
    }  # fmt: skip
    return state("lobby", lobby=usual | more)


def state(phase: str, **more: Any) -> Message:
    """The whole picture."""
    usual: Message = {
        "type": "state", "phase": phase, "lobby": None, "game": None, "question": None,
        "watching": 0, "muted": [], "again": None,
    }  # fmt: skip
    return usual | more


def seat(number: int, you: int | None, **more: Any) -> Message:
    """One seat of a game."""
    usual = {
        "seat": number, "name": NAMES[number], "label": NAMES[number], "peer": peer(NAMES[number]),
        "link": "you" if number == you else "linked", "coins": 2, "cards": [None, None],
        "status": "playing", "out_turn": None,
    }  # fmt: skip
    return usual | more


ACTORS: Final = {
    "challenge-action": {"action": "steal", "target": 0, "claim": "captain"},
    "block": {"action": "steal", "target": 0, "claim": "captain"},
    "challenge-block": {"action": "foreign-aid", "target": None, "claim": None},
    "prove": {"action": "tax", "target": None, "claim": "duke"},
    "lose": {"action": "coup", "target": 0, "claim": None},
    "keep": {"action": "exchange", "target": None},
    "reveal": {"action": "examine", "target": 0},
    "judge": {"action": "examine", "target": 1},
}
"""What was announced at each stage; the actor is seat 1, or you where you act yourself."""

BLOCKERS: Final = {"steal": ("captain", None), "foreign-aid": ("duke",)}


def stage(kind: str, edition: str, seats: int, **more: Any) -> Message:
    """What the game waits for: at seat 0 where a question can be put to it."""
    exchanger = CHARACTERS[edition][3]
    act: Message | None = None
    if kind in ACTORS:
        actor = 0 if kind in ("prove", "keep", "judge") else 1
        act = {"seat": actor, "claim": exchanger, **ACTORS[kind], "blockers": [], "cost": 0}
        act["blockers"] = [each or exchanger for each in BLOCKERS.get(act["action"], ())]
        act["blocked_by"] = "target" if act["target"] is not None else "anyone"
    waiting = [0]
    if kind in ("challenge-action", "challenge-block"):
        waiting = [each for each in range(seats) if each not in (1, 3, *([2] if seats > 3 else []))]
    if kind in WITHOUT_QUESTION:
        waiting = [1]
    block = {"seat": 1, "character": "duke"} if kind == "challenge-block" else None
    usual = {
        "kind": kind, "act": act, "block": block, "waiting_for": waiting, "challenger": None,
        "remaining_ms": 31000,
    }  # fmt: skip
    return usual | more


def game(
    kind: str, edition: str = "base", seats: int = 6, you: int | None = 0, **more: Any
) -> Message:
    """A game in the middle, at this stage."""
    characters = CHARACTERS[edition]
    table = [seat(number, you) for number in range(seats)]
    table[0] |= {"coins": 5}
    table[1] |= {"coins": 12, "cards": ["contessa", None], "link": "reconnecting"}
    if seats > 3:
        table[2] |= {"coins": 0, "cards": [characters[3], "duke"], "status": "out", "out_turn": 9}
        table[3] |= {"coins": 7, "link": "relayed"}
    usual = {
        "id": GAME, "table": "friday evening", "edition": edition, "options": "standard",
        "number": 1, "games": 3, "you": you, "order": [*range(1, seats), 0], "seats": table,
        "hand": [] if you is None else ["assassin", "duke"], "drawn": [], "aside": [],
        "returned": [], "examined": [], "characters": characters,
        "court": 3, "treasury": 28, "turn": 1, "turns": 14,
        "stage": stage(kind, edition, seats),
        "claims": [
            {"seat": 0, "character": "duke", "claimed": 3, "proven": 1, "caught": 0},
            {"seat": 1, "character": characters[3], "claimed": 12, "proven": 2, "caught": 1},
        ],
        "outcome": None, "score": {NAMES[number]: 0 for number in range(seats)},
    }  # fmt: skip
    if kind == "act":
        usual["turn"] = 0
    if kind == "keep" and you is not None:
        usual["drawn"] = ["duke", characters[3]]
    if kind == "judge" and you is not None:
        usual["examined"] = [{"seat": 1, "slot": 1, "character": "captain", "there": True}]
    if kind in ("pick", "setup"):
        usual["hand"] = []
        for each in table:
            each["cards"] = []
    return usual | more


def _acts(edition: str, seats: int) -> list[Message]:
    """Five coins: a coup is too dear; seat 2 is out or has nothing."""
    exchanger = CHARACTERS[edition][3]
    table: list[tuple[str, bool, int, str | None]] = [
        ("income", False, 0, None), ("foreign-aid", False, 0, None), ("coup", True, 7, None),
        ("tax", False, 0, "duke"), ("assassinate", True, 3, "assassin"),
        ("steal", True, 0, "captain"), ("exchange", False, 0, exchanger),
    ]  # fmt: skip
    if edition == "inquisitor":
        table.append(("examine", True, 0, exchanger))
    moves: list[Message] = []
    for action, targeted, cost, claim in table:
        usual = {"kind": "act", "action": action, "claim": claim, "cost": cost}
        usual |= {"legal": cost <= 5, "why": None if cost <= 5 else "coins"}
        if cost > 5:
            usual["needs"] = cost
        if not targeted:
            moves.append({"move": f"0 {action}", "target": None, **usual})
        targets = [each for each in range(1, seats) if each != 2 or seats <= 3]
        moves += [
            {"move": f"0 {action} {target}", "target": target, **usual}
            for target in (targets if targeted else ())
        ]
    return moves


def question(kind: str, edition: str = "base", seats: int = 6, number: int = 57) -> Message:
    """What seat 0 is asked at this stage."""
    characters = CHARACTERS[edition]
    legal: Message = {"legal": True, "why": None}
    pair = ["assassin", "duke"]
    moves: list[Message]
    match kind:
        case "act":
            moves = _acts(edition, seats)
        case "challenge-action" | "challenge-block":
            moves = [{"move": f"0 {each}", "kind": each, **legal} for each in ("pass", "challenge")]
        case "block":
            moves = [{"move": "0 pass", "kind": "pass", **legal}]
            moves += [
                {"move": f"0 block {each}", "kind": "block", "character": each, **legal}
                for each in ("captain", characters[3])
            ]
        case "prove":
            moves = [
                {"move": "0 show 0", "kind": "show", "slot": 0, "character": "assassin",
                 "legal": False, "why": "card"},
                {"move": "0 show 1", "kind": "show", "slot": 1, "character": "duke", **legal},
                {"move": "0 decline", "kind": "decline", **legal},
            ]  # fmt: skip
        case "lose" | "reveal":
            moves = [
                {"move": f"0 {kind} {at}", "kind": kind, "slot": at, "character": each, **legal}
                for at, each in enumerate(pair)
            ]
        case "keep":
            pool = [*pair, "duke", characters[3]]
            moves = [
                {"move": f"0 keep {one},{two}", "kind": "keep", "kept": [one, two],
                 "characters": [pool[one], pool[two]], **legal}
                for one in range(4) for two in range(one + 1, 4)
            ]  # fmt: skip
        case "pick":
            moves = [
                {"move": f"0 pick {each}", "kind": "pick", "character": each, **legal}
                for each in characters
            ]
        case _:
            moves = [{"move": f"0 {each}", "kind": each, **legal} for each in ("allow", "force")]
    return {
        "id": f"{GAME}:{number}", "kind": kind, "moves": moves, "default": moves[-1]["move"]
        if kind == "prove" else moves[0]["move"],
        "concede": None if kind in ("keep", "pick") else "0 concede", "remaining_ms": 31000,
    }  # fmt: skip


def asked(kind: str, edition: str = "base", seats: int = 6, number: int = 57) -> Message:
    """The state in which seat 0 is asked."""
    playing = game(kind, edition, seats)
    return state("game", game=playing, question=question(kind, edition, seats, number))


def over(seats: int = 4, **more: Any) -> Message:
    """The state after a game."""
    outcome = {
        "winner": 0, "by_absence": False, "transcript": "/home/ash/.local/share/p2pcoup/game.coup",
        "audit": "valid", "flaw": None, "told": "Ash wins the game.",
        "how": {
            "text": "Ash wins the game.", "template": "{who} wins the game.",
            "args": {"who": "Ash"},
        },
    }  # fmt: skip
    finished = game("result", seats=seats, turn=None, outcome=outcome | more)
    for each in finished["seats"]:
        if each["seat"]:
            out = {"status": "out", "out_turn": 20 - each["seat"], "coins": 0, "link": "gone"}
            each |= {"cards": ["duke", "captain"], **out}
    finished["score"] = {"Ash": 1, "Birch": 0, "정우": 1}
    return state("over", game=finished, again={"asked": [1], "asking": False})


def event(number: int, text: str, kind: str = "story", **more: Any) -> Message:
    """Something that happened."""
    return {"type": "event", "number": number, "kind": kind, "text": text, "turn": 14, **more}


def story() -> list[Message]:
    """A few events, as a node sends them."""
    return [
        event(1, "It is Birch's turn.", template="It is {who}'s turn.", args={"who": "Birch"}),
        event(2, "Birch claims the Captain and announces Steal against Ash.",
              template="{who} claims the {character} and announces {action} against {target}.",
              args={"who": "Birch", "character": {"character": "captain"},
                    "action": {"action": "steal"}, "target": "Ash"}),
        event(3, "he never has it", "talk", peer=peer("정우"), name="정우"),
        event(4, "The link to Birch is down.", "table", name="unlinked"),
    ]  # fmt: skip
