"""What a player answers through a desk, as the game takes it."""

from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.wishes import CLOSED, NO_SEAT, NOT_POSSIBLE, Answer, Reply, question_id
from p2pcoup.rules import Move, RulesError, parse_move
from p2pcoup.table import AnswerError


def understood(game: SeatedGame, answer: Answer) -> tuple[int, Move] | Reply:
    """The prompt and the move that are meant, or why this cannot be the answer now.

    An answer names the question it was given to: one that comes late never answers the next one.
    """
    if game.seat is None:
        return Reply(NO_SEAT, "Who only watches has nothing to decide.")
    asked = game.question
    if asked is None or answer.question != question_id(game.terms.game_id, asked.id):
        return Reply(CLOSED, "This decision is no longer open; nothing was changed.")
    try:
        move = parse_move(game.terms.edition, answer.move)
        asked.check(move)
    except (RulesError, AnswerError) as error:
        return Reply(NOT_POSSIBLE, str(error))
    return asked.id, move
