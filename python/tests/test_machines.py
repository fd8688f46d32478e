"""Machines as engines, and their clock cycles."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import halfgate as hg
from halfgate import errors

from parties import bill

VALUES: dict[str, Any] = {"rates": [2, 3, 4], "used": [10, 20, 2000]}
TOTAL = 16_080


@pytest.mark.parametrize(
    "engine",
    [
        "cpu",
        "model:haac-1ge",
        {"garbler": "model:haac-16ge", "evaluator": "model:haac-4ge"},
        {"garbler": "model:fase-2"},
        {"evaluator": "model:garbledcpu-2"},
        {"garbler": "model:overlay"},
        {"evaluator": "model:mobile-wide"},
    ],
)
def test_every_machine_computes_the_same(engine: Any) -> None:
    program = bill.compile()
    result, garbler, evaluator = program.measure(options={"engine": engine}, **VALUES)
    assert result == TOTAL and isinstance(result, np.uint64)
    names = engine if isinstance(engine, dict) else dict.fromkeys(("garbler", "evaluator"), engine)
    for party, report in (("garbler", garbler), ("evaluator", evaluator)):
        name = names.get(party, "cpu")
        assert report.engine.split(" ")[0] == name.split(" ")[0]
        assert report.and_gates == program.ands
        assert (report.simulated is None) == (name == "cpu")
        if report.simulated is not None:
            found = report.simulated
            assert found.launches == 1 and found.clock_cycles > 0
            assert found.seconds == pytest.approx(found.clock_cycles / found.mhz / 1e6)


def test_an_order_for_a_machine_takes_fewer_cycles() -> None:
    @hg.function(garbler={"x": hg.u32[16]}, evaluator={"y": hg.u32[16]})
    def product(x: Any, y: Any) -> Any:
        return (x * y).sum()

    rng = np.random.default_rng(1)
    x, y = (rng.integers(0, 1 << 32, 16, dtype=np.uint32) for _ in range(2))
    cycles = {}
    for order in ("haac:baseline", "haac:full"):
        program = product.compile().in_order(order)
        assert program.order == order and program.hash != product.compile().hash
        measured = program.measure(x=x, y=y, options={"engine": "model:haac-16ge"})
        assert measured.result == (x * y).astype(np.uint64).sum()
        assert measured.garbler.simulated is not None
        cycles[order] = measured.garbler.simulated.clock_cycles
    assert cycles["haac:full"] < cycles["haac:baseline"]


def test_wrong_engines_and_orders_are_named() -> None:
    program = bill.compile()
    cases: list[tuple[Any, str]] = [
        ("gpu", 'unknown engine "gpu": there is cpu; model:MACHINE'),
        ("model:haac-3ge", 'no machine "haac-3ge"'),
        ({"garbler": "model:garbledcpu-2"}, "garbledcpu-2"),
        ({"evaluator": "model:fase-1"}, r"fase-1 .*engine=.\"garbler\": …"),
        ({"bob": "cpu"}, "give the name of an engine"),
        (7, "give the name of an engine"),
    ]
    for engine, text in cases:
        with pytest.raises(errors.OptionError, match=text):
            program.run(options={"engine": engine}, **VALUES)
    with pytest.raises(errors.OptionError, match="threads: they are for the engine cpu"):
        program.run(options={"engine": "model:haac-1ge", "threads": 2}, **VALUES)
    with pytest.raises(errors.OptionError, match='unknown order "fast"'):
        program.in_order("fast")
    malicious = {"engine": "model:haac-1ge", "security": "malicious"}
    with pytest.raises(errors.OptionError, match='use engine="cpu"'):
        program.run(options=malicious, **VALUES)


def test_engines_are_listed() -> None:
    found = {machine.name: machine for machine in hg.engines()}
    assert found["haac"].roles == ["garbler", "evaluator"]
    assert "haac-16ge" in dict(found["haac"].configurations)
    assert any(form.startswith("rtl:") for form, _ in found["haac"].engines)


@pytest.mark.skipif(shutil.which("verilator") is None, reason="Verilator is not installed")
def test_a_simulated_design_takes_the_cycles_of_its_model(
    tmp_path_factory: Any, monkeypatch: Any
) -> None:
    # Built from the sources in the package, in a folder that has nothing yet.
    monkeypatch.setenv("HALFGATE_RTL_DIR", str(tmp_path_factory.mktemp("rtl")))
    program = bill.compile()
    cycles = []
    for engine in ("rtl:mobile-wide,build=quick", "model:mobile-wide"):
        options = {"engine": {"evaluator": engine}}
        result, _, evaluator = program.measure(options=options, **VALUES)
        assert result == TOTAL and evaluator.simulated is not None
        cycles.append(evaluator.simulated.clock_cycles)
    assert cycles[0] == cycles[1]


def test_a_file_that_changes_is_not_compiled_in_another_order(
    tmp_path: Path, monkeypatch: Any
) -> None:
    text = "1 3\n2 1 1\n1 1\n\n2 1 0 1 2 {}\n"
    file = tmp_path / "c.txt"
    file.write_text(text.format("AND"))
    monkeypatch.chdir(tmp_path)
    program = hg.circuit("c.txt", parties=["garbler", "evaluator"])
    monkeypatch.chdir("/")
    assert program.in_order("given").clear(in0=1, in1=1) == 1
    file.write_text(text.format("XOR"))
    with pytest.raises(errors.CircuitError, match="c.txt has changed since it was read"):
        program.in_order("given")


def test_bytes_of_a_port_have_no_more_bits_than_it(tmp_path: Path) -> None:
    file = tmp_path / "c.txt"
    file.write_text("1 7\n2 3 3\n1 1\n\n2 1 0 3 6 AND\n")
    program = hg.circuit(file, parties=["garbler", "evaluator"])
    assert program.clear(in0=b"\x05", in1=np.int64(1)) == 1
    with pytest.raises(errors.RangeError, match="in0 has 3 bits"):
        program.clear(in0=b"\x0d", in1=1)
