#!/usr/bin/env python3
"""Proves properties of the SystemVerilog, and shows for each a mutant that breaks it.

    scripts/rtl-prove.py [quick] [MODULE...]   proves all properties; those that take seconds; those
                                               of these modules
    scripts/rtl-prove.py page [--write]        compares docs/rtl/proofs.md with the descriptions, or
                                               writes its tables
    scripts/rtl-prove.py tools                 fails if a tool is missing

The file proofs.toml of each folder rtl/formal describes the proofs; docs/rtl/proofs.md explains
them. A proof has four parts:

1. All assertions hold in all cycles (induction) or in the first ones (bounded).
2. Each cover statement is reached, so no assumption makes an assertion hold without content.
3. Each listed property fails for its mutant: one changed place in the text of one file.
4. Each assertion of a proof is either a listed property or, if its name begins with inv_, an
   invariant that an induction needs. The assertions inside the modules are proved as well.

Needed are pyosys (from PyPI), yosys-smtbmc and z3, which `make setup` installs where it can. If one
is missing, this script says so and succeeds. LIMIT_SECONDS (600) and LIMIT_MB (4096) limit each run
of a tool; JOBS (the number of cores) is the number of proofs at a time.
"""

import concurrent.futures
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:
    sys.exit(print("rtl: NOT PROVED: the proofs need Python 3.11 or later"))

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/rtl/proofs.md"
SECONDS = int(os.environ.get("LIMIT_SECONDS", "600"))
MEMORY_MB = int(os.environ.get("LIMIT_MB", "4096"))
# Where `make setup` installs pyosys, and `make synth` a whole set of tools.
PYOSYS = ROOT / "target/tools/pyosys"
SYNTHESIS_TOOLS = ROOT / "target/synth-tools/bin"


class Unproved(Exception):
    """A proof failed, exceeded a limit, or is described wrongly."""


@dataclass
class Property:
    """An assertion of a proof, the rule that it states, and the mutant that breaks it."""

    name: str
    rule: str
    reached: str
    change: list
    file: str = ""
    cite: str = ""


@dataclass
class Proof:
    """A proof of a module with one set of parameters."""

    module: str
    folder: Path
    properties: list
    parameters: dict = field(default_factory=dict)
    method: str = "induction"
    # Cycles of a bounded proof; the longest induction; cycles in which all is reached or refuted.
    depth: int = 1
    within: int = 20
    clocks: str = "one"
    quick: bool = True

    @property
    def top(self):
        return self.module + "_proof"

    @property
    def title(self):
        return " ".join([self.module, *(f"{name}={value}" for name, value in self.parameters.items())])


def read_proofs():
    """Reads all descriptions, those of the library first."""
    files = [*ROOT.glob("rtl/formal/proofs.toml"), *sorted(ROOT.glob("machines/*/rtl/formal/proofs.toml"))]
    proofs = []
    for file in files:
        try:
            for entry in tomllib.loads(file.read_text())["proof"]:
                properties = [Property(**each) for each in entry.pop("property")]
                proofs.append(Proof(folder=file.parent, properties=properties, **entry))
        except (KeyError, TypeError, tomllib.TOMLDecodeError) as error:
            raise Unproved(f"{file}: a field is missing, unknown or malformed: {error}") from None
    for proof in proofs:
        if proof.method not in ("induction", "bounded") or proof.clocks not in ("one", "free"):
            raise Unproved(f"{proof.folder}/proofs.toml: {proof.title}: unknown method or clocks")
    return proofs


class Sources:
    """The SystemVerilog of the repository, by module or package."""

    def __init__(self):
        roots = [ROOT / "rtl", *ROOT.glob("machines/*/rtl")]
        self.files = {file.stem: file for root in roots for file in sorted(root.rglob("*.sv"))}

    def of(self, top):
        """The files that `top` needs, each after those that it needs itself."""
        if top not in self.files:
            raise Unproved(f"there is no {top}.sv")
        found = {}

        def add(name):
            if name in found:
                return
            found[name] = None
            code = re.sub(r"//.*", "", self.files[name].read_text())
            for word in dict.fromkeys(re.findall(r"\w+", code)):
                if word in self.files:
                    add(word)
            del found[name]
            found[name] = self.files[name]

        add(top)
        return list(found.values())


