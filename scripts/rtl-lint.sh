#!/usr/bin/env bash
# Reads all SystemVerilog with Verilator and Yosys, as far as they are installed, and prints which
# were not.
#
#   scripts/rtl-lint.sh       every file but large tops, as many at a time as there are cores
#   scripts/rtl-lint.sh all   large tops too: the same files with other parameters (minutes)
#
# A folder that is to be read on its own has a file `lint.conf`, for all files below it:
#
#   verilator TOP ARGUMENT…          lints TOP with these arguments, unless `all` is asked for
#   large TOP                        lints TOP only if `all` is asked for
#   yosys ARGUMENT… [-- MODULE…]     Yosys reads the folder and rtl/lib with these arguments, and
#                                    the named modules or packages of other folders (`*` is any)
set -euo pipefail
cd "$(dirname "$0")/.."

how=${1:-}
shopt -s nullglob
roots=(rtl machines/*/rtl crates/*/rtl)
mapfile -t files < <(find "${roots[@]}" -name '*.sv' | sort)
mapfile -t packages < <(find "${roots[@]}" -name '*_pkg.sv' | sort)
mapfile -t settings < <(find "${roots[@]}" -name lint.conf | sort)
# Where a file's modules find others: a module is in the file of its name.
mapfile -t folders < <(find "${roots[@]}" \( -name '*.sv' -o -name '*.svh' \) -printf '-I%h\n' | sort -u)

# What the settings say in lines that begin with $1, less that word; FOLDER first if $2 is `folder`.
said() {
    local file
    for file in "${settings[@]}"; do
        sed -n "s|^$1 *|${2:+${file%/*} }|p" "$file"
    done
}

lint() {
    local file=$1 top arguments
    top=$(basename "$file" .sv)
    arguments=$(sed -n "s/^$top //p" <<<"$small")
    verilator --lint-only -Wall -Wno-UNUSEDPARAM $folders $packages $arguments "$file" --top-module "$top"
}

if command -v verilator >/dev/null 2>&1; then
    # Nothing uses packages' parameters as long as they stand alone. One may import another.
    verilator --lint-only -Wall -Wno-UNUSED "${packages[@]}"
    export -f lint
    small=
    linted=("${files[@]}")
    if [ "$how" != all ]; then
        small=$(said verilator)
        mapfile -t linted < <(printf '%s\n' "${files[@]}" | grep -v -x -F -f <(said large | sed 's|.*|&.sv|' |
            while read -r name; do printf '%s\n' "${files[@]}" | grep "/$name\$"; done))
    fi
    printf '%s\n' "${linted[@]}" | grep -v '_pkg\.sv$' |
        folders="${folders[*]}" packages="${packages[*]}" small=$small \
            xargs -P "$(nproc)" -I {} bash -c 'set -f; lint {} || exit 255' || {
        echo "rtl: Verilator's lint found something" >&2
        exit 1
    }
    echo "rtl: Verilator has nothing against ${#linted[@]} of ${#files[@]} files"
else
    echo "rtl: NOT LINTED: verilator is not installed"
fi
# Yosys' own front end reads packages and plain leaves; its slang front end reads all. All folders
# at once are more than it has memory for.
PATH=$PWD/target/synth-tools/bin:$PATH
if command -v yosys-slang >/dev/null 2>&1; then
    read=()
    while read -r folder line; do
        others=()
        if [[ " $line" == *\ --\ * ]]; then
            read -ra others <<<"${line#*-- }"
        fi
        mapfile -t own < <({
            find "$folder" rtl/lib -name '*.sv'
            for module in "${others[@]}"; do find "${roots[@]}" -name "$module.sv"; done
        } | sort -u)
        mapfile -t includes < <(find "$folder" -name '*.svh' -printf '-I %h\n' | sort -u)
        yosys-slang -q -p "read_slang -j 1 --ignore-assertions -D SYNTHESIS ${line%%-- *} ${includes[*]} ${own[*]}"
        read+=("${own[@]}")
    done < <(said yosys folder)
    mapfile -t read < <(printf '%s\n' "${read[@]}" | sort -u)
    echo "rtl: Yosys (slang) reads ${#read[@]} of ${#files[@]} files"
else
    echo "rtl: NOT READ by Yosys: yosys-slang is not installed (make synth installs it)"
fi
