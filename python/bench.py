"""Measures the targets of the Python package, in the format of bench/results.

    python bench.py [--out FILE] [--command PATH] [--wheel FILE] [--programs N]

``--command`` is the command `halfgate`: its runs are the baseline of runs through Python, one after
the other on the same cores.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np

import halfgate as hg
from halfgate._halfgate import repack
from halfgate.dtypes import ArrayType
from halfgate.values import decode, encode

RUNS = 5
Row = dict[str, Any]


def timed(f: Callable[[], Any], runs: int = RUNS) -> list[float]:
    """The seconds of some calls."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        f()
        times.append(time.perf_counter() - start)
    return times


def row(name: str, unit: str, target: float, times: list[float], note: str = "") -> Row:
    """A row of a target that is a limit; the median is what counts."""
    measured = statistics.median(times)
    spread = f"{min(times):.4g} to {max(times):.4g}"
    return {
        "name": name,
        "unit": unit,
        "published": None,
        "target": target,
        "at_most": True,
        "measured": measured,
        "met": measured <= target,
        "how": "measured",
        "part": "python",
        "note": f"{spread}; {note}" if note else spread,
    }


def comparisons(limit: Any, x: Any) -> Any:
    """10^6 comparisons."""
    return x > limit


def network(w1: Any, b1: Any, w2: Any, b2: Any, x: Any) -> Any:
    """A network of 784, 128 and 10 neurons."""
    wide = hg.i32
    hidden = hg.maximum(x.astype(wide) @ w1.astype(wide) + b1, 0)
    return (hidden @ w2.astype(wide) + b2).argmax()


def inputs(x: Any, y: Any) -> Any:
    """16,000 inputs of each party."""
    return (x * y).sum(), hg.maximum(x, y)


def compiling() -> list[Row]:
    """Trace and compile."""
    layers = {"w1": hg.i8[784, 128], "b1": hg.i32[128], "w2": hg.i8[128, 10], "b2": hg.i32[10]}
    cases: list[tuple[str, Any, dict[str, Any], dict[str, Any]]] = [
        ("mlp 784-128-10", network, layers, {"x": hg.u8[784]}),
        ("10^6 comparisons", comparisons, {"limit": hg.u32}, {"x": hg.u32[10**6]}),
        ("16,000 inputs", inputs, {"x": hg.u32[16_000]}, {"y": hg.u32[16_000]}),
    ]
    rows = []
    for name, f, garbler, evaluator in cases:
        function = hg.function(garbler=garbler, evaluator=evaluator)(f)
        times = timed(function._compile)
        rows.append(row(f"trace and compile, {name}", "s", 0.5, times, f"{function.compile()}"))
    return rows