class Runner:
    """Runs tools in a temporary folder, and ends them with their children at a limit or a signal."""

    def __init__(self, folder):
        self.folder = folder
        self.children = set()
        self.lock = threading.Lock()
        self.stopped = False
        # If this process is killed, so are the tools and their solvers.
        self.guard = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
        self.environment = dict(os.environ)
        solver = folder / "bin" / "z3"
        solver.parent.mkdir()
        command = " ".join([*self.guard, shutil.which("z3"), f"-memory:{MEMORY_MB}"])
        solver.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        solver.chmod(0o755)
        self.environment["PATH"] = f"{solver.parent}:{os.environ['PATH']}"
        self.yosys = ["yosys-slang"]
        if not shutil.which("yosys-slang"):
            self.yosys = [sys.executable, str(ROOT / "scripts/yosys-slang.py")]
            self.environment["PYTHONPATH"] = str(PYOSYS)

    def run(self, command, what):
        """Returns the output of a tool and whether it succeeded."""
        with self.lock:
            if self.stopped:
                raise Unproved(f"{what}: stopped")
            child = subprocess.Popen(
                [*self.guard, *command], cwd=ROOT, env=self.environment, text=True,
                start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT)
            self.children.add(child)
        try:
            output, _ = child.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise Unproved(f"{what}: no answer within {SECONDS} s") from None
        finally:
            self.end(child)
            self.children.discard(child)
        if "out of memory" in output or "Cannot allocate" in output:
            raise Unproved(f"{what}: needs more than {MEMORY_MB} MB of memory")
        return output, child.returncode == 0

    @staticmethod
    def end(child):
        """Kills a tool and its solver. Does nothing if it has ended."""
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()

    def stop(self):
        """Kills all tools, and starts no more."""
        with self.lock:
            self.stopped = True
            for child in list(self.children):
                self.end(child)


def translate(runner, proof, files, only, out):
    """Writes the SMT-LIB form of a proof. Returns the names of its assertions and covers.

    If `only` is given, all other assertions are removed.
    """
    arguments = [f"-G {name}={value}" for name, value in proof.parameters.items()]
    listing = out.with_suffix(".list")
    keep = f"select -set rest t:$assert */{only} */*.{only} %u %d; chformal -assert -remove @rest" if only else ""
    # Registers are not merged into memories, since an induction then has states in which the two
    # differ. Undefined values may be any.
    script = f"""
        read_slang -j 1 --no-synthesis-define --top {proof.top} {' '.join(arguments)} {' '.join(map(str, files))}
        hierarchy -check -top {proof.top}; proc; flatten; opt_clean
        memory_collect; memory_map
        setundef -undriven -anyseq; setundef -anyseq
        {'clk2fflogic' if proof.clocks == 'free' else 'async2sync'}
        chformal -lower; {keep}
        opt -full -keepdc; dffunmap; opt_clean
        tee -q -o {listing} select -list t:$assert t:$cover t:$assume
        tee -q -a {listing} stat
        write_smt2 {out}
        write_smt2 -wires {out.with_suffix('.wires')}"""
    output, ok = runner.run([*runner.yosys, "-q", "-p", script], proof.title)
    if not ok:
        raise Unproved(f"{proof.title}: Yosys cannot read the design:\n{output}")
    names = re.findall(rf"^{proof.top}/(\S+)$", listing.read_text(), re.M)
    return {re.sub(r"\$\d+$", "", name).split(".")[-1] for name in names}


def solve(runner, proof, smt, mode, steps):
    command = ["yosys-smtbmc", "-s", "z3", "--unroll", "--logic", "QF_BV", "--noprogress", *mode, "-t", str(steps), str(smt)]
    return runner.run(command, proof.title)


def last_lines(output):
    return "\n".join(output.splitlines()[-12:])


def keep_trace(runner, proof, smt, mode, steps):
    """Keeps the waveforms of a failed proof, and says where they are."""
    # Solving for all wires takes longer, so it is done only now.
    trace = smt.with_suffix(".vcd")
    solve(runner, proof, smt.with_suffix(".wires"), [*mode, "--dump-vcd", str(trace)], steps)
    if not trace.exists():
        return ""
    kept = ROOT / f"target/{proof.top}.vcd"
    trace.replace(kept)
    return f"\nwaveforms: {kept.relative_to(ROOT)}"


