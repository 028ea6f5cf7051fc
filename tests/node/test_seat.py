"""One seat's game with its files: what is on disk when, and what a restart makes of it."""

import stat
import sys
from pathlib import Path

import pytest

from p2pcoup.audit import Verdict, audit, verify_evidence_file
from p2pcoup.journal import Journal, JournalError, load_transcript
from p2pcoup.node.seat import SeatedGame, Step
from p2pcoup.table import Blame, TermsError
from p2pcoup.wire import Kind, Message, parse, sign
from tests.node.nodes import (
    SeatFiles,
    contradictions,
    identity_of,
    make_seats,
    play,
    signed_otherwise,
    whole_game,
)


def files(seat: SeatFiles) -> set[str]:
    return {path.name for path in seat.folder.iterdir()}


def test_a_finished_game_leaves_the_transcript_and_no_secret(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    assert files(seats[0]) == {"secret"}
    whole_game(seats)
    for seat in seats:
        assert files(seat) == {"journal", "game.coup"}
    assert seats[0].transcript == seats[1].transcript
    assert audit(seats[0].transcript).verdict is Verdict.VALID


def test_what_is_to_be_sent_is_in_the_journal_by_then(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    games = [seat.sit_down() for seat in seats]
    checked = []

    def is_on_disk(seat: int, step: Step) -> None:
        data = (seats[seat].folder / "journal").read_bytes()
        for raw in step.fresh:
            assert raw in data
            checked.append(raw)

    play(games, watch=is_on_disk)
    assert games[0].outcome is not None
    assert len(checked) == sum(len(game.messages(0)) for game in games)


@pytest.mark.skipif(sys.platform == "win32", reason="modes are a POSIX matter")
def test_only_the_user_can_read_what_a_game_leaves_except_the_transcript(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    (seats[0].folder / "secret").unlink()
    games = [seat.sit_down() for seat in seats]
    play(games, most=5)
    for path, mode in [("secret", 0o600), ("journal", 0o600), (".", 0o700)]:
        assert stat.S_IMODE((seats[0].folder / path).stat().st_mode) == mode


@pytest.mark.parametrize("carried", [0, 1, 4, 13, 30])
def test_a_game_taken_up_again_says_the_same_and_goes_on(tmp_path: Path, carried: int) -> None:
    seats = make_seats(tmp_path, 2)
    games = [seat.sit_down() for seat in seats]
    play(games, most=carried)
    for game in games:
        game.close()
    before = [seat.journal() for seat in seats]
    games = [seat.sit_down(luck=7) for seat in seats]
    assert [game.restored for game in games] == [len(records) for records in before]
    play(games)
    for game in games:
        game.close()
    after = [seat.journal() for seat in seats]
    for old, new in zip(before, after, strict=True):
        assert new[: len(old)] == old
    assert contradictions(*before, *after) == []
    assert seats[0].transcript == seats[1].transcript
    assert audit(seats[0].transcript).verdict is Verdict.VALID


def test_a_finished_game_taken_up_again_is_finished_and_can_be_told_to_others(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 2)
    whole_game(seats)
    transcript = seats[0].transcript
    (seats[0].folder / "game.coup").unlink()  # as if the end had been interrupted
    game = seats[0].sit_down()
    assert game.outcome is not None
    assert game.have().finished
    told = load_transcript(seats[1].folder / "game.coup").messages
    assert game.messages(0) == [signed.raw for signed in told]
    game.close()
    assert seats[0].transcript == transcript


def test_a_game_is_known_to_all_only_once_that_has_been_noted(tmp_path: Path) -> None:
    (seat, _) = make_seats(tmp_path, 2)
    game = seat.sit_down()
    assert not game.known_to_all
    game.note_known_to_all()
    game.close()
    again = seat.sit_down()
    assert again.known_to_all
    again.close()


def test_without_its_secret_a_game_is_not_played_on(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    games = [seat.sit_down() for seat in seats]
    play(games, most=6)
    games[0].close()
    secret = seats[0].folder / "secret"
    kept = secret.read_bytes()
    secret.unlink()
    with pytest.raises(JournalError, match=r"secret of this game, .* is gone.* put it back"):
        seats[0].sit_down()
    assert not secret.exists(), "a new secret would contradict what was signed with the old one"
    secret.touch(0o600)
    secret.write_bytes(kept)
    again = seats[0].sit_down()
    assert again.restored == games[0].restored
    again.close()


@pytest.mark.parametrize("carried", [0, 1, 2, 3, 4, 6])
def test_with_another_secret_a_game_is_not_played_on(tmp_path: Path, carried: int) -> None:
    """From our first word on: also between the coins and the card keys."""
    seats = make_seats(tmp_path, 2)
    games = [seat.sit_down() for seat in seats]
    play(games, most=carried)
    for game in games:
        game.close()
    secret = seats[0].folder / "secret"
    kept = secret.read_bytes()
    secret.write_bytes((seats[1].folder / "secret").read_bytes())
    with pytest.raises(JournalError, match="is not the one this game was begun with"):
        seats[0].sit_down()
    secret.write_bytes(kept)
    seats[0].sit_down().close()


def test_a_journal_that_does_not_fit_its_game_is_not_played_on(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 2)
    games = [seat.sit_down() for seat in seats]
    play(games, most=6)
    records = [*games[0].messages(0)]
    games[0].close()
    (seats[0].folder / "journal").unlink()
    terms = seats[0].table().terms.encode()
    with Journal.open(seats[0].folder / "journal", terms, seats[0].identity.peer_id) as journal:
        for raw in (*records[:3], records[-1][:-1] + b"\x00"):
            journal.append(raw, durable=True)
    with pytest.raises(JournalError, match="its record 4 is not accepted any more"):
        seats[0].sit_down()


def test_one_game_is_never_open_twice(tmp_path: Path) -> None:
    (seat, _) = make_seats(tmp_path, 2)
    first = seat.sit_down()
    with pytest.raises(JournalError, match="in use by another p2pcoup process"):
        seat.sit_down()
    first.close()
    seat.sit_down().close()


def test_who_has_no_seat_is_told_which_peer_they_are(tmp_path: Path) -> None:
    identities = (identity_of(0), identity_of(1))
    stranger = SeatFiles(0, tmp_path, (identity_of(7), *identities), "node test")
    at_table = SeatFiles(0, tmp_path, identities, "node test").table().terms
    with pytest.raises(TermsError) as caught:
        SeatedGame(
            at_table, stranger.identity, tmp_path / "g", lambda *_: None, None, clock=lambda: 0.0
        )
    assert str(identity_of(7).peer_id) in str(caught.value)
    assert not (tmp_path / "g").exists()


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "home-0").write_text("in the way")
    seat = SeatFiles(0, tmp_path / "home-0", (identity_of(0), identity_of(1)), "node test")
    with pytest.raises(JournalError, match=r"folder .* cannot be made: "):
        seat.sit_down()


@pytest.mark.skipif(sys.platform == "win32", reason="limits on files are a POSIX matter")
def test_what_cannot_be_journaled_is_not_sent_and_the_game_goes_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    import resource

    seats = make_seats(tmp_path, 2)
    games = [seat.sit_down() for seat in seats]
    play(games, most=6)
    sent = games[0].messages(0)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = (seats[0].folder / "journal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, limits[1]))
    try:
        with pytest.raises(JournalError, match="cannot be written any more: File too large"):
            play(games)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    for game in games:
        game.close()
    before = [seat.journal() for seat in seats]
    assert before[0][: len(sent)] == tuple(sent)
    games = [seat.sit_down(luck=7) for seat in seats]
    play(games)
    for game in games:
        game.close()
    assert contradictions(*before, *(seat.journal() for seat in seats)) == []
    assert seats[0].transcript == seats[1].transcript


# --- false messages -------------------------------------------------------------------------------


def games_with_a_second_commitment_of_cedar(
    seats: list[SeatFiles],
) -> tuple[list[SeatedGame], bytes]:
    """Three games some rounds after the deal, and a message that Cedar must not have signed."""
    games = [seat.sit_down() for seat in seats]
    play(games, most=120)
    assert games[0].table.game.state is not None
    signed = (raw for raw in games[0].messages(0) if parse(raw).message.seat == 2)
    coin = next(raw for raw in signed if parse(raw).message.kind is Kind.COIN)
    return games, signed_otherwise(seats[2], coin)


def evidence(seat: SeatFiles) -> list[Path]:
    return sorted(seat.folder.glob("evidence-*"))


def test_a_false_message_leaves_evidence_for_anybody_and_is_passed_on_once(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3)
    games, false = games_with_a_second_commitment_of_cedar(seats)
    step = games[0].receive(false)
    (blame,) = (notice for notice in step.notices if isinstance(notice, Blame))
    assert evidence(seats[0]) == [games[0].evidence_file(blame)]
    assert games[0].evidence_file(blame).name == f"evidence-round-{blame.round}-seat-2"
    finding = verify_evidence_file(games[0].evidence_file(blame))
    assert (finding.name, finding.rule) == ("Cedar", "equivocation")
    assert step.fresh.count(false) == 1
    assert false in games[0].messages(0), "who was away needs it as well"
    for game in games:
        game.close()
    assert seats[0].journal().count(false) == 1


def test_a_false_message_that_comes_again_changes_nothing_on_disk(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3)
    games, false = games_with_a_second_commitment_of_cedar(seats)
    games[0].receive(false)
    (file,) = evidence(seats[0])
    file.write_bytes(b"as it was")
    assert false not in games[0].receive(false).fresh
    games[0].close()
    again = seats[0].sit_down()
    assert false not in again.receive(false).fresh
    assert false in again.messages(0)
    for game in (again, *games[1:]):
        game.close()
    assert file.read_bytes() == b"as it was"
    assert seats[0].journal().count(false) == 1


@pytest.mark.parametrize("restarted", [False, True])
def test_the_others_go_on_without_a_seat_that_one_of_them_has_caught(
    tmp_path: Path, restarted: bool
) -> None:
    seats = make_seats(tmp_path, 3)
    games, false = games_with_a_second_commitment_of_cedar(seats)
    games[0].receive(false)
    if restarted:
        games[0].close()
        games[0] = seats[0].sit_down()
    assert [game.caught for game in games[:2]] == [{2}, set()]
    play(games)
    assert [game.caught for game in games[:2]] == [{2}, {2}]
    for game in games:
        game.close()
    assert seats[0].transcript == seats[1].transcript
    report = audit(seats[0].transcript)
    assert report.verdict is Verdict.VALID
    assert [loss.seats for loss in report.losses] == [{2}]
    for seat in seats[:2]:  # Birch has it from Ash
        assert {verify_evidence_file(file).name for file in evidence(seat)} == {"Cedar"}


def test_evidence_that_cannot_be_kept_stops_the_game_with_a_sentence(tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3)
    games, false = games_with_a_second_commitment_of_cedar(seats)
    for game in games:
        game.close()
    for path in seats[0].folder.iterdir():
        path.unlink()
    seats[0].folder.rmdir()
    with pytest.raises(JournalError, match=r"evidence .* cannot be written: No such file"):
        games[0].receive(false)


def test_a_finished_game_still_answers_who_waits_for_our_word_on_a_closed_round(
    tmp_path: Path,
) -> None:
    seats = make_seats(tmp_path, 3)
    whole_game(seats)
    again = seats[0].sit_down()
    assert again.begin().fresh == []
    said = next(parse(raw) for raw in again.messages(1) if parse(raw).message.seat == 2)
    place = (said.message.game, said.message.round, 2, said.message.parent)
    question = sign(Message(*place, Kind.ABSENT, ("1:1",)), seats[2].identity)
    own = [parse(raw).message for raw in again.receive(question.raw).fresh]
    assert [(m.kind, m.body) for m in own if m.seat == 0] == [(Kind.ABSENT, ("1:",))]
    again.close()
    (again := seats[0].sit_down()).begin()  # and once only, after any restart
    assert [
        m for raw in again.receive(question.raw).fresh if (m := parse(raw).message).seat == 0
    ] == []
    again.close()
