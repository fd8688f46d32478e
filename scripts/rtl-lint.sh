#!/usr/bin/env bash
# Reads all SystemVerilog with Verilator and Yosys, and prints which of them is not installed.
#
#   scripts/rtl-lint.sh       every file except large tops, one per core at a time
#   scripts/rtl-lint.sh all   also large tops: the same files with other parameters (minutes)
#
# The folders `formal` are left out: scripts/rtl-prove.py reads them.
#
# A folder that is linted separately has a file `lint.conf`, for all files below it:
#
#   verilator TOP ARGUMENT…          lints TOP with these arguments, except with `all`
#   large TOP                        lints TOP only with `all`
#   yosys ARGUMENT… [-- MODULE…]     Yosys reads the folder and rtl/lib with these arguments, and
#                                    the named modules or packages of other folders (`*` is any)
set -euo pipefail
cd "$(dirname "$0")/.."

how=${1:-}
shopt -s nullglob
roots=(rtl machines/*/rtl crates/*/rtl)
mapfile -t files < <(find "${roots[@]}" -name '*.sv' ! -path '*/formal/*' | sort)
mapfile -t packages < <(find "${roots[@]}" -name '*_pkg.sv' | sort)
mapfile -t settings < <(find "${roots[@]}" -name lint.conf | sort)
# Include folders: Verilator finds a module in the file of its name.
mapfile -t folders < <(find "${roots[@]}" \( -name '*.sv' -o -name '*.svh' \) ! -path '*/formal/*' -printf '-I%h\n' | sort -u)

# Prints the settings in lines that begin with $1, without that word. If $2 is `folder`, each line
# begins with its folder.
setting() {
    local file
    for file in "${settings[@]}"; do
        sed -n "s|^$1 *|${2:+${file%/*} }|p" "$file"
    done
}

lint() {
    local file=$1 top arguments
    top=$(basename "$file" .sv)
    arguments=$(sed -n "s/^$top //p" <<<"$small")
    verilator --lint-only -Wall rtl/lib/lint.vlt $folders $packages $arguments "$file" --top-module "$top"
}

if command -v verilator >/dev/null 2>&1; then
    # All packages are linted together, since one may import another.
    verilator --lint-only -Wall rtl/lib/lint.vlt "${packages[@]}"
    export -f lint
    small=
    linted=("${files[@]}")
    if [ "$how" != all ]; then
        small=$(setting verilator)
        mapfile -t linted < <(printf '%s\n' "${files[@]}" | grep -v -x -F -f <(setting large | sed 's|.*|&.sv|' |
            while read -r name; do printf '%s\n' "${files[@]}" | grep "/$name\$"; done))
    fi
    printf '%s\n' "${linted[@]}" | grep -v '_pkg\.sv$' |
        folders="${folders[*]}" packages="${packages[*]}" small=$small \
            xargs -P "$(nproc)" -I {} bash -c 'set -f; lint {} || exit 255' || {
        echo "rtl: Verilator's lint failed: see the messages above" >&2
        exit 1
    }
    if command -v python3 >/dev/null 2>&1; then
        scripts/rtl-cores.py lint
    else
        echo "rtl: core files NOT CHECKED: python3 is not installed"
    fi
    echo "rtl: Verilator's lint passes for ${#linted[@]} of ${#files[@]} files"
else
    echo "rtl: NOT LINTED: verilator is not installed"
fi
# Yosys' own front end reads only packages and simple leaf modules; its slang front end reads all
# files. All folders at once would exceed its memory.
PATH=$PWD/target/synth-tools/bin:$PATH
if command -v yosys-slang >/dev/null 2>&1; then
    read=()
    while read -r folder line; do
        others=()
        if [[ " $line" == *\ --\ * ]]; then
            read -ra others <<<"${line#*-- }"
        fi
        mapfile -t own < <({
            find "$folder" rtl/lib -name '*.sv' ! -path '*/formal/*'
            for module in "${others[@]}"; do find "${roots[@]}" -name "$module.sv" ! -path '*/formal/*'; done
        } | sort -u)
        mapfile -t includes < <(find "$folder" -name '*.svh' -printf '-I %h\n' | sort -u)
        yosys-slang -q -p "read_slang -j 1 --ignore-assertions -D SYNTHESIS ${line%%-- *} ${includes[*]} ${own[*]}"
        read+=("${own[@]}")
    done < <(setting yosys folder)
    mapfile -t read < <(printf '%s\n' "${read[@]}" | sort -u)
    echo "rtl: Yosys (slang) reads ${#read[@]} of ${#files[@]} files"
else
    echo "rtl: NOT READ by Yosys: yosys-slang is not installed (make synth installs it)"
fi
