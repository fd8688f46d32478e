"""Errors: one exception each, which names the place and says what to do."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import halfgate as hg
from halfgate import errors


def program(f: Any, **inputs: Any) -> Any:
    return hg.function(f, garbler=inputs).compile()


def test_branches_name_the_line_and_the_remedy() -> None:
    def branch(x: Any) -> Any:
        if x > 3:
            return x
        return x + 1

    def loop(x: Any) -> Any:
        while x < 3:
            x = x + 1
        return x

    for f in (branch, loop):
        with pytest.raises(errors.BranchError, match=r"test_errors.py:\d+.*hg.where"):
            program(f, x=hg.u8)
    uses = [
        lambda x: 3 if x and True else x,
        lambda x: range(x),
        lambda x: [1, 2, 3][x],
        lambda x: int(x),
        lambda x: 3 in x[None],
    ]
    for use in uses:
        with pytest.raises(errors.BranchError, match=r"test_errors.py:\d+"):
            program(use, x=hg.u8)
    with pytest.raises(errors.BranchError, match=r"hg.take\(table, x\)"):
        program(lambda x: [5, 6, 7][x], x=hg.u8)


def test_operations_that_do_not_exist_have_advice() -> None:
    public = np.array([5, 6, 7])
    pairs: list[tuple[Any, str]] = [
        (lambda x: np.cumprod(x), "hg.fold with outputs=True"),
        (lambda x: x.cumprod(), "hg.fold with outputs=True"),
        (lambda x: np.add.accumulate(x), "hg.cumsum sums, and hg.fold with outputs=True"),
        (lambda x: np.median(x), "hg.sort"),
        (lambda x: np.percentile(x, 50), "hg.sort"),
        (lambda x: np.bincount(x), r"\(x == k\).sum\(\)"),
        (lambda x: np.nonzero(x), "hg.where"),
        (lambda x: np.exp(x), r"hg.take\(table, x\)"),
        (lambda x: np.arcsin(x), "docs/python.md"),
        (lambda x: np.array([x[0], x[1]]), r"hg.stack\(\[x, y\]\)"),
        (lambda x: np.full(3, x), "hg.stack"),
        (lambda x: np.array([5, 6, 7])[x], r"hg.take\(table, x\)"),
        (lambda x: {5: 6}[x], "hg.take"),
        (lambda x: {x}, "hg.take"),
        (lambda x: f"{x:.2f}", "needs a number"),
        (lambda x: np.sum(x, dtype=np.int64, out=public), "not with these arguments"),
        (lambda x: np.add(x, 1, where=True), "not with these arguments"),
        (lambda x: np.add(public, x, out=public), "a = a \\+ x"),
        (lambda x: x.tolist(), "return it as a result"),
        (lambda x: round(x), "hg.rint"),
        (lambda x: x.round(2), "hg.rint"),
        (lambda x: x.clip(1, 2), r"write hg.clip\(x, ...\)"),
        (lambda x: x.take([1]), r"write hg.take\(x, ...\)"),
        (lambda x: x.nothing, "docs/python.md"),
        (lambda x: 2**x, "1 << x"),
        (lambda x: np.array([1, 2, 4]) ** x, "1 << x"),
    ]
    for use, advice in pairs:
        with pytest.raises(errors.UnsupportedError, match=rf"test_errors.py:\d+: .*{advice}"):
            program(use, x=hg.u8[3])

    def adds(x: Any) -> Any:
        total = np.zeros(3)
        total += x
        return total

    with pytest.raises(errors.UnsupportedError, match="instead of `a \\+= x`"):
        program(adds, x=hg.f64[3])
    assert program(lambda x: x + hasattr(x, "tolist"), x=hg.u8).clear(x=1) == 1


@hg.function(
    garbler={"x": hg.u8},
    evaluator={"y": hg.u8},
)
def branches(x: Any, y: Any) -> Any:
    return x if y else x + 1


def test_inputs_are_named() -> None:
    number = branches.f.__code__.co_firstlineno + 4
    text = rf"the secret that is the input y of branches, test_errors.py:{number}\. "
    with pytest.raises(errors.BranchError, match=text):
        branches.compile()
    with pytest.raises(errors.BranchError, match=r"input x of <lambda>, test_errors.py:\d+ has"):
        program(lambda x: int(x), x=hg.u8)
    with pytest.raises(errors.BranchError, match=r"secret made at test_errors.py:\d+ has"):
        program(lambda x: int(x + 1), x=hg.u8)


def test_secrets_stay_in_their_function() -> None:
    kept: list[Any] = []
    program(lambda x: kept.append(x) or x, x=hg.u8)
    with pytest.raises(errors.EscapeError, match="after the function was traced"):
        kept[0] + 1
    with pytest.raises(errors.EscapeError, match="pass secrets as arguments"):
        program(lambda x: x + kept[0], x=hg.u8)

    def outer(x: Any) -> Any:
        return hg.function(lambda y: y + x)(x)

    with pytest.raises(errors.EscapeError):
        program(outer, x=hg.u8)


def test_recursion_is_refused() -> None:
    @hg.function
    def again(x: Any) -> Any:
        return again(x + 1)

    with pytest.raises(errors.RecursiveFunctionError, match="hg.fold"):
        program(lambda x: again(x), x=hg.u8)

    def plain(x: Any) -> Any:
        return plain(x + 1)

    with pytest.raises(errors.RecursiveFunctionError):
        program(plain, x=hg.u8)


def test_types_and_shapes() -> None:
    refused: list[tuple[Any, dict[str, Any], type[Exception]]] = [
        (lambda x, y: x + y, {"x": hg.u64, "y": hg.i64}, errors.DTypeError),
        (lambda x, y: x + y, {"x": hg.fixed(8, 4), "y": hg.u8}, errors.DTypeError),
        (lambda x, y: x - y, {"x": hg.bool_, "y": hg.bool_}, errors.DTypeError),
        (lambda x, y: x & y, {"x": hg.f32, "y": hg.f32}, errors.DTypeError),
        (lambda x, y: x // y, {"x": hg.f32, "y": hg.f32}, errors.DTypeError),
        (lambda x, y: x + y, {"x": hg.u8[3], "y": hg.u8[4]}, errors.ShapeError),
        (lambda x, y: x @ y, {"x": hg.u8[3], "y": hg.u8[4]}, errors.ShapeError),
        (lambda x, y: x[5] + y, {"x": hg.u8[3], "y": hg.u8}, errors.ShapeError),
        (lambda x, y: x[3:] + y, {"x": hg.u8[3], "y": hg.u8}, errors.ShapeError),
        (lambda x, y: x.reshape(2, 2) + y, {"x": hg.u8[3], "y": hg.u8}, errors.ShapeError),
        (lambda x, y: x.sum(axis=1) + y, {"x": hg.u8[3], "y": hg.u8}, errors.ShapeError),
        (lambda x, y: hg.concatenate([x, y]), {"x": hg.u8[3], "y": hg.u8}, errors.ShapeError),
        (lambda x, y: x << y, {"x": hg.u8, "y": hg.i8}, errors.DTypeError),
        (lambda x, y: x[y > 1], {"x": hg.u8[3], "y": hg.u8[3]}, errors.DTypeError),
        (lambda x, y: x + y + 300, {"x": hg.u8, "y": hg.u8}, errors.RangeError),
        (lambda x, y: x << -1, {"x": hg.u8, "y": hg.u8}, errors.RangeError),
        (lambda x, y: x ** y, {"x": hg.u8, "y": hg.u8}, errors.DTypeError),
        (lambda x, y: x + "3", {"x": hg.u8, "y": hg.u8}, errors.DTypeError),
        (lambda x, y: None, {"x": hg.u8, "y": hg.u8}, errors.DTypeError),
        (lambda x, y: hg.topk(x, 9), {"x": hg.u8[3], "y": hg.u8}, errors.ShapeError),
    ]
    for f, inputs, error in refused:
        with pytest.raises(error):
            program(f, **inputs)
    for make in (lambda: hg.uN(0), lambda: hg.iN(129), lambda: hg.fixed(8, 9)):
        with pytest.raises(errors.DTypeError):
            make()
    with pytest.raises(errors.ShapeError):
        hg.u8[0]
    with pytest.raises(errors.ShapeError, match="2\\*\\*30"):
        program(lambda x: x, x=hg.u64[2**25])
    with pytest.raises(errors.DTypeError, match="hg.where"):

        def assign(x: Any) -> Any:
            x[0] = 1
            return x

        program(assign, x=hg.u8[3])


def test_values_name_the_argument_and_the_element() -> None:
    p = program(lambda x, y: (x, y), x=hg.u8[2, 2], y=hg.fixed(8, 4))
    good = {"x": [[1, 2], [3, 4]], "y": 1.5}
    cases: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"x": [[1, 2], [3, 256]]}, errors.RangeError, r"x\[1, 1\] is 256: hg.u8 is from 0 to 255"),
        ({"x": [[1, 2], [-1, 4]]}, errors.RangeError, r"x\[1, 0\] is -1"),
        ({"x": [[1, 2], [3, 2**70]]}, errors.RangeError, r"x\[1, 1\]"),
        ({"x": [1, 2, 3, 4]}, errors.ShapeError, r"x has shape \(4,\)"),
        ({"x": [[1, 2], [3]]}, errors.ShapeError, "different lengths"),
        ({"x": [[1.0, 2], [3, 4]]}, errors.DTypeError, "takes integers"),
        ({"x": "text"}, errors.DTypeError, "string"),
        ({"x": [[1, "2"], [3, 4]]}, errors.DTypeError, "takes numbers"),
        ({"x": [[1, (2,)], [3, 4]]}, errors.ShapeError, "different lengths"),
        ({"x": [[1, None], [3, 4]]}, errors.DTypeError, r"x\[0, 1\] is missing \(None\)"),
        ({"x": [[1, 2], [3, np.nan]]}, errors.DTypeError, r"x\[1, 1\] is missing \(nan\)"),
        ({"y": None}, errors.DTypeError, r"y is missing \(None\)"),
        ({"y": object()}, errors.DTypeError, r"y is <object"),
        ({"y": 8}, errors.RangeError, r"y is 8: .* from -8.0 to 7.9375"),
        ({"y": float("nan")}, errors.RangeError, "y is nan"),
        ({"z": 8}, errors.ArgumentError, "z: not an input; the inputs are x, y"),
    ]
    for change, error, text in cases:
        with pytest.raises(error, match=text):
            p.run(**{**good, **change})
    with pytest.raises(errors.ArgumentError, match="give a value for y"):
        p.run(x=good["x"])
    x, y = p.run(**good)
    assert x.tolist() == good["x"] and y == 1.5


def test_values_have_names() -> None:
    f = hg.function(lambda x, y: x + y, garbler={"x": hg.u8}, evaluator={"y": hg.u8})
    for call in (f.run, f.compile().run, f.compile().clear):
        with pytest.raises(errors.ArgumentError, match=r"(run|clear)\(x=..., y=...\)"):
            call(1, 2)


def test_results_are_not_nested() -> None:
    nested: list[Any] = [lambda x: {"x": x, "y": [x, x]}, lambda x: (x, (x,)), lambda x: [{"x": x}]]
    for f in nested:
        with pytest.raises(errors.DTypeError, match="results are not nested"):
            program(f, x=hg.u8)


def test_missing_values_of_columns_are_named() -> None:
    pandas = pytest.importorskip("pandas")
    columns: list[tuple[Any, list[Any], str]] = [
        (hg.u32, [1, None], "float64"),
        (hg.u32, [1, None], "Int64"),
        (hg.uN(128), [1, None], "object"),
        (hg.bool_, [True, None], "boolean"),
        (hg.fixed(16, 4), [1.5, None], "object"),
    ]
    for of, values, dtype in columns:
        column = pandas.Series(values, dtype=dtype)
        with pytest.raises(errors.DTypeError, match=r"x\[1\] is missing \(.*: drop or replace"):
            program(lambda x: x, x=of[2]).run(x=column)
        filled = column.fillna(type(values[0])(1)).astype("int64" if dtype == "float64" else dtype)
        got = program(lambda x: x, x=of[2]).run(x=filled)
        assert got.tolist() == [values[0], 1]
    with pytest.raises(errors.RangeError, match="x is 1180591620717411303424: a boolean"):
        program(lambda x: x, x=hg.bool_).run(x=2**70)
    assert np.isnan(program(lambda x: x, x=hg.f64[1]).run(x=pandas.Series([np.nan]))).all()


def test_signatures() -> None:
    def f(x: Any, y: Any) -> Any:
        return x + y

    bad: list[dict[str, Any]] = [
        {"garbler": {"x": hg.u8}},
        {"garbler": {"x": hg.u8}, "evaluator": {"x": hg.u8, "y": hg.u8}},
        {"garbler": {"x": hg.u8}, "evaluator": {"y": hg.u8, "z": hg.u8}},
        {"garbler": {}},
    ]
    for inputs in bad:
        with pytest.raises(errors.ArgumentError):
            hg.function(f, **inputs)
    with pytest.raises(errors.DTypeError):
        hg.function(f, garbler={"x": 3}, evaluator={"y": hg.u8})
    with pytest.raises(errors.ArgumentError, match="no program"):
        hg.function(f).compile()
    for learn in ("bob", ["bob"], {"output": "bob"}, None, 3, {"output": 3}):
        with pytest.raises(errors.OptionError, match="not one of garbler, evaluator, both, none"):
            hg.function(f, garbler={"x": hg.u8, "y": hg.u8}, learn=learn)  # type: ignore[arg-type]
    with pytest.raises(errors.OptionError, match="give learn to the program that calls it"):
        hg.function(f, learn="garbler")
    unnamed = hg.function(f, garbler={"x": hg.u8, "y": hg.u8}, learn={"sum": "both"})
    with pytest.raises(errors.OptionError, match="there is one, without a name"):
        unnamed.compile()
    with pytest.raises(errors.OptionError, match="threads"):
        program(lambda x: x, x=hg.u8).run(x=1, options={"threads": 0})
    with pytest.raises(errors.OptionError, match="speed"):
        program(lambda x: x, x=hg.u8).run(x=1, options={"speed": 3})


def test_what_is_no_plain_function_is_refused() -> None:
    async def later(x: Any) -> Any:
        return x

    async def many_later(x: Any) -> Any:
        yield x

    def many(x: Any) -> Any:
        yield x

    def keywords(**inputs: Any) -> Any:
        return inputs

    def rest(x: Any, *others: Any) -> Any:
        return x

    class Thing:
        def method(self, x: Any) -> Any:
            return x

    refused: list[tuple[Any, str]] = [
        (later, "later is async: .*remove async"),
        (many_later, "many_later is async"),
        (many, "many is a generator: .*replace yield by return"),
        (keywords, r"keywords takes \*\*inputs: .*write them out"),
        (rest, r"rest takes \*others: .*write them out"),
        (Thing.method, r"method is a method.*hg.function\(thing.method"),
        (classmethod(later), "below @classmethod"),
        (3, "hg.function takes a function first, not 3: give inputs by name"),
        ({"x": hg.u8}, "give inputs by name"),
    ]
    for f, text in refused:
        with pytest.raises(errors.ArgumentError, match=text):
            hg.function(f, garbler={"x": hg.u8})
    for f in (later, many):
        with pytest.raises(errors.ArgumentError, match="async|generator"):
            hg.function(f)
        with pytest.raises(errors.ArgumentError, match="async|generator"):
            program(lambda x: hg.map(f, x), x=hg.u8[3])
    with pytest.raises(errors.ArgumentError, match="an input has one owner"):
        hg.function(lambda x: x, garbler={"x": hg.u8}, evaluator={"x": hg.u8})
    with pytest.raises(errors.ArgumentError, match=r"give a party for the parameters \['y'\]"):
        hg.function(lambda x, y, z=3: x, garbler={"x": hg.u8})


def test_calls_with_wrong_arguments_name_the_line() -> None:
    one = hg.function(lambda x: x)
    uses: list[Any] = [
        lambda x: one(x, x),
        lambda x: one(y=x),
        lambda x: hg.map(lambda a: a, x, x),
        lambda x: hg.fold(lambda s: s, x[0], x),
        lambda x: hg.cond(x[0] > 1, lambda a: a, lambda: x, x),
    ]
    for use in uses:
        with pytest.raises(errors.ArgumentError, match=r"test_errors.py:\d+: .*cannot be called"):
            program(use, x=hg.u8[3])
    for use in (lambda x: hg.map(x, x), lambda x: hg.fold(3, x, x), lambda x: hg.cond(x[0], x, x)):
        with pytest.raises(errors.ArgumentError, match="takes a function first"):
            program(use, x=hg.u8[3])
    with pytest.raises(errors.ArgumentError, match="not marked by hg.shared"):
        program(lambda x: hg.map(lambda a: a, hg.shared(x)), x=hg.u8[3])

    def own(x: Any) -> Any:
        raise TypeError("my own")

    with pytest.raises(TypeError, match="my own"):
        program(lambda x: hg.function(own)(x), x=hg.u8)


def test_methods_are_functions() -> None:
    class Scale:
        def __init__(self, factor: int) -> None:
            self.factor = factor

        @hg.function
        def times(self, x: Any) -> Any:
            return x * self.factor

        @staticmethod
        @hg.function
        def twice(x: Any) -> Any:
            return x + x

        @classmethod
        @hg.function
        def three(cls, x: Any) -> Any:
            return x * 3

        def whole(self, x: Any) -> Any:
            return self.times(x) + Scale.twice(x)

    five, seven = Scale(5), Scale(7)
    total = program(lambda x: five.times(x) + seven.times(x) + five.three(x), x=hg.u16)
    assert total.clear(x=2) == 2 * (5 + 7 + 3)
    assert hg.function(five.whole, garbler={"x": hg.u16}).run(x=3) == 3 * 5 + 6
    many = program(lambda x: hg.map(five.times, x), x=hg.u16[3])
    assert many.clear(x=[1, 2, 3]).tolist() == [5, 10, 15]
    assert five.times(4) == 20


class Pair(NamedTuple):
    total: Any
    product: Any


def test_named_tuples_are_results() -> None:
    f = hg.function(
        lambda x, y: Pair(x + y, x * y),
        garbler={"x": hg.u8, "y": hg.u8},
        learn={"total": "both", "product": "none"},
    )
    with pytest.raises(errors.NotLearnedError, match="product"):
        f.run(x=3, y=4)
    assert f.compile().clear(x=3, y=4) == Pair(7, 12)
    step = lambda s, v: Pair(s.total + v, s.product * v)
    swap = hg.function(lambda pair: Pair(pair.product, pair.total))
    uses: list[tuple[Any, Any]] = [
        (lambda x: swap(Pair(x[0], x[1])), Pair(2, 1)),
        (lambda x: hg.fold(step, Pair(x[0], x[0]), x), Pair(7, 6)),
        (lambda x: hg.cond(x[0] > 3, lambda: Pair(x[0], 3), lambda: Pair(3, x[0])), Pair(3, 1)),
    ]
    for use, expected in uses:
        got = program(use, x=hg.u8[3]).clear(x=[1, 2, 3])
        assert type(got) is Pair and got == expected
    got = program(lambda x: hg.map(lambda v: Pair(v, v * v), x), x=hg.u8[3]).clear(x=[1, 2, 3])
    assert type(got) is Pair and got.product.tolist() == [1, 4, 9]


def test_results_that_are_no_numbers_are_named() -> None:
    many: list[tuple[Any, str]] = [
        (None, "NoneType"),
        ("text", "str"),
        (b"text", "bytes"),
        ({1, 2}, "set"),
        (1j, "complex"),
        (2**200, "int"),
        (-(2**100), "int"),
        ((x for x in range(3)), "generator"),
        (hg.u8, "DType"),
        (np.array([1, None]), "ndarray"),
        (np.array(["a"]), "ndarray"),
    ]
    for value, of in many:
        text = f"f returns .*, of type {of}: a result is a secret"

        def f(x: Any) -> Any:
            return value  # noqa: B023

        for use in (f, lambda x: hg.function(f)(x), lambda x: hg.map(f, x[None])):
            with pytest.raises(errors.DTypeError, match=text):
                program(use, x=hg.u8)
    with pytest.raises(errors.DTypeError, match="a fold returns a pair.*not"):
        program(lambda x: hg.fold(lambda s, v: (s, v, v), x[0], x, outputs=True), x=hg.u8[3])
    with pytest.raises(errors.DTypeError, match="the state of hg.fold is not nested"):
        program(lambda x: hg.fold(lambda s, v: s, {"a": {"b": x[0]}}, x), x=hg.u8[3])


def test_types_that_do_not_exist_are_named() -> None:
    types: list[tuple[Any, str]] = [
        (lambda: hg.uN("8"), r"hg.uN\('8'\): give whole numbers of bits"),  # type: ignore[arg-type]
        (lambda: hg.uN(8.0), r"hg.uN\(8.0\): give whole numbers"),  # type: ignore[arg-type]
        (lambda: hg.uN(True), r"hg.uN\(True\): give whole numbers"),
        (lambda: hg.iN([8]), r"hg.iN\(\[8\]\): give whole numbers"),  # type: ignore[arg-type]
        (lambda: hg.fixed(8, "2"), r"hg.fixed\(8, '2'\): give"),  # type: ignore[arg-type]
        (lambda: hg.uN(0), "0 bits: a number has 1 to 128 bits"),
        (lambda: hg.iN(1), "1 bits: a number has 2 to 128 bits"),
        (lambda: hg.fixed(8, -1), "-1 bits after the point, of 8 in all: give 0 to 8"),
        (lambda: hg.ufixed(8, 9), "9 bits after the point"),
        (lambda: hg.u32(3), r"hg.constant\(5, hg.u32\)"),
    ]
    for make, text in types:
        with pytest.raises(errors.DTypeError, match=text):
            make()
    assert hg.uN(np.int64(8)) == hg.u8 and hg.u8[np.int64(3)].shape == (3,)
    for shape in (0, -1, 2.5, "3", None, True, [3], slice(3), (3, 0), (3, -1)):
        with pytest.raises(errors.ShapeError, match="whole numbers of at least 1, as in hg.u32"):
            hg.u32[shape]  # type: ignore[index]
    with pytest.raises(errors.ShapeError, match=r"as in hg.u32\[3, 4\]"):
        hg.u32[3][4]


def test_arrays_have_elements_and_a_size() -> None:
    none = np.zeros(0, dtype=np.uint8)
    uses: list[Any] = [
        lambda x: x[0] + none,
        lambda x: hg.outer(x, none),
        lambda x: hg.broadcast_to(x[0], (0,)),
        lambda x: hg.concatenate([x, none]),
        lambda x: hg.map(lambda v: v, none),
        lambda x: x @ np.zeros((3, 0), dtype=np.uint8),
        lambda x: none,
        lambda x: x[3:],
        lambda x: hg.broadcast_to(x, (2**30, 3)),
        lambda x: hg.outer(hg.broadcast_to(x[0], (2**15,)), hg.broadcast_to(x[1], (2**15,))),
    ]
    for use in uses:
        with pytest.raises(errors.ShapeError, match="elements"):
            program(use, x=hg.u8[3])
