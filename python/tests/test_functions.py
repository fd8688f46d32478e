"""Functions, maps, folds, choices, lookups, and their costs."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import halfgate as hg

np.seterr(over="ignore")


def both(f: Any, garbler: dict[str, Any], values: dict[str, Any]) -> Any:
    """The results on secrets, which must be those on plain values. Returns the program."""
    program = hg.function(f, garbler=garbler).compile()
    wants, gots = f(**values), program.clear(**values)
    runs = program.run(**values)
    many = isinstance(wants, tuple)
    for want, got, run in zip(*((x if many else (x,)) for x in (wants, gots, runs))):
        assert np.array_equal(got, want), (got, want)
        assert np.array_equal(run, want)
    return program


def test_pictures_name_the_lines_that_cost_names() -> None:
    def bill(rates: Any, used: Any) -> Any:
        cost = hg.where(used > 1000, rates * 2 * used, rates * used)
        return cost.sum()

    def grid(rates: Any, used: Any) -> Any:
        many = rates[:, None] * used
        return many + 1 > 7

    for f in (bill, grid):
        program = hg.function(
            f, garbler={"rates": hg.u32[9]}, evaluator={"used": hg.u32[9]}
        ).compile()
        (line, ands), *_ = program.cost().lines
        named = [name for name, _, own, _ in program.native.functions() if own]
        assert line == f"test_functions.py:{f.__code__.co_firstlineno + 1}"
        assert line in named and line in program.draw().svg and ands > program.ands / 2


def test_types_of_numpy_and_of_python() -> None:
    """The types of both work on secrets and on plain arrays."""
    x = np.array([3, 300, 70_000], dtype=np.int64)
    types: list[Any] = [hg.u8, hg.i16, hg.u32, hg.i64, hg.f32, hg.f64, hg.bool_]
    types += [np.uint8, np.dtype("int16"), "uint32", np.float32, bool, int, float]
    for of in types:
        both(lambda x: x.astype(of), {"x": hg.i64[3]}, {"x": x})
    for of in types[1:6] + types[8:11] + types[12:]:
        both(lambda x: (x.sum(dtype=of), x.prod(dtype=of)), {"x": hg.i64[3]}, {"x": x})
    both(lambda x: x + hg.constant([1, 2, 3], hg.u8), {"x": hg.i64[3]}, {"x": x})
    for bad in ("text", None, hg.u8[3], np.complex128, "datetime64"):
        with pytest.raises(hg.errors.DTypeError, match=r"test_functions.py:\d+"):
            hg.function(lambda x: x.astype(bad), garbler={"x": hg.i64[3]}).compile()
    for narrow in (hg.uN(7), hg.fixed(8, 4)):
        # NumPy before 2.4 raises an error of its own.
        with pytest.raises(TypeError, match="no equal in NumPy|Cannot interpret"):
            x.astype(narrow)


def test_functions_of_numpy_on_secrets() -> None:
    x, y = np.array([3, -4, 0], dtype=np.int32), np.array([5, 2, -7], dtype=np.int32)
    u = np.array([1, 2, 200], dtype=np.uint8)
    binary: list[Any] = [np.add, np.subtract, np.multiply, np.divide, np.minimum, np.maximum]
    binary += [np.floor_divide, np.remainder, np.bitwise_and, np.bitwise_or, np.bitwise_xor]
    binary += [np.logical_and, np.logical_or, np.logical_xor, np.equal, np.not_equal, np.less]
    binary += [np.less_equal, np.greater, np.greater_equal, np.matmul, np.outer, np.dot]
    for f in binary:
        both(lambda x, y: f(x, y), {"x": hg.i32[3], "y": hg.i32[3]}, {"x": x, "y": y})
        if f not in (np.divide, np.floor_divide, np.remainder):
            both(lambda x: (f(x, y), f(y, x)), {"x": hg.i32[3]}, {"x": x})
    both(lambda x: np.divmod(x, y), {"x": hg.i32[3]}, {"x": x})
    unary: list[Any] = [np.negative, np.positive, np.abs, np.square, np.invert, np.logical_not]
    for f in unary:
        both(lambda x: f(x), {"x": hg.i32[3]}, {"x": x})
    floats: list[Any] = [np.sqrt, np.floor, np.ceil, np.trunc, np.rint, np.isnan, np.fabs]
    for f in floats:
        both(lambda x: f(x), {"x": hg.f64[3]}, {"x": np.array([2.5, 0.25, 9.75])})
    both(lambda u: (np.left_shift(u, 3), np.right_shift(u, u), np.power(u, 3)), {"u": hg.u8[3]}, {"u": u})
    both(lambda x: (y + x, y - x, y < x, y == x, y @ x, y[0] * x), {"x": hg.i32[3]}, {"x": x})


def test_more_functions_of_numpy() -> None:
    x = np.arange(24, dtype=np.int32).reshape(2, 3, 4) ** 2
    uses: list[Any] = [lambda x: np.flip(x), lambda x: np.flip(x, 1), lambda x: np.flip(x, (0, -1))]
    uses += [lambda x: np.diff(x), lambda x: np.diff(x, 2, 1), lambda x: np.diff(x > 9)]
    uses += [lambda x: np.outer(x[0], x[0, 0]), lambda x: np.outer(x[0], [1, 2])]
    uses += [lambda x: np.hstack([x, x]), lambda x: np.hstack([x[0, 0], x[0, 0, 0], [1]])]
    uses += [lambda x: np.vstack([x, x]), lambda x: np.vstack([x[0, 0], [1, 2, 3, 4]])]
    uses += [lambda x: np.amax(x, axis=1), lambda x: x.reshape(np.size(x) // 2, 2)]
    uses += [lambda x: hg.flip(x, 2), lambda x: hg.diff(x), lambda x: hg.hstack([x, x])]
    for use in uses:
        both(use, {"x": hg.i32[2, 3, 4]}, {"x": x})
    for f in (np.var, np.std):
        for kwargs in ({}, {"axis": 1}, {"ddof": 1, "axis": (0, 2), "keepdims": True}):
            p = hg.function(lambda x: f(x, **kwargs), garbler={"x": hg.i32[2, 3, 4]}).compile()
            assert np.allclose(p.clear(x=x), f(x, **kwargs), rtol=1e-12)
    p = hg.function(lambda x: x.var(), garbler={"x": hg.f32[4]}).compile()
    assert p.clear(x=[1, 2, 3, 4]) == np.float32(1.25)


def test_columns_of_pandas_among_the_operands() -> None:
    pandas = pytest.importorskip("pandas")
    series = pandas.Series([1, 2, 3], dtype="int32")
    x = np.array([3, 2, 1], dtype=np.int32)
    p = hg.function(
        lambda x: (series * x, x * series, series == x, x - series), garbler={"x": hg.i32[3]}
    ).compile()
    wants = (x * series, x * series, series == x, x - series)
    for got, want in zip(p.clear(x=x), wants):
        assert np.array_equal(got, want)


@hg.function
def scaled(x: Any, factor: Any) -> Any:
    """A function that is called with secret and with public factors."""
    return x * factor + 1


def test_functions_stay_functions() -> None:
    x = np.arange(4, dtype=np.uint16)
    program = both(
        lambda x, k: scaled(x, k) + scaled(x[::-1], k) + scaled(x, np.uint16(3)),
        {"x": hg.u16[4], "k": hg.u16},
        {"x": x, "k": np.uint16(7)},
    )
    names = [name for name, *_ in program.native.functions()]
    assert names.count("scaled") >= 1
    assert sum(ands for _, ands in program.native.lines()) == program.ands


def test_functions_follow_variables_that_change() -> None:
    def f(x: Any) -> Any:
        factor = 2

        @hg.function
        def times(x: Any) -> Any:
            return x * factor

        first, again = times(x), times(x)
        factor = 3
        return first, again, times(x), hg.map(times, x)

    both(f, {"x": hg.u16[4]}, {"x": np.arange(4, dtype=np.uint16)})


def test_maps_and_folds() -> None:
    def neuron(weights: Any, x: Any) -> Any:
        return (weights * x).sum(), weights.max()

    rows = np.arange(24, dtype=np.int32).reshape(6, 4)
    both(
        lambda w, x: hg.map(neuron, w, hg.shared(x)),
        {"w": hg.i32[6, 4], "x": hg.i32[4]},
        {"w": rows, "x": np.array([1, -2, 3, 4], dtype=np.int32)},
    )
    fibonacci = lambda x, steps: hg.fold(lambda s, k: (s[1], s[0] + s[1] * k), (x, x), steps)
    program = both(
        fibonacci,
        {"x": hg.u32, "steps": hg.u32[20]},
        {"x": np.uint32(3), "steps": np.arange(20, dtype=np.uint32)},
    )
    assert sum(ands for _, ands in program.native.lines()) == program.ands
    both(
        lambda x: hg.fold(lambda s, a: (s + a, s * a), x[0], x, outputs=True),
        {"x": hg.u16[9]},
        {"x": np.arange(9, dtype=np.uint16)},
    )
    both(
        lambda x: hg.map(lambda a, b: a * b, x, np.arange(9, dtype=np.uint16)),
        {"x": hg.u16[9]},
        {"x": np.arange(9, dtype=np.uint16)},
    )


def test_choices() -> None:
    f = lambda x, y: hg.cond(x > y, lambda a, b: a - b, lambda a, b: b - a, x, y)
    both(f, {"x": hg.u8, "y": hg.u8}, {"x": np.uint8(5), "y": np.uint8(9)})
    both(f, {"x": hg.u8, "y": hg.u8}, {"x": np.uint8(9), "y": np.uint8(5)})


def test_lookups_at_secret_places() -> None:
    table = np.arange(10, 40, dtype=np.uint16).reshape(10, 3)
    places = np.array([3, 0, 9, -1, -10], dtype=np.int8)
    program = hg.function(
        lambda t, i: (t[i], hg.take(table, i), t[:, 1][i], t[i, 1], hg.take(table[:, 2], i)),
        garbler={"t": hg.u16[10, 3]},
        evaluator={"i": hg.i8[5]},
    ).compile()
    found = program.run(t=table, i=places)
    for got, want in zip(found, [table, table, table[:, 1], table[:, 1], table[:, 2]]):
        assert np.array_equal(got, want[places])
    out = program.run(t=table, i=np.array([10, 100, -11, -128, 127], dtype=np.int8))
    assert all(not part.any() for part in out)


def test_only_what_a_result_needs_costs_anything() -> None:
    count = hg.function(lambda x: (x > 7).sum(), garbler={"x": hg.u8[1000]}).compile()
    assert count.ands < 1000 * 8 + 1100
    assert count.run(x=np.arange(1000) % 9) == (np.arange(1000) % 9 > 7).sum()
    unused = hg.function(lambda x: ((x * x).sum(), x + 1)[1], garbler={"x": hg.u8[5]}).compile()
    assert unused.ands == 5 * 6


def test_an_array_operation_is_one_node() -> None:
    def f(x: Any) -> Any:
        return hg.where(x > 3, x * 2, x)[::2].reshape(50, 10).sum(axis=0)

    traced = hg.function(f, garbler={"x": hg.u8[1000]}).compile()._traced
    assert sum(count for _, count in traced.operations()) < 15


def test_constants_fold() -> None:
    powers = hg.function(lambda x: x * np.uint8([1, 2, 4, 8]), garbler={"x": hg.u8[4]}).compile()
    assert powers.ands == 0
    assert powers.run(x=[3, 3, 3, 100]).tolist() == [3, 6, 12, 32]
    masked = hg.function(lambda x: x & 0, garbler={"x": hg.u8[4]}).compile()
    assert masked.ands == 0 and masked.run(x=[1, 2, 3, 4]).tolist() == [0] * 4


def test_networks_sort_all_zeros_and_ones() -> None:
    for n in range(1, 11):
        rows = np.arange(2**n)[:, None] >> np.arange(n) & 1 == 1
        program = hg.function(
            lambda x: (hg.sort(x), hg.sort(x, descending=True), hg.argsort(x)),
            garbler={"x": hg.bool_[2**n, n]},
        ).compile()
        up, down, places = program.clear(x=rows)
        assert np.array_equal(up, np.sort(rows)) and np.array_equal(down, np.sort(rows)[:, ::-1])
        assert np.array_equal(places, np.argsort(rows, kind="stable"))


def test_functions_of_numpy_that_halfgate_has_work_on_secrets() -> None:
    both(
        lambda x: (np.where(x > 3, x, 0), np.sum(x), np.sort(x), np.concatenate([x, x]), np.max(x)),
        {"x": hg.u64[5]},
        {"x": np.array([5, 1, 9, 3, 4], dtype=np.uint64)},
    )


def test_wide_integers() -> None:
    n, m = 2**100 + 12345, 2**127 - 1
    program = hg.function(
        lambda x, y: (x + y, x * y, x > y, x % y), garbler={"x": hg.uN(128), "y": hg.uN(128)}
    ).compile()
    total, product, above, rest = program.run(x=m, y=n)
    assert (total, product) == ((n + m) % 2**128, n * m % 2**128)
    assert above and rest == m % n
    mixed = hg.function(lambda x: x + 1, garbler={"x": hg.iN(100)[3]}).compile()
    assert mixed.run(x=[2**63, -1, -(2**80)]).tolist() == [2**63 + 1, 0, 1 - 2**80]
    odd = hg.function(lambda x: x * x - 1, garbler={"x": hg.iN(5)[3]}).compile()
    assert odd.run(x=[-16, 5, 0]).tolist() == [-1, -8, -1]


def test_long_loops_are_named() -> None:
    def f(x: Any) -> Any:
        for k in range(2000):
            x = x ^ k
        return x

    cost = hg.function(f, garbler={"x": hg.u32}).compile().cost()
    assert "loop of Python is unrolled" in str(cost) and cost.unrolled[0][1] == 2000


def test_a_picture_shows_the_functions() -> None:
    program = hg.function(lambda x: hg.map(scaled, x, hg.shared(x[0])), garbler={"x": hg.u16[99]})
    svg = program.compile().draw().svg
    assert svg.startswith("<svg") and svg.count("<rect") == 3 and "map 99" in svg
    assert program.compile()._repr_svg_() == svg


def test_pictures_of_many_functions_are_legible() -> None:
    def one_line(x: Any, y: Any) -> Any:
        return sum(((x * np.uint32(k + 3)) ^ y).max() for k in range(40))

    def layers(x: Any, y: Any) -> Any:
        total = x[0]
        for k in range(40):
            layer = eval(f"lambda v, w: (v * {k + 3}) ^ w")
            layer.__name__ = f"layer_{k}"
            total = total + hg.map(layer, x, y).max()
        return total

    types: dict[str, Any] = {"garbler": {"x": hg.u32[9]}, "evaluator": {"y": hg.u32[9]}}
    for f, boxes in ((one_line, 2), (layers, 40)):
        svg = hg.function(f, **types).compile().draw().svg
        found = [
            tuple(map(int, place))
            for place in re.findall(r'<rect x="(\d+)" y="(\d+)" width="190" height="58"', svg)
        ]
        assert len(found) == len(set(found)) == boxes
        # No two boxes overlap, and the picture fits a page.
        assert max(x for x, _ in found) < 1200
        for x, y in found:
            assert all(abs(x - a) >= 190 or abs(y - b) >= 58 for a, b in found if (a, b) != (x, y))
    assert "smaller functions not shown" in svg and "map 9" in svg
    svg = hg.function(one_line, **types).compile().draw().svg
    assert re.search(r"\d+ functions, [\d,]+ runs", svg)


def test_costs_are_given_by_line() -> None:
    def f(x: Any, y: Any) -> Any:
        product = x * y
        return product + 1

    cost = hg.function(f, garbler={"x": hg.u32[10]}, evaluator={"y": hg.u32[10]}).compile().cost()
    assert [line.split(":")[0] for line, _ in cost.lines] == ["test_functions.py"] * 2
    assert cost.lines[0][1] > cost.lines[1][1] > 0
    assert cost.ands == sum(ands for _, ands in cost.lines)
    assert cost.garbler_sends == 32 * cost.ands + 16 * (320 + 2 * 320)
    assert "test_functions.py" in str(cost) and cost.depth


def test_malicious_sessions_cost_three_phases() -> None:
    program = hg.function(
        lambda x, y: x * y, garbler={"x": hg.u32[10]}, evaluator={"y": hg.u32[10]}
    ).compile()
    cost, semi_honest = program.cost(security="malicious"), program.cost()
    names = [phase.name for phase in cost.phases]
    assert names == ["correlations", "function-dependent", "online"] and not semi_honest.phases
    correlations, tables, online = cost.phases
    assert correlations.garbler_sends == correlations.evaluator_sends > 32 * cost.ands
    assert tables.garbler_sends == -(-257 * cost.ands // 8) and tables.evaluator_sends == 0
    assert online.evaluator_sends == -(-cost.ands // 8)
    assert cost.garbler_sends == sum(phase.garbler_sends for phase in cost.phases)
    assert cost.seconds > semi_honest.seconds and cost.lines == semi_honest.lines
    assert "function-dependent" in str(cost) and "the link alone" in str(cost)
    with pytest.raises(hg.errors.OptionError, match="paranoid"):
        program.cost(security="paranoid")


def test_outer_operations_share_what_they_repeat() -> None:
    x, y = np.arange(40, dtype=np.uint16), np.arange(30, 50, dtype=np.uint16)
    z = np.arange(800, dtype=np.uint16).reshape(40, 20)
    program = both(
        lambda x, y, z: (
            x[:, None] == y[None, :],
            (x[:, None] * y - z + 3).sum(axis=0),
            hg.where(z > x[:, None], y, x[:, None]),
            (x.reshape(40, 1, 1) + y.reshape(1, 20, 1) + x[:9]).max(axis=(0, 2)),
            x[:, None] + np.zeros((1, 20), dtype=np.uint16),
            hg.broadcast_to(y, (40, 20)),
        ),
        {"x": hg.u16[40], "y": hg.u16[20], "z": hg.u16[40, 20]},
        {"x": x, "y": y, "z": z},
    )
    assert sum(ands for _, ands in program.native.lines()) == program.ands


def test_functions_of_constants_alone() -> None:
    both(
        lambda x: (
            hg.map(lambda a, b: (a + b).max() + a.sum(), x % 1, x[::-1] % 1),
            scaled(x % 1 + 3, x[0] % 1),
            hg.fold(lambda s, a: s + a, x[0] % 1, x % 1 + 2),
            hg.map(lambda a: hg.map(lambda b: b * b, a).sum(), (x % 1 + 1).reshape(3, 3)),
        ),
        {"x": hg.u16[9]},
        {"x": np.arange(9, dtype=np.uint16)},
    )