def converting() -> list[Row]:
    """Arrays of 10^7 bits in and out."""
    rng = np.random.default_rng(1)
    rows = []
    for of, count in [(hg.bool_, 10**7), (hg.u32, 10**7 // 32), (hg.uN(5), 2 * 10**6)]:
        values = rng.integers(0, of.limits[1], count, endpoint=True).astype(of.numpy)
        array = ArrayType(of, count)

        def there_and_back() -> Any:
            packed = repack(encode(array, values, "x"), count * of.width)
            assert packed is not None
            return decode(array, packed)

        assert np.array_equal(there_and_back(), values)
        times = [1e9 * seconds / count for seconds in timed(there_and_back)]
        rows.append(row(f"convert an array of {of!r} in and out", "ns/element", 50, times))
    return rows


def importing() -> list[Row]:
    """Import, without that of NumPy."""
    code = "import numpy, time; s = time.perf_counter(); import halfgate; print(time.perf_counter() - s)"
    output = [subprocess.check_output([sys.executable, "-c", code]) for _ in range(RUNS)]
    return [row("import", "ms", 100, [1e3 * float(seconds) for seconds in output], "NumPy apart")]


def running(command: str) -> list[Row]:
    """Runs through Python over the same runs by the command, both parties in one process."""
    cases: list[tuple[str, Any, dict[str, Any]]] = []
    aes = hg.programs.aes128_batch(1000)
    cases.append(("aes128-batch:1000", aes, {port.name: bytes(port.bits // 8) for port in aes.inputs}))
    mlp = hg.programs.mlp("784-128-10")
    cases.append(("mlp:784-128-10", mlp, {port.name: zeros(port) for port in mlp.inputs}))
    rows = []
    for name, program, values in cases:
        ours, theirs = [], []
        for _ in range(3 * RUNS):
            ours.append(program.measure(**values).garbler.seconds)
            theirs.append(by_command(command, name, program))
        ratio = statistics.median(ours) / statistics.median(theirs)
        note = f"medians {statistics.median(ours):.4g} s and {statistics.median(theirs):.4g} s"
        rows.append(row(f"run of {name} over that by the command", "x", 1.05, [ratio], note))
    return rows


def zeros(port: Any) -> Any:
    """An input of zeros."""
    return np.zeros(port.type.shape, dtype=port.type.dtype.numpy) if port.type else 0


def by_command(command: str, name: str, program: Any) -> float:
    """Seconds of a run by the command."""
    with tempfile.TemporaryDirectory() as folder:
        parties = []
        for party in ("garbler", "evaluator"):
            files = []
            for number, port in enumerate(p for p in program.inputs if p.party == party):
                file = Path(folder) / f"{party}{number}.bin"
                file.write_bytes(bytes(port.bits // 8))
                files.append(f"@{file}")
            parties += [f"--{party}", ",".join(files)]
        output = subprocess.check_output([command, "run", name, *parties, "--json"])
    return float(json.loads(output)["seconds"])


def differing(programs: int) -> list[Row]:
    """Random programs against NumPy. The test ends at the first that differs."""
    test = Path(__file__).with_name("tests") / "test_random_programs.py"
    start = time.perf_counter()
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", str(test)],
        env={**os.environ, "HALFGATE_EXAMPLES": str(programs)},
        capture_output=True,
    )
    found = 0.0 if ended.returncode == 0 else 1.0
    name = f"random array programs that differ from NumPy, of {programs:,}"
    took = f"in {time.perf_counter() - start:.0f} s; the test ends at the first"
    return [{**row(name, "programs", 0, [found]), "note": took}]


def machine() -> str:
    """The processor and its cores, as in other records."""
    facts = dict.fromkeys(("model name", "cpu family", "model"), "")
    path = Path("/proc/cpuinfo")
    for entry in path.read_text().splitlines() if path.exists() else []:
        key, _, value = entry.partition(":")
        if facts.get(key.strip()) == "":
            facts[key.strip()] = value.strip()
    name = facts["model name"] or platform.machine()
    if facts["model"]:
        name += f" (family {facts['cpu family']}, model {facts['model']})"
    return f"{name}, {os.cpu_count()} cores"


def main() -> None:
    """Prints all rows, and writes them."""
    parser = argparse.ArgumentParser(description="Measures the targets of the Python package")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--command")
    parser.add_argument("--wheel", type=Path)
    parser.add_argument("--programs", type=int, default=10_000, help="random programs")
    args = parser.parse_args()
    rows = compiling() + converting() + importing()
    if args.wheel:
        rows.append(row("wheel", "MB", 12, [args.wheel.stat().st_size / 1e6]))
    if args.command:
        rows += running(args.command)
    if args.programs:
        rows += differing(args.programs)
    for found in rows:
        verdict = "met" if found["met"] else "MISSED"
        print(
            f"{found['name']:55} {found['measured']:10.4g} {found['unit']:10} at most "
            f"{found['target']:g}: {verdict} ({found['note']})"
        )
    if args.out:
        commit = subprocess.check_output(["git", "rev-parse", "--short=12", "HEAD"], text=True)
        record = {
            "machine": machine(),
            "commit": commit.strip(),
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "results": rows,
        }
        args.out.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
