"""Plain values: what inputs take and what results are."""

from __future__ import annotations

import array
import ctypes
import decimal
import time
from collections import deque
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import halfgate as hg
from halfgate import errors
from halfgate.values import decode, encode


#: The error about a null in the second place.
NULL = r"x\[1\] is missing \(null\).*: drop or replace"


def same(of: Any, value: Any) -> Any:
    """The result of a program that returns its input."""
    return hg.function(lambda x: x, garbler={"x": of}).compile().clear(x=value)


def test_fixed_point_is_exact_at_any_width() -> None:
    for of in (hg.fixed(54, 20), hg.ufixed(53, 53), hg.fixed(8, 8)):
        low, high = (limit / (1 << of.fraction) for limit in of.limits)
        got = same(of[2], [low, high])
        assert got.dtype == np.float64 and got.tolist() == [low, high]
    for of in (hg.fixed(55, 20), hg.ufixed(54, 0), hg.fixed(64, 32), hg.ufixed(128, 64)):
        limits = [Fraction(limit, 1 << of.fraction) for limit in of.limits]
        got = same(of[2], limits)
        assert got.dtype == object and got.tolist() == limits
        assert same(of[2], got).tolist() == limits
        one = same(of, limits[1])
        assert isinstance(one, Fraction) and one == limits[1]
        assert got.astype(float)[1] == float(limits[1])


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_what_is_decoded_encodes_to_the_same_bits(data: Any) -> None:
    width = data.draw(st.integers(2, 128))
    of = data.draw(st.sampled_from([hg.fixed, hg.ufixed]))(width, data.draw(st.integers(0, width)))
    low, high = of.limits
    numbers = data.draw(st.lists(st.integers(low, high), min_size=1, max_size=5))
    exact = [Fraction(number, 1 << of.fraction) for number in numbers]
    values = decode(of[len(numbers)], _packed(of, numbers))
    assert [Fraction(value) for value in values.tolist()] == exact
    for again in (values, exact, values.tolist()):
        assert encode(of[len(numbers)], again, "x") == encode(of[len(numbers)], exact, "x")
    assert decode(of[len(numbers)], _packed(of, numbers)).tolist() == values.tolist()


