#!/usr/bin/env python3
"""Checks the FuseSoC core files of the RTL, and lints from them with Verilator.

    scripts/rtl-cores.py             checks that each core file lists the files of its folder
    scripts/rtl-cores.py lint        also lints each target `lint…` from its files alone
    scripts/rtl-cores.py files CORE  prints the SystemVerilog of a core and of those that it depends on

A core lists all sources below its folder, except those in folders `formal` and `boards`. FuseSoC
itself is not needed; the core files are of its format CAPI2, in the form that they have here.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {".sv", ".svh", ".vlt", ".sdc"}


class Core:
    """A core file: its name, dependencies, files and targets with their top modules."""

    def __init__(self, path):
        self.path, self.depend, self.files, self.includes, self.tops = path, [], [], [], {}
        section = target = None
        for line in path.read_text().splitlines():
            if match := re.match(r"name: (\S+):[\d.]+$", line):
                self.name = match[1]
            elif match := re.match(r"    (\w+):$", line):
                section = match[1]
            elif match := re.match(r"  (\w+):( &\w+)?$", line):
                target, section = match[1], None
            elif match := re.match(r"    toplevel: (\w+)$", line):
                self.tops[target] = match[1]
            elif (match := re.match(r"      - ([^\s:]+)(: \{is_include_file: true\})?$", line)) and section == "files":
                (self.includes if match[2] else self.files).append(path.parent / match[1])
            elif (match := re.match(r"      - (\S+)$", line)) and section == "depend":
                self.depend.append(match[1])

    def unlisted(self):
        """Sources in the folder that are not listed, and listed ones that are not there."""
        there = {
            file for file in self.path.parent.rglob("*")
            if file.suffix in SOURCES and not {"formal", "boards"} & set(file.parts)
        }
        listed = set(self.files + self.includes)
        return sorted(there - listed), sorted(listed - there)


def all_files(core, cores, of):
    """A list of a core and its dependencies, in the order in which they are read."""
    files = []
    for name in core.depend:
        files += [file for file in all_files(cores[name], cores, of) if file not in files]
    return files + [file for file in of(core) if file not in files]


def lint(core, cores, top):
    sources = all_files(core, cores, lambda core: core.files)
    folders = {file.parent for file in all_files(core, cores, lambda core: core.includes)}
    waivers = [file for file in sources if file.suffix == ".vlt"]
    waivers += [ROOT / "rtl/lib/lint.vlt"] if not waivers else []
    sources = waivers + [file for file in sources if file.suffix == ".sv"]
    command = ["verilator", "--lint-only", "-Wall", "--top-module", top]
    command += [f"-I{folder}" for folder in sorted(folders)] + list(map(str, sources))
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def main(arguments):
    paths = [path for part in ("rtl", "machines", "crates") for path in sorted((ROOT / part).rglob("*.core"))]
    cores = {core.name: core for core in map(Core, paths)}
    folders = [*ROOT.glob("rtl/lib"), *ROOT.glob("machines/*/rtl"), *ROOT.glob("crates/*/rtl")]
    if missing := sorted(set(folders) - {path.parent for path in paths}):
        sys.exit(f"rtl: no core file in {', '.join(str(path.relative_to(ROOT)) for path in missing)}")
    if arguments[:1] not in ([], ["lint"], ["files"]):
        sys.exit(f"rtl: unknown argument {arguments[0]!r}: lint, or files CORE")
    wrong = []
    for core in cores.values():
        name = core.path.relative_to(ROOT)
        unlisted, absent = core.unlisted()
        wrong += [f"{name} does not list {file.relative_to(core.path.parent)}" for file in unlisted]
        wrong += [f"{name} lists {file.relative_to(core.path.parent)}, which is not there" for file in absent]
        wrong += [f"{name} depends on {name_}, which is no core" for name_ in core.depend if name_ not in cores]
    if wrong:
        sys.exit("\n".join(f"rtl: {line}" for line in wrong))
    if arguments[:1] == ["files"]:
        if len(arguments) != 2 or arguments[1] not in cores:
            sys.exit(f"rtl: name one of the cores {', '.join(sorted(cores))}")
        core = cores[arguments[1]]
        files = all_files(core, cores, lambda core: core.includes + core.files)
        print(*(file for file in files if file.suffix in {".sv", ".svh"}), sep="\n")
        return
    tops = [(core, target, top) for core in cores.values() for target, top in core.tops.items() if target.startswith("lint")]
    if arguments == ["lint"]:
        for core, target, top in tops:
            if not lint(core, cores, top):
                sys.exit(f"rtl: {core.path.relative_to(ROOT)}: target {target} does not lint")
    linted = f"; {len(tops)} targets lint from them alone" if arguments == ["lint"] else ""
    print(f"rtl: {len(cores)} core files list all sources{linted}")


if __name__ == "__main__":
    main(sys.argv[1:])
