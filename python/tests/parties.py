"""A party in a process of its own, for test_sessions.py."""

from __future__ import annotations

import signal
import sys
from typing import Any

import halfgate as hg


@hg.function(garbler={"rates": hg.u32[3]}, evaluator={"used": hg.u32[3]})
def bill(rates: Any, used: Any) -> Any:
    cost = hg.where(used > 1000, rates * 2 * used, rates * used)
    return cost.sum()


@hg.function(garbler={"rates": hg.u32[3]}, evaluator={"used": hg.u32[3]})
def other_bill(rates: Any, used: Any) -> Any:
    cost = hg.where(used > 1001, rates * 2 * used, rates * used)
    return cost.sum()


@hg.function(garbler={"x": hg.u64[4000]}, evaluator={"y": hg.u64[4000]})
def slow(x: Any, y: Any) -> Any:
    for _ in range(40):
        x = x * y + 1
    return x.sum()


def main(folder: str, port: str, program: str) -> None:
    """Garbles `program` for the evaluator in the test."""
    # A parent that runs in the background may have turned Ctrl-C off.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    compiled = {"bill": bill, "other": other_bill, "slow": slow}[program].compile()
    values: dict[str, Any] = {"rates": [2, 3, 4]} if program != "slow" else {"x": range(4000)}
    identity, peer = f"{folder}/alice", f"{folder}/bob.pub"
    with hg.connect(f"127.0.0.1:{port}", identity=identity, peer=peer) as session:
        print("connected", flush=True)
        try:
            print("result", session.garble(compiled, **values), flush=True)
        except hg.HalfgateError as error:
            print(type(error).__name__, error.party, error, flush=True)
        except KeyboardInterrupt:
            print("interrupted", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
