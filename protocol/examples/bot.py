#!/usr/bin/env python3
"""A bot for p2pcoup in one file: it starts a node and plays its seat over the local API (API.md).

    python bot.py p2pcoup node --table friday.toml

It claims only what it holds, challenges nobody, and strikes at the richest. Everything it knows is
what the node tells it, one JSON object a line; what it wants it writes in the same way.
"""

import json
import subprocess
import sys
from typing import Any

Picture = dict[str, Any]


def choose(game: Picture, question: Picture) -> str:
    """Return the text of a legal move: the one that is worth most."""
    coins = {seat["seat"]: seat["coins"] for seat in game["seats"]}
    up = game["seats"][game["you"]]["cards"]
    held = [card for slot, card in enumerate(game["hand"]) if up[slot] is None]

    def worth(move: Picture) -> tuple[int, int]:
        match move["kind"]:
            case "act" if move["claim"] in (None, *held):
                return move["cost"], coins.get(move["target"], move["claim"] is not None)
            case "block" | "show":
                return int(move["character"] in held), 0
            case "challenge" | "act" | "force":
                return -1, 0
            case _:  # to pass, to decline; and of the own cards one is as good as another
                return 0, 0

    return max((move for move in question["moves"] if move["legal"]), key=worth)["move"]


def main() -> int:
    """Play until the node ends; return its exit status."""
    command = [*sys.argv[1:], "--api", "stdio"]
    node = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    answered = None
    for line in node.stdout:
        message = json.loads(line)
        question = message.get("question")
        if message["type"] == "state" and question and question["id"] != answered:
            answered = question["id"]
            move = choose(message["game"], question)
            answer = {"type": "answer", "question": answered, "move": move}
            print(json.dumps(answer), file=node.stdin, flush=True)
        elif message["type"] == "error" and message["code"] != "closed":  # that one was just late
            print(message["text"], file=sys.stderr)
    return node.wait()


if __name__ == "__main__":
    sys.exit(main())
