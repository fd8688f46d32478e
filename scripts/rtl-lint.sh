#!/usr/bin/env bash
# Reads every SystemVerilog file under rtl/ with Verilator and Yosys, as far as they are installed,
# and prints which were not.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t files < <(find rtl -name '*.sv' | sort)
if command -v verilator >/dev/null 2>&1; then
    for file in "${files[@]}"; do
        # Nothing uses a package's parameters as long as it stands alone.
        verilator --lint-only -Wall -Wno-UNUSED "$file"
    done
    echo "rtl: Verilator has nothing against ${#files[@]} files"
else
    echo "rtl: NOT LINTED: verilator is not installed"
fi
if command -v yosys >/dev/null 2>&1; then
    for file in "${files[@]}"; do
        yosys -q -p "read_verilog -sv $file"
    done
    echo "rtl: Yosys reads ${#files[@]} files"
else
    echo "rtl: NOT READ by Yosys, which is not installed"
fi
