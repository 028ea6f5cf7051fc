"""The rules a second time, on purpose in the most simple-minded way. Not a test module.

Written from the text of the rules (R.. and D.. in seeds/README.md) and sharing nothing with the
package: its own tables, no state objects, no agenda, no cleverness. A game is a procedure that is
run from its beginning for every question; wherever something may happen it calls `choose`, which
takes the next line of the script or, at the end of the script, stops and tells what may follow.
So `continuations(position, script)` are all lines that may come next, and counting them to a depth
gives numbers that the engine must give too (`perft`).

Beside what the rules themselves allow, two extras may be switched on: *conceding* (a seat gives up
instead of deciding) and *losing* (a seat is lost at any moment, D25).
"""

from itertools import combinations, product

COPIES = 3
COURT_ROLE = {"base": "ambassador", "inquisitor": "inquisitor"}
BLOCKERS = {"foreign-aid": ["duke"], "assassinate": ["contessa"], "steal": ["captain", "?"]}
CLAIMS = {"tax": "duke", "assassinate": "assassin", "steal": "captain", "exchange": "?"}
COSTS = {"coup": 7, "assassinate": 3}
TARGETED = ["coup", "assassinate", "steal", "examine"]


class Asked(Exception):  # noqa: N818 - no error: the script has ended
    """What may happen next."""

    def __init__(self, options):
        super().__init__()
        self.options = options


class GameOver(Exception):  # noqa: N818
    """One player is left."""


LOST = ["lost"]
"""What `decide` and `fact` return when a seat they need is lost meanwhile."""


