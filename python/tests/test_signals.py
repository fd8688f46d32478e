"""Ctrl-C while the package compiles or computes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import halfgate as hg

#: Seconds after which an exception is late. The package looks for signals ten times a second.
LATE = 1.0


def interrupted(work: Any) -> float:
    """Presses Ctrl-C while `work` runs. Returns the seconds until its exception."""
    pressed: list[float] = []

    def press() -> None:
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, press)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
            pytest.fail("the work ended before the signal")
        return time.monotonic() - pressed[0]
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, before)


def long_to_compile() -> hg.Function:
    """A program that takes some ten seconds to compile, and a moment to trace."""
    found: hg.Function = hg.function(lambda x: hg.sort(x), garbler={"x": hg.u64[2**16]})
    return found


def test_ctrl_c_ends_compiling() -> None:
    traced = long_to_compile()
    assert interrupted(traced.compile) < LATE


def test_ctrl_c_ends_computing_in_the_clear() -> None:
    @hg.function(garbler={"x": hg.u64, "many": hg.u64[200_000]})
    def f(x, many):  # type: ignore[no-untyped-def]
        return hg.fold(lambda s, v: (s * s + v) * (s ^ v), x, many)

    program = f.compile()
    assert interrupted(lambda: program.clear(x=3, many=range(200_000))) < LATE
    assert hg.function(lambda x: x + 1, garbler={"x": hg.u8}).compile().clear(x=3) == 4


def test_an_interrupted_process_exits() -> None:
    text = """
        import signal, sys
        import halfgate as hg
        from test_signals import long_to_compile
        signal.signal(signal.SIGINT, signal.default_int_handler)
        f = long_to_compile()
        print("compiling", flush=True)
        try:
            f.compile()
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            sys.exit(7)
    """
    folders = [str(Path(hg.__file__).parents[1]), str(Path(__file__).parent)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(text)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stdout is not None and process.stdout.readline() == "compiling\n"
    time.sleep(1)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30)[0] == "interrupted\n"
    assert process.returncode == 7 and time.monotonic() - begin < 2 * LATE