def _packed(of: hg.DType, numbers: list[int]) -> bytes:
    elements = [number % (1 << of.width) for number in numbers]
    bits = sum(element << (place * of.width) for place, element in enumerate(elements))
    return bits.to_bytes((of.width * len(numbers) + 7) // 8, "little")


def test_fixed_point_takes_fractions_and_decimals() -> None:
    third, tenth = Fraction(1, 3), decimal.Decimal("0.1")
    assert same(hg.fixed(16, 4)[2], [third, tenth]).tolist() == [5 / 16, 2 / 16]
    assert same(hg.fixed(16, 4)[3], [Fraction(1, 32), Fraction(3, 32), 2]).tolist() == [0, 1 / 8, 2]
    assert same(hg.fixed(128, 100), third) == Fraction(round(third * 2**100), 2**100)
    wide = np.longdouble(1) / 3
    exact = Fraction(*wide.as_integer_ratio())
    assert same(hg.fixed(128, 100), wide) == Fraction(round(exact * 2**100), 2**100)
    for bad in (Fraction(10**9), decimal.Decimal("NaN"), decimal.Decimal("Infinity")):
        with pytest.raises(errors.RangeError, match=r"x\[1\] is .*: hg.fixed\(16, 4\) is from"):
            same(hg.fixed(16, 4)[2], [third, bad])


def test_fractions_are_operands_of_fixed_point() -> None:
    many = np.array([Fraction(1, 4), Fraction(-3, 2)])
    f = hg.function(
        lambda x: (x + Fraction(1, 2), many * x, x > many[0], hg.where(x > 1, x, many)),
        garbler={"x": hg.fixed(64, 32)[2]},
    )
    total, product, above, chosen = f.compile().clear(x=[2, Fraction(1, 2)])
    assert total.tolist() == [2.5, 1] and product.tolist() == [0.5, -0.75]
    assert above.tolist() == [True, True] and chosen.tolist() == [2, -1.5]
    for of in (hg.u8, hg.f64):
        with pytest.raises(errors.DTypeError, match=r"test_values.py:\d+: a fraction or decimal"):
            hg.function(lambda x: x + Fraction(1, 2), garbler={"x": of}).compile()


def test_buffers_are_arrays_of_their_format() -> None:
    numbers = np.array([[1, 2], [3, 2**31]], dtype=np.uint32)
    for view in (memoryview(numbers), memoryview(numbers.astype(">u4"))):
        assert same(hg.u32[2, 2], view).tolist() == numbers.tolist()
    assert same(hg.u32[2], memoryview(numbers.ravel())[::2]).tolist() == [1, 3]
    assert same(hg.u32, memoryview(np.array(7, dtype=np.uint32))) == 7
    assert same(hg.f64[2], memoryview(np.array([0.5, -2]))).tolist() == [0.5, -2]
    assert same(hg.bool_[2], memoryview(np.array([True, False]))).tolist() == [True, False]
    assert same(hg.u32[3], memoryview(b"abc")).tolist() == [97, 98, 99]
    assert same(hg.u8[3], memoryview(b"abc").cast("c")).tolist() == [97, 98, 99]
    assert same(hg.i64[3], array.array("h", [1, -2, 3])).tolist() == [1, -2, 3]
    assert same(hg.f32[2], array.array("d", [1, 0.25])).tolist() == [1, 0.25]
    assert same(hg.u16[2], (ctypes.c_uint16 * 2)(1, 65535)).tolist() == [1, 65535]
    with pytest.raises(errors.RangeError, match=r"x\[1, 1\] is 2147483648: hg.u8 is from 0 to 255"):
        same(hg.u8[2, 2], memoryview(numbers))
    with pytest.raises(errors.ShapeError, match=r"x has shape \(2, 2\)"):
        same(hg.u32[4], memoryview(numbers))
    with pytest.raises(errors.DTypeError, match="x is a memoryview of format .*: give one of"):
        same(hg.u32[1], memoryview(np.zeros(1, dtype="u4,u4")))
    for raw in (b"abc", bytearray(b"abc")):
        with pytest.raises(errors.DTypeError, match="only an array of hg.u8"):
            same(hg.u32[3], raw)


def test_a_port_without_a_type_takes_a_view_of_bytes(tmp_path: Any) -> None:
    file = tmp_path / "and.txt"
    gates = "".join(f"2 1 {i} {i + 8} {i + 16} AND\n" for i in range(8))
    file.write_text(f"8 24\n2 8 8\n1 8\n\n{gates}")
    both = hg.circuit(file)
    names = [port.name for port in both.inputs]
    for value in (b"\x0f", memoryview(b"\x0f"), 15, [1, 1, 1, 1, 0, 0, 0, 0]):
        assert both.clear(**{names[0]: value, names[1]: 0x3C}) == 0x0C


def test_columns_of_arrow() -> None:
    arrow = pytest.importorskip("pyarrow")
    numbers = [1, 2, 2**31]
    for column in (
        arrow.array(numbers),
        arrow.array(numbers, type=arrow.uint32()),
        arrow.chunked_array([numbers[:1], numbers[1:]]),
        arrow.table({"a": numbers})["a"],
        arrow.array(numbers).dictionary_encode(),
    ):
        assert same(hg.u32[3], column).tolist() == numbers
    assert same(hg.bool_[2], arrow.array([True, False])).tolist() == [True, False]
    assert same(hg.f64[2], arrow.array([1.5, 2])).tolist() == [1.5, 2]
    decimals = arrow.array([decimal.Decimal("1.5"), decimal.Decimal("-2.25")])
    assert same(hg.fixed(32, 8)[2], decimals).tolist() == [1.5, -2.25]
    with pytest.raises(errors.RangeError, match=r"x\[2\] is 2147483648"):
        same(hg.u16[3], arrow.array(numbers))
    with pytest.raises(errors.DTypeError, match=r"x\[0\] is 'a'"):
        same(hg.u16[1], arrow.array(["a"]))


def test_nulls_of_arrow_are_named() -> None:
    arrow = pytest.importorskip("pyarrow")
    for of, column in (
        (hg.u32, arrow.array([1, None, 3])),
        (hg.u32, arrow.chunked_array([[1], [None, 3]])),
        (hg.bool_, arrow.array([True, None, True])),
        (hg.f64, arrow.array([1.5, None, 2.5])),
    ):
        with pytest.raises(errors.DTypeError, match=NULL):
            same(of[3], column)
    with pytest.raises(errors.DTypeError, match=r"test_values.py:\d+.*\[1\] is missing \(null\)"):
        hg.function(lambda x: x + arrow.array([1, None]), garbler={"x": hg.u32[2]}).compile()


def test_missing_values_of_nullable_columns_are_named() -> None:
    pandas = pytest.importorskip("pandas")
    names = ["Int64", "Float64", "boolean"]
    try:
        import pyarrow  # noqa: F401

        names += ["int64[pyarrow]", "double[pyarrow]", "bool[pyarrow]"]
    except ImportError:
        pass
    for name in names:
        kind = name.lower()
        of = hg.bool_ if "bool" in kind else hg.u32 if "int" in kind else hg.f64
        column = pandas.Series([1, None, 0], dtype=name)
        with pytest.raises(errors.DTypeError, match=NULL):
            same(of[3], column)
        one = True if of == hg.bool_ else 1
        assert same(of[3], column.fillna(one)).tolist() == [1, 1, 0]


def missing(of: Any, value: Any, place: str, word: str = "null") -> None:
    """Checks that an input and an operand of this value are refused by the name of the element."""
    expected = rf"\[{place}\] is missing \({word}\).*: drop or replace"
    with pytest.raises(errors.DTypeError, match="^x" + expected):
        same(of, value)
    with pytest.raises(errors.DTypeError, match=r"test_values.py:\d+: a public operand" + expected):
        hg.function(lambda x: x + value, garbler={"x": of}).compile()


def test_masks_in_lists_are_seen() -> None:
    m = np.ma.array([1, 2], mask=[0, 1])
    missing(hg.u8[2, 2], [m, [3, 4]], "0, 1", "masked")
    missing(hg.u8[2, 2], ([3, 4], m), "1, 1", "masked")
    missing(hg.u8[1, 2, 2], [[np.array([3, 4]), m]], "0, 1, 1", "masked")
    missing(hg.u8[2, 2], deque([m, m]), "0, 1", "masked")
    missing(hg.f64[2], [1.0, np.ma.masked], "1", "masked")
    missing(hg.u8[2], [1, np.ma.array(2, mask=True)], "1", "masked")
    assert same(hg.u8[2, 2], [np.ma.array([1, 2]), [3, 4]]).tolist() == [[1, 2], [3, 4]]
    objects = np.array([1.0, None], dtype=object)
    objects[1] = np.ma.masked
    with pytest.raises(errors.DTypeError, match=r"x\[1\] is missing"):
        same(hg.f64[2], objects)


def test_plain_sequences_are_arrays() -> None:
    for value in ([[1, 2], (3, 4)], deque([[1, 2], [3, 4]]), [range(1, 3), array.array("b", [3, 4])]):
        assert same(hg.u8[2, 2], value).tolist() == [[1, 2], [3, 4]]
    assert same(hg.f64[3], [1, np.float32(0.5), np.nan]).tolist()[:2] == [1, 0.5]
    for ragged in ([[1], [1, 2]], [1, [2, 3]]):
        with pytest.raises(errors.ShapeError, match="x is not an array: its rows have different"):
            same(hg.u8[2], ragged)
        with pytest.raises(errors.ShapeError, match="a public operand is not an array: its rows"):
            hg.function(lambda x: x + ragged, garbler={"x": hg.u8[2]}).compile()
    itself: list[Any] = [1]
    itself[0] = itself
    with pytest.raises(errors.HalfgateError):
        same(hg.u8[1], itself)


def test_nulls_in_tables_dictionaries_and_runs_of_arrow_are_named() -> None:
    arrow = pytest.importorskip("pyarrow")
    column = arrow.array([1.0, None])
    missing(hg.f64[1, 2], (column,), "0, 1")
    missing(hg.f64[2, 2], [[1, 2], arrow.chunked_array([[1.0], [None]])], "1, 1")
    dictionary = arrow.DictionaryArray.from_arrays(arrow.array([0, 1]), column)
    runs = arrow.RunEndEncodedArray.from_arrays([1, 2], column)
    for of in (dictionary, runs):
        missing(hg.f64[2], of, "1")
        missing(hg.f64[4], arrow.chunked_array([of.slice(0, 1), of, of.slice(0, 1)]), "2")
        assert same(hg.f64[1], of.slice(0, 1)).tolist() == [1]
    table = arrow.table({"a": [1.0, 2.0], "b": column})
    for part in (table, table.to_batches()[0]):
        missing(hg.f64[2, 2], part, "1, 1")
        missing(hg.f64[1, 2, 2], [part], "0, 1, 1")
    assert same(hg.f64[2, 1], table.select(["a"])).tolist() == [[1], [2]]


def test_missing_values_in_frames_are_named() -> None:
    pandas = pytest.importorskip("pandas")
    nullable = pandas.Series([1.0, None], dtype="Float64")
    missing(hg.f64[1, 2], [nullable], "0, 1")
    for other in (nullable.fillna(2), pandas.Series([1.0, np.nan])):
        missing(hg.f64[2, 2], pandas.DataFrame({"_mask": other, "get_columns": nullable}), "1, 1")
    missing(hg.f64[2], pandas.Series([1.0, None], dtype="category"), "1")
    missing(hg.f64[2], pandas.array([1.0, None], dtype="Float64"), "1")
    missing(hg.f64[2], pandas.Index([1.0, None], dtype="Float64"), "1")
    # A NaN of floats that are not nullable is a value.
    assert np.isnan(same(hg.f64[2, 1], pandas.DataFrame({"a": [1.0, np.nan]}))).tolist() == [
        [False],
        [True],
    ]
    arrow = pytest.importorskip("pyarrow")
    dictionary = arrow.DictionaryArray.from_arrays(arrow.array([0, 1]), arrow.array([1.0, None]))
    missing(hg.f64[2], pandas.Series(pandas.arrays.ArrowExtensionArray(dictionary)), "1")


def test_nulls_of_polars_are_named() -> None:
    polars = pytest.importorskip("polars")
    missing(hg.f64[2], polars.Series([1.0, None]), "1")
    missing(hg.f64[2, 2], polars.DataFrame({"a": [1.0, 2.0], "b": [1.0, None]}), "1, 1")
    assert same(hg.f64[2], polars.Series([1.0, 2.0])).tolist() == [1, 2]


@pytest.mark.skipif(np.finfo(np.longdouble).nmant <= 52, reason="long doubles are doubles here")
def test_long_doubles_are_rounded_once() -> None:
    # Rounded to 53 bits first, these would be ties.
    for of, value in ((hg.fixed(32, 0), 2.5), (hg.fixed(64, 8), 1 + 2**-9), (hg.ufixed(8, 8), 0)):
        tie = np.longdouble(value) or np.longdouble(0.5) / 256
        above, below = np.nextafter(tie, np.longdouble(9)), np.nextafter(tie, np.longdouble(-9))
        for number in (above, below, tie):
            exact = round(Fraction(*number.as_integer_ratio()) * 2**of.fraction)
            assert same(of, number) == exact / 2**of.fraction
            assert same(of[1], [number]).tolist() == [exact / 2**of.fraction]
    for of, most in ((hg.f64, "1.79"), (hg.f32, "3.4")):
        with pytest.raises(errors.RangeError, match=rf"x is 1e\+400: {of!r} is at most {most}"):
            same(of, np.longdouble("1e400"))


def test_decimals_of_large_exponents_are_quick() -> None:
    start = time.monotonic()
    for text in ("1e-30000000", "-1e-30000000", "0e30000000", "0e-30000000"):
        assert same(hg.fixed(16, 4), decimal.Decimal(text)) == 0
    with pytest.raises(errors.RangeError, match=r"x is 1E\+30000000: hg.fixed\(16, 4\) is from"):
        same(hg.fixed(16, 4), decimal.Decimal("1e30000000"))
    # Just above a tie, at it and just below it.
    tiny = decimal.Context(prec=10**6, Emin=decimal.MIN_EMIN).power(10, -300_000)
    context = decimal.Context(prec=400_000)
    for tie in (decimal.Decimal("2.5"), decimal.Decimal("-2.5")):
        parts = [context.subtract(tie, tiny), tie, context.add(tie, tiny)]
        assert same(hg.fixed(16, 0)[3], parts).tolist() == (
            [2, 2, 3] if tie > 0 else [-3, -2, -2]
        )
    assert time.monotonic() - start < 5


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_decimals_are_rounded_exactly(data: Any) -> None:
    fraction = data.draw(st.integers(0, 128))
    odd = data.draw(st.integers(-(2**20), 2**20))
    context = decimal.Context(prec=500)
    tie = context.divide(decimal.Decimal(odd), decimal.Decimal(2 ** (fraction + 1)))
    away = decimal.Decimal((data.draw(st.integers(0, 1)), (1,), -data.draw(st.integers(100, 400))))
    number = context.add(tie, away)
    of = hg.fixed(128, min(fraction, 105))[1]
    assert encode(of, [number], "x") == encode(of, [Fraction(number)], "x")


def test_numbers_of_thousands_of_digits_are_out_of_range() -> None:
    huge = 10**5000
    for of in (hg.u8, hg.uN(128), hg.bool_, hg.fixed(16, 4), hg.f64):
        with pytest.raises(errors.RangeError, match=r"x(\[1\])? (is|has) an integer"):
            same(of, huge)
        with pytest.raises(errors.RangeError, match=r"x(\[1\])? (is|has) an integer"):
            same(of[2], [1, -huge])
    for operand in (huge, -huge, np.array([huge, 1], dtype=object)):
        for of in (hg.u8, hg.fixed(16, 4), hg.f64):
            with pytest.raises((errors.RangeError, errors.DTypeError)):
                hg.function(lambda x: x + operand, garbler={"x": of[2]}).compile()
    for part in (Fraction(huge, 3), Fraction(huge + 1, huge) * 10**9):
        with pytest.raises(errors.RangeError, match="x is a fraction of integers of"):
            same(hg.fixed(16, 4), part)
        with pytest.raises(errors.DTypeError, match="x is a fraction of integers of"):
            same(hg.u8, part)
        with pytest.raises(errors.RangeError, match="a public operand is a fraction"):
            hg.function(lambda x: x + part, garbler={"x": hg.fixed(16, 4)}).compile()
    with pytest.raises(errors.DTypeError, match=r"x is of type list|x\[.*"):
        same(hg.u8, np.array([[huge], None], dtype=object)[:1].reshape(()))
    assert same(hg.fixed(16, 4), Fraction(1, huge)) == 0
    with pytest.raises(errors.DTypeError, match="the exponent an integer"):
        hg.function(lambda x: x**-huge, garbler={"x": hg.u8}).compile()
    with pytest.raises(errors.DTypeError, match=r"hg.uN\(an integer of 16610 bits\): give"):
        hg.uN(huge)


def test_views_of_characters_keep_their_shape() -> None:
    view = memoryview(b"abcd").cast("c")
    assert same(hg.u8[2], view[::2]).tolist() == [97, 99]
    assert same(hg.u8[2, 2], memoryview(b"abcd").cast("c", (2, 2))).tolist() == [[97, 98], [99, 100]]
    view.release()
    with pytest.raises(errors.DTypeError, match="x is a memoryview that was released"):
        same(hg.u8[4], view)
    with pytest.raises(errors.DTypeError, match="a public operand is a memoryview that was"):
        hg.function(lambda x: x + view, garbler={"x": hg.u8[4]}).compile()


def test_axes_are_whole_numbers() -> None:
    for axis in (1.0, True, np.bool_(True), "a", [0], (0, 1.0)):
        for name in ("sum", "cumsum", "argmax", "mean"):
            with pytest.raises(errors.ShapeError, match=r"test_values.py:\d+: (the )?axis"):
                hg.function(
                    lambda x: getattr(x, name)(axis=axis), garbler={"x": hg.u8[2, 2]}
                ).compile()
    f = hg.function(lambda x: x.cumsum(axis=np.int64(1)), garbler={"x": hg.u8[1, 2]})
    assert f.compile().clear(x=[[1, 2]]).tolist() == [[1, 3]]


def test_preprocessing_refuses_wrong_paths_and_passphrases() -> None:
    assert hg.Preprocessing(b"x", passphrase=b"\xff").path == "x"
    wrong: list[dict[str, Any]] = [
        {"path": 5}, {"path": "a\0"}, {"key": 5}, {"key": "a\0"}, {"ledger": 5}, {"passphrase": 5},
    ]
    for options in wrong:
        with pytest.raises(errors.OptionError):
            hg.Preprocessing(**{"path": "x", **options})
    with pytest.raises(errors.OptionError) as caught:
        hg.Preprocessing("x", passphrase="secret\ud800")
    assert caught.value.__context__ is None and "secret" not in str(caught.value)