def prove(runner, proof, sources, smt):
    """Proves all assertions, and reaches all covers. Returns how, in words."""
    names = translate(runner, proof, sources.of(proof.top), None, smt)
    for each in proof.properties:
        for name in (each.name, each.reached):
            if name not in names:
                raise Unproved(f"{proof.title}: {proof.top}.sv has no {name}")
    steps = proof.depth if proof.method == "bounded" else proof.depth + 1

    def must_hold(cycles):
        output, ok = solve(runner, proof, smt, [], cycles)
        if not ok:
            kept = keep_trace(runner, proof, smt, [], cycles)
            raise Unproved(f"{proof.title}: an assertion FAILS:\n{last_lines(output)}{kept}")

    must_hold(steps)
    how = f"in the first {proof.depth} cycles"
    if proof.method == "induction":
        output, ok = solve(runner, proof, smt, ["-i"], proof.depth)
        if not ok:
            kept = keep_trace(runner, proof, smt, ["-i"], proof.depth)
            must_hold(proof.within)
            raise Unproved(f"{proof.title}: the induction fails, though all assertions hold for "
                           f"{proof.within} cycles after reset:\n{last_lines(output)}{kept}")
        last = int(re.findall(r"induction in step (\d+)", output)[-1])
        length = proof.depth - last
        how = f"by induction over {length} cycle{'s' if length > 1 else ''}" if length else "in every state"
    output, ok = solve(runner, proof, smt, ["-c"], proof.within)
    if not ok:
        raise Unproved(f"{proof.title}: a cover statement is not reached:\n{last_lines(output)}")
    return how


def refute(runner, proof, each, sources, smt):
    """Refutes a property of the mutant. Returns the number of the cycle in which it fails."""
    what = f"{proof.title}: mutant of {each.name}"
    original = ROOT / each.file if each.file else sources.files.get(proof.module)
    if not original or not original.is_file() or len(each.change) != 2:
        raise Unproved(f"{what}: needs a file that exists, and a text and its change")
    old, new = each.change
    text = original.read_text()
    if text.count(old) != 1:
        raise Unproved(f"{what}: {original} has the text {text.count(old)} times, not once: {old}")
    mutant = smt.with_suffix(".sv")
    mutant.write_text(text.replace(old, new))
    files = [mutant if file == original else file for file in sources.of(proof.top)]
    if mutant not in files:
        raise Unproved(f"{what}: the proof does not use {original}")
    translate(runner, proof, files, each.name, smt)
    output, ok = solve(runner, proof, smt, [], proof.within)
    if ok:
        raise Unproved(f"{what}: it is also proved, so the proof is worthless: {new}")
    failed = re.findall(r"Assert failed in \S+ (\S+)", output)
    step = re.findall(r"assertions in step (\d+)", output)
    if "Status: FAILED" not in output or {name.split(".")[-1] for name in failed} != {each.name} or not step:
        raise Unproved(f"{what}: no counterexample:\n{last_lines(output)}")
    return int(step[-1])


