from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcgauge.data.decimals import BEFORE, MOST_DIGITS, decimals


def read(texts: list[str]) -> list[float] | None:
    """The texts as a column of a file, with something before and behind each."""
    start, data = [], b"9" * BEFORE
    for text in texts:
        start.append(len(data))
        data += text.encode() + b" 8\n"
    data += b"7" * 8
    found = decimals(
        np.frombuffer(data, dtype=np.uint8),
        np.array(start, np.int64),
        np.array([len(each) for each in texts], np.int64),
    )
    return None if found is None else found.tolist()


@st.composite
def columns(draw: st.DrawFn) -> list[str]:
    """Texts of one number of decimals, of at most fifteen digits, as `printf` writes them."""
    places = draw(st.integers(0, 8))
    figures = st.integers(0, 10 ** min(8, MOST_DIGITS - places) - 1)
    texts = []
    for _ in range(draw(st.integers(1, 6))):
        whole = str(draw(figures)).zfill(draw(st.integers(1, min(8, MOST_DIGITS - places))))
        sign = draw(st.sampled_from(["", "", "-"]))
        behind = "." + str(draw(st.integers(0, 10**places - 1))).zfill(places) if places else ""
        texts.append(sign + whole + behind)
    return texts


@settings(max_examples=500, deadline=None)
@given(texts=columns())
def test_every_number_is_that_of_python_to_the_last_bit(texts: list[str]) -> None:
    found = read(texts)
    assert found is not None
    # repr tells -0.0 from 0.0.
    assert list(map(repr, found)) == [repr(float(text)) for text in texts]


@settings(max_examples=500, deadline=None)
@given(texts=st.lists(st.text("0123456789.-+e_ x/:", min_size=1, max_size=17), min_size=1, max_size=3))
def test_what_is_no_such_number_is_never_given_a_value(texts: list[str]) -> None:
    found = read(texts)
    if found is not None:
        assert found == [float(text) for text in texts]
        assert not any("_" in text or "e" in text for text in texts)


@pytest.mark.parametrize(
    "texts",
    [["1.5", "1.25"], ["1", "1.0"], ["."], ["-"], ["-.5"], [".5"], ["5."], ["1e5"], ["1:2"], ["1/2"], ["123456789"],
     ["1.123456789"], ["12345678.12345678"], ["--1"], ["+1"], ["1_0"], ["\xb2"], ["1.5", "1,5"]],
)  # fmt: skip
def test_other_forms_are_for_another_reader(texts: list[str]) -> None:
    assert read(texts) is None


def test_no_number_is_no_number() -> None:
    assert read([]) == []
