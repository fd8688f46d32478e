#!/usr/bin/env bash
# Measures how dear the tree is to change, and records it in bench/results/house.json.
#
#   scripts/house.sh [PART…]   structure, quick, ci (default: all; ci takes a quarter of an hour)
#
# structure   lines, functions, files and circles, by halfgate-house; what an application depends on
# quick       seconds of `make quick`, warm, after one file was touched
# ci          minutes of .ci/run in a fresh clone without build caches
#
# Times want two idle cores. Nothing that is not committed is measured by ci.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
out=bench/results/house.json
[ $# -gt 0 ] || set -- structure quick ci

# row NAME UNIT TARGET MEASURED NOTE: a figure that is to be at most TARGET.
row() { printf '%s\t%s\tat_most\t%s\t%s\t%s\n' "$@"; }
seconds() { date +%s.%N; }
took() { awk -v from="$1" -v to="$(seconds)" -v unit="${2:-1}" 'BEGIN { printf "%.1f", (to - from) / unit }'; }

part_structure() {
    local measured machines pattern
    measured=$($cargo run --quiet --locked -p halfgate-house -- measure)
    # The last number but one of the lines that begin with $1: the most of them.
    count() { awk -v title="$1" 'index($0, title) == 1 { n = $(NF - 1); if (n > most) most = n } END { print most + 0 }' <<<"$measured"; }
    local how='halfgate-house measure'
    row "lines to add outside a new machine's folder, most of any machine" lines 2 \
        "$(count 'lines outside machines/')" "$how: lines that name a package of the machine, all in machines/registry"
    row "lines of crates/, scripts/ and Makefile that name a machine" lines 0 "$(count 'lines in crates/')" "$how"
    row "functions over 80 lines" functions 5 "$(count 'long functions')" "$how"
    row "files over 500 lines" files 0 "$(count 'long files')" "$how"
    row "circles of imports between modules that are not parent and child" circles 5 "$(count 'circles of')" "$how"
    machines=$(for folder in machines/*/; do basename "$folder"; done | paste -sd '|')
    pattern="^(halfgate-($machines|machine|verilated)|cobs|spidev|serialport|clap)(-model)? "
    row "packages of machines, cobs, serial and SPI code below halfgate" packages 0 \
        "$($cargo tree --locked --package halfgate --edges normal --prefix none | grep -cE "$pattern" || true)" "cargo tree -p halfgate"
}

# Seconds of `make quick` after the file $1 was touched, everything else being built.
quick_after() {
    local from
    SINCE=HEAD make quick >/dev/null
    printf '\n' >>"$1"
    from=$(seconds)
    make quick >"target/house-quick.log" 2>&1 || { git checkout --quiet "$1"; cat target/house-quick.log >&2; exit 1; }
    took "$from"
    git checkout --quiet "$1"
}

part_quick() {
    local file builder=crates/circuit/src/builder.rs
    git diff --quiet || { echo "house: quick touches files: commit first" >&2; exit 1; }
    for file in $(git ls-files "machines/*/model/src/lib.rs"); do
        row "make quick, warm, after touching $file" s 60 "$(quick_after "$file")" "scripts/house.sh quick"
    done
    row "make quick, warm, after touching $builder" s 180 "$(quick_after "$builder")" "scripts/house.sh quick"
}

part_ci() {
    local clone from
    clone=$(mktemp -d)
    trap 'rm -rf "$clone"' EXIT
    git clone --quiet . "$clone"
    from=$(seconds)
    (cd "$clone" && env -u CARGO_TARGET_DIR .ci/run) >target/house-ci.log 2>&1 ||
        { tail -n 40 target/house-ci.log >&2; exit 1; }
    row ".ci/run in a fresh clone, build caches empty, packages installed" min 15 "$(took "$from" 60)" "scripts/house.sh ci"
}

mkdir -p target
for part in "$@"; do
    [ "$(type -t "part_$part")" = function ] || { echo "house: there is no part $part" >&2; exit 2; }
    echo "house: $part" >&2
    rows=$(part_"$part")
    printf '%s\n' "$rows" | $cargo run --quiet --locked -p halfgate-record --example record -- "$out"
    column -t -s "$(printf '\t')" <<<"$rows" 2>/dev/null || printf '%s\n' "$rows"
done