def run_proof(runner, proof, sources):
    """Runs all parts of a proof. Returns the lines to print."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(dir=runner.folder) as folder:
        how = prove(runner, proof, sources, Path(folder) / "proof.smt2")
        steps = [refute(runner, proof, each, sources, Path(folder) / f"mutant{number}.smt2")
                 for number, each in enumerate(proof.properties)]
    refuted = ", ".join(f"{each.name} ({step})" for each, step in zip(proof.properties, steps))
    return (f"{proof.title}: proved {how}, in {time.monotonic() - start:.1f} s; "
            f"mutants refuted (cycle): {refuted}")


def check_listed(proofs, sources):
    """Fails unless each assertion of a file of proofs is a listed property or an invariant."""
    listed = {(proof.top, each.name) for proof in proofs for each in proof.properties}
    for file in sources.files.values():
        if file.parent.name == "formal":
            for name in re.findall(r"(\w+)\s*:\s*assert\b", file.read_text()):
                if not name.startswith("inv_") and (file.stem, name) not in listed:
                    raise Unproved(f"{file}: {name} is not in {file.parent / 'proofs.toml'}")


def tables(proofs):
    """The tables of the page: one for each folder."""
    text = ""
    for folder in dict.fromkeys(proof.folder for proof in proofs):
        name = folder.relative_to(ROOT)
        text += f"\n`{name}`:\n\n| module | property | rule | proof |\n|---|---|---|---|\n"
        for proof in (proof for proof in proofs if proof.folder == folder):
            how = "induction" if proof.method == "induction" else f"{proof.depth} cycles"
            for each in proof.properties:
                cite = f" ({each.cite})" if each.cite else ""
                text += f"| {proof.title} | {each.name} | {each.rule}{cite} | {how} |\n"
    return text + "\n"


def page(proofs, write):
    """Compares the tables of the page with the descriptions, or writes them."""
    begin, end = "<!-- tables: scripts/rtl-prove.py page --write -->\n", "<!-- end of tables -->\n"
    text = PAGE.read_text()
    before, _, rest = text.partition(begin)
    now, found, after = rest.partition(end)
    if not found:
        raise Unproved(f"{PAGE} has no place for its tables")
    if now != tables(proofs):
        if not write:
            raise Unproved(f"{PAGE} is out of date: run scripts/rtl-prove.py page --write")
        PAGE.write_text(before + begin + tables(proofs) + end + after)


def missing_tools():
    """What is not installed, and how to install it."""
    os.environ["PATH"] = f"{SYNTHESIS_TOOLS}:{os.environ['PATH']}"
    missing = []
    if not shutil.which("yosys-slang") and not (PYOSYS / "pyosys").is_dir():
        missing.append("pyosys is not installed: make setup does that if pip and PyPI are there")
    for tool, package in (("yosys-smtbmc", "yosys"), ("z3", "z3")):
        if not shutil.which(tool):
            missing.append(f"{tool} is not installed; on Debian or Ubuntu: sudo apt-get install {package}")
    return missing


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def count(proofs):
    return sum(len(proof.properties) for proof in proofs)


def run_all(proofs, sources):
    """Runs proofs side by side. Returns whether all succeeded."""
    target = ROOT / "target"
    target.mkdir(exist_ok=True)
    # Folders of runs that were killed.
    for folder in target.glob("prove.*"):
        if not is_running(int(folder.name.split(".")[1])):
            shutil.rmtree(folder, ignore_errors=True)
    start = time.monotonic()
    failed = 0
    with tempfile.TemporaryDirectory(dir=target, prefix=f"prove.{os.getpid()}.") as folder:
        runner = Runner(Path(folder))
        jobs = int(os.environ.get("JOBS", os.cpu_count() or 1))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            runs = [pool.submit(run_proof, runner, proof, sources) for proof in proofs]
            try:
                for run in runs:
                    try:
                        print("rtl: " + run.result(), flush=True)
                    except Unproved as reason:
                        failed += 1
                        print(f"rtl: NOT PROVED: {reason}", file=sys.stderr, flush=True)
            except BaseException:
                runner.stop()
                pool.shutdown(cancel_futures=True)
                raise
    print(f"rtl: {len(proofs) - failed} of {len(proofs)} proofs with {count(proofs)} properties succeed, "
          f"each property with a mutant that breaks it, in {time.monotonic() - start:.0f} s")
    return failed == 0


def main(arguments):
    proofs, sources = read_proofs(), Sources()
    check_listed(proofs, sources)
    if arguments[:1] == ["page"]:
        page(proofs, arguments[1:] == ["--write"])
        return
    page(proofs, False)
    if arguments == ["tools"]:
        if missing := missing_tools():
            raise Unproved("; ".join(missing))
        return
    if arguments[:1] == ["quick"]:
        arguments = arguments[1:]
        proofs = [proof for proof in proofs if proof.quick]
    if unknown := set(arguments) - {proof.module for proof in proofs}:
        raise Unproved(f"no such proofs: {', '.join(sorted(unknown))}")
    proofs = [proof for proof in proofs if not arguments or proof.module in arguments]
    if missing := missing_tools():
        print(f"rtl: NOT PROVED: {count(proofs)} properties: {'; '.join(missing)}")
        return
    if not run_all(proofs, sources):
        sys.exit(1)


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    try:
        main(sys.argv[1:])
    except Unproved as reason:
        sys.exit(f"rtl: NOT PROVED: {reason}")
