"""What a linked peer may send, of anything and of junk, comes back slowly and is bounded."""

from p2pcoup.net.limits import JUNK_BURST, JUNK_PAUSE_SECONDS, JUNK_PER_SECOND, MAX_CREDITS
from p2pcoup.net.patience import Credits, Patience
from p2pcoup.wire.identity import PeerId

ASH, BIRCH = PeerId("ASH"), PeerId("BIRCH")


def tried(patience: Patience, peer: PeerId, now: float) -> int:
    """How much junk a peer can send at once until that is too much."""
    count = 0
    while not patience.reproach(peer, now):
        count += 1
    return count


def test_some_junk_is_borne_and_more_of_it_shuts_the_peer_out_for_a_while() -> None:
    patience = Patience()
    assert tried(patience, ASH, 100.0) == JUNK_BURST
    assert patience.is_over(ASH, 100.0)
    assert patience.is_over(ASH, 100.0 + JUNK_PAUSE_SECONDS - 0.01)
    assert not patience.is_over(ASH, 100.0 + JUNK_PAUSE_SECONDS)


def test_who_comes_back_has_no_new_credit_but_what_time_has_given() -> None:
    patience = Patience()
    tried(patience, ASH, 100.0)
    later = 100.0 + JUNK_PAUSE_SECONDS
    assert tried(patience, ASH, later) == int(JUNK_PAUSE_SECONDS * JUNK_PER_SECOND)
    assert patience.is_over(ASH, later)


def test_one_peer_s_junk_costs_no_other_peer_anything() -> None:
    patience = Patience()
    tried(patience, ASH, 0.0)
    assert not patience.is_over(BIRCH, 0.0)
    assert tried(patience, BIRCH, 0.0) == JUNK_BURST


def test_credits_are_kept_of_so_many_peers_and_the_quietest_is_forgotten() -> None:
    credits_ = Credits(burst=1.0, per_second=0.001)
    assert credits_.take(ASH, 0.0)
    assert not credits_.take(ASH, 0.0)
    for number in range(MAX_CREDITS):
        assert credits_.take(PeerId(f"peer {number}"), 0.0)
    assert len(credits_) == MAX_CREDITS
    assert credits_.take(ASH, 0.0), "it was forgotten"