class NaiveGame:
    def __init__(self, position, script, conceding, losing):
        edition, *sections = position.split("; ")
        parts = dict(section.partition(" ")[::2] for section in sections)
        role = COURT_ROLE[edition]
        self.script = list(script)
        self.conceding = conceding
        self.losing = losing
        self.characters = ["duke", "assassin", "captain", role, "contessa"]
        self.actions = ["income", "foreign-aid", "coup", "tax", "assassinate", "steal", "exchange"]
        self.claims = {action: who.replace("?", role) for action, who in CLAIMS.items()}
        self.blockers = {a: [who.replace("?", role) for who in b] for a, b in BLOCKERS.items()}
        self.drawn = 2
        if edition == "inquisitor":
            self.actions.append("examine")
            self.claims["examine"] = role
            self.drawn = 1
        self.options = parts.get("options", "").split(",")
        self.order = [int(seat) for seat in parts["order"].split(",")]
        self.coins = [int(coins) for coins in parts["coins"].split(",")]
        self.cards = [hand.split(",") for hand in parts["cards"].split(" ")]
        self.turn = int(parts["turn"])
        self.away = {}  # a card that was shown and has not gone back into the Court yet, by seat

    # The script

    def choose(self, needed, options):
        """Return the words of what happens; LOST when one of the needed seats is lost first."""
        while True:
            lines = list(options())
            if self.losing:
                lines += [f"{seat} lost" for seat in self.order if self.alive(seat)]
            if not self.script:
                raise Asked(lines)
            line = self.script.pop(0)
            assert line in lines, (line, lines)
            words = line.split(" ")
            if words[-1] != "lost":
                return words
            self.vanish(int(words[0]))
            if not all(self.alive(seat) for seat in needed):
                return LOST

    def decide(self, seat, options, also_needed=(), may_concede=True):
        """A decision of a seat; in games with conceding that is one more thing to choose."""

        def lines():
            yield from (f"{seat} {option}" for option in options())
            if self.conceding and may_concede:
                yield f"{seat} concede"

        words = self.choose([seat, *also_needed], lines)
        return words if words == LOST else words[1:]

    def fact(self, line, *needed):
        return self.choose(needed, lambda: [line])

    # Players

    def alive(self, seat):
        return "?" in self.cards[seat]

    def down(self, seat):
        return [slot for slot, card in enumerate(self.cards[seat]) if card == "?"]

    def clockwise(self, seat):
        """All other living players, beginning with the one to the left."""
        place = self.order.index(seat)
        around = self.order[place + 1 :] + self.order[:place]
        return [other for other in around if self.alive(other)]

    def copies_left(self, character):
        seen = [card for hand in self.cards for card in hand] + list(self.away.values())
        return COPIES - seen.count(character)

    def is_out(self, seat):
        self.coins[seat] = 0  # R11
        if sum(self.alive(other) for other in self.order) == 1:
            raise GameOver  # R12

    # A whole game

    def play(self):
        if "set-of-five" in self.options:  # R43
            for seat in [self.turn, *self.clockwise(self.turn)]:
                self.decide(seat, lambda: [f"pick {c}" for c in self.characters], (), False)
            self.fact("dealt")
            self.cards = [[*hand, "?"] for hand in self.cards]
        seat = self.turn
        while True:
            self.play_turn(seat)
            seat = self.clockwise(seat)[0]  # R13

    def possible_actions(self, seat):
        coins = self.coins[seat]
        for action in ["coup"] if coins >= 10 else self.actions:  # R14
            if COSTS.get(action, 0) > coins:
                continue
            if action not in TARGETED:
                yield action
                continue
            for target in self.order:
                if target == seat or not self.alive(target):
                    continue
                penniless = self.coins[target] == 0
                if action == "steal" and penniless and "no-steal-from-penniless" in self.options:
                    continue
                yield f"{action} {target}"

    def play_turn(self, seat):
        action, *rest = self.decide(seat, lambda: self.possible_actions(seat))
        if action == "lost":
            return
        if action == "concede":
            self.give_up(seat)
            return
        target = int(rest[0]) if rest else None
        cost = COSTS.get(action, 0)
        self.coins[seat] -= cost  # D8
        target_may_block = True
        if action in self.claims:
            result, challenger = self.challenged(seat, self.claims[action])
            if result in ("declined", "conceded"):
                self.coins[seat] += cost  # R35
                self.pay_for_bluff(result, seat)
                return
            if result == "proven" and challenger == target:
                target_may_block = "no-block-after-challenge" not in self.options  # D3
        if self.pointless(seat, target):
            return
        if action in self.blockers and target_may_block:
            asked = self.clockwise(seat) if target is None else [target]
            if self.blocked(seat, asked, self.blockers[action]):
                return
        if self.pointless(seat, target):
            return
        self.take_effect(action, seat, target)

    def pointless(self, seat, target):
        """Actor or target is out (D5, D25)."""
        return not self.alive(seat) or (target is not None and not self.alive(target))

    def take_effect(self, action, seat, target):
        match action:
            case "income":
                self.coins[seat] += 1
            case "foreign-aid":
                self.coins[seat] += 2
            case "tax":
                self.coins[seat] += 3
            case "coup" | "assassinate":
                self.lose(target)
            case "steal":
                loot = min(2, self.coins[target])
                self.coins[target] -= loot
                self.coins[seat] += loot
            case "exchange":
                self.exchange(seat)
            case "examine":
                self.examine(seat, target)

    def exchange(self, seat):
        if self.fact(f"{seat} drew", seat) == LOST:
            return
        held = len(self.down(seat))
        choices = [
            f"keep {','.join(map(str, kept))}"
            for kept in combinations(range(held + self.drawn), held)
        ]
        if self.decide(seat, lambda: choices, may_concede=False) != LOST:
            self.fact("shuffled")

    def examine(self, seat, target):
        if len(self.down(target)) > 1:
            cards = [f"reveal {slot}" for slot in self.down(target)]
            choice = self.decide(target, lambda: cards, [seat])
            if choice == ["concede"]:
                self.give_up(target)
            if choice[0] != "reveal":
                return
        if self.fact(f"{target} shown", seat, target) == LOST:
            return
        match self.decide(seat, lambda: ["allow", "force"], [target]):
            case ["force"]:
                self.fact(f"{target} redrawn", target)
            case ["concede"]:
                self.give_up(seat)

    # Claims

    def answers(self, claimant, asked, options):
        """Everybody asked answers; then those who give up go, one after the other."""
        given = {}
        for seat in asked:
            if self.alive(seat) and self.alive(claimant):
                given[seat] = self.decide(seat, lambda: ["pass", *options], [claimant])
        if not self.alive(claimant):
            return []
        given = {seat: answer for seat, answer in given.items() if self.alive(seat)}
        for seat, answer in given.items():
            if answer == ["concede"]:
                self.give_up(seat)
        neither = (["pass"], ["concede"])
        return [(seat, answer) for seat, answer in given.items() if answer not in neither]

    def challenged(self, claimant, character):
        """Return what became of a claim, and its challenger.

        "unchallenged", "proven", "gone" (the claimant is lost); or "declined" or "conceded": then
        the claimant has yet to pay for it.
        """
        challenges = self.answers(claimant, self.clockwise(claimant), ["challenge"])
        if not self.alive(claimant):
            return "gone", None
        if not challenges:
            return "unchallenged", None
        challenger, _ = challenges[0]  # D11
        cards = [f"show {slot}" for slot in self.down(claimant)]
        match self.decide(claimant, lambda: [*cards, "decline"]):
            case ["lost"]:
                return "gone", challenger
            case ["decline"]:
                return "declined", challenger
            case ["concede"]:
                return "conceded", challenger
        shown = f"{claimant} opened {character}"
        if self.choose([claimant], lambda: [shown] if self.copies_left(character) else []) == LOST:
            return "gone", challenger
        self.away[claimant] = character
        self.lose(challenger)  # R33, before the swap (D27)
        self.away.clear()
        if self.alive(claimant):
            self.fact(f"{claimant} replaced", claimant)  # R34
        return "proven", challenger

    def pay_for_bluff(self, result, claimant):
        if result == "conceded":
            self.give_up(claimant)
        else:
            self.lose(claimant)

    def blocked(self, actor, asked, characters):
        blocks = self.answers(actor, asked, [f"block {character}" for character in characters])
        if not blocks or not self.alive(actor):
            return False
        blocker, (_, character) = blocks[0]
        if not self.alive(blocker):
            return False
        result, _ = self.challenged(blocker, character)  # R25
        if result in ("declined", "conceded"):
            self.pay_for_bluff(result, blocker)
        return result in ("unchallenged", "proven")  # R36

    # Losing cards

    def lose(self, seat):
        if not self.alive(seat):
            return
        slots = self.down(seat)
        if len(slots) > 1:
            cards = [f"lose {slot}" for slot in slots]
            word, *which = self.decide(seat, lambda: cards)  # R9
            if word == "lost":
                return
            if word == "concede":
                self.give_up(seat)
                return
            slots = [int(which[0])]
        self.turn_up(seat, slots)

    def give_up(self, seat):
        if self.alive(seat):
            self.turn_up(seat, self.down(seat))  # D25

    def turn_up(self, seat, slots):
        words = self.choose([seat], lambda: self.possible_openings(seat, len(slots)))
        if words == LOST:
            return
        for slot, character in zip(slots, words[2].split(","), strict=True):
            self.cards[seat][slot] = character
        if not self.alive(seat):
            self.is_out(seat)

    def possible_openings(self, seat, number):
        for cards in product(self.characters, repeat=number):
            if all(self.copies_left(card) >= cards.count(card) for card in cards):
                yield f"{seat} opened {','.join(cards)}"

    def vanish(self, seat):
        """A seat is lost: its hidden cards are in the Court again (D25)."""
        self.cards[seat] = [card for card in self.cards[seat] if card != "?"]
        self.away.pop(seat, None)
        self.is_out(seat)


def continuations(position, script, conceding=False, losing=False):
    """Return all lines that may follow the script, played from the position; none at the end."""
    try:
        NaiveGame(position, script, conceding, losing).play()
    except Asked as asked:
        return asked.options
    except GameOver:
        return []
    raise AssertionError("a game neither ends nor asks")


def sequences(position, depth, conceding=False, losing=False):
    """Return every script of exactly that many lines."""
    scripts = [[]]
    for _ in range(depth):
        scripts = [
            [*script, line]
            for script in scripts
            for line in continuations(position, script, conceding, losing)
        ]
    return scripts
