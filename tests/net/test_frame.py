import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.net.errors import FrameError
from p2pcoup.net.frame import Frame, FrameDecoder, FrameType, encode_frame
from p2pcoup.net.limits import MAX_FRAME_BYTES, MAX_PAYLOAD_BYTES


def _decode(data: bytes) -> list[Frame]:
    decoder = FrameDecoder()
    decoder.feed(data)
    return list(iter(decoder.next_frame, None))


def test_a_frame_has_these_bytes() -> None:
    assert encode_frame(Frame(FrameType.DATA, b"abc")) == b"\x00\x00\x00\x04\x00abc"
    assert encode_frame(Frame(FrameType.PONG, b"12345678")) == b"\x00\x00\x00\x09\x0212345678"


@given(
    st.lists(st.binary(max_size=50).map(lambda data: Frame(FrameType.DATA, data)), max_size=5),
    st.lists(st.integers(1, 30), min_size=1, max_size=20),
)
def test_frames_survive_any_cutting_of_the_stream(frames: list[Frame], cuts: list[int]) -> None:
    stream = b"".join(map(encode_frame, frames))
    decoder = FrameDecoder()
    received: list[Frame] = []
    position = turn = 0
    while position < len(stream):
        size = cuts[turn % len(cuts)]
        decoder.feed(stream[position : position + size])
        received += iter(decoder.next_frame, None)
        position += size
        turn += 1
    assert received == frames


def test_the_largest_frame_is_taken_and_one_byte_more_is_refused() -> None:
    largest = Frame(FrameType.DATA, b"x" * MAX_PAYLOAD_BYTES)
    assert _decode(encode_frame(largest)) == [largest]
    with pytest.raises(ValueError, match="65536 bytes cannot be sent"):
        encode_frame(Frame(FrameType.DATA, b"x" * (MAX_PAYLOAD_BYTES + 1)))
    with pytest.raises(FrameError, match="65537 bytes"):
        _decode((MAX_FRAME_BYTES + 1).to_bytes(4, "big"))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x00\x00\x00\x00", "0 bytes"),
        (b"\xff\xff\xff\xff", "4294967295 bytes"),
        (b"GET / HTTP", "1195725856 bytes"),
        (b"\x00\x00\x00\x01\x04", "unknown type 4"),
        (b"\x00\x00\xff\xff\xff", "unknown type 255"),
        (b"\x00\x00\x00\x08\x011234567", "a ping of 7 bytes"),
        (b"\x00\x00\xff\xff\x02", "a pong of 65534 bytes"),
    ],
)
def test_a_bad_frame_is_refused_as_soon_as_it_can_be_told(data: bytes, words: str) -> None:
    with pytest.raises(FrameError, match=words):
        _decode(data)


@given(st.binary(max_size=300))
def test_any_bytes_are_frames_or_a_frame_error(data: bytes) -> None:
    try:
        frames = _decode(data)
    except FrameError:
        return
    assert data.startswith(b"".join(map(encode_frame, frames)))
