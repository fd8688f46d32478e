#!/usr/bin/env bash
# Measures how dear the tree is to change, and records it in bench/results/house.json.
#
#   scripts/house.sh [PART…]   structure, pages, demo, quick, ci (default: all of these; ci takes a
#                             quarter of an hour), readers
#
# structure   lines, functions, files, circles and waivers, by halfgate-house; what an application
#             depends on; formal properties
# pages       commands of pages that no test runs
# demo        minutes of `make demo` in a fresh clone without build caches
# readers     what readers who had nothing but the tree found: READ_TWICE, of 20 files drawn at
#             random how many have a sentence that must be read twice, and QUESTION_MINUTES, the
#             longest until the page that answers one of three questions was found
# quick       seconds of `make quick`, warm, after one file was touched
# ci          minutes of .ci/run in a fresh clone without build caches
#
# Times want two idle cores. What is not committed is measured by neither demo nor ci. Nothing is
# recorded if a part fails.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
out=bench/results/house.json
[ $# -gt 0 ] || set -- structure pages demo quick ci

# row NAME UNIT TARGET MEASURED NOTE: a figure that is to be at most TARGET.
row() { printf '%s\t%s\tat_most\t%s\t%s\t%s\n' "$@"; }
seconds() { date +%s.%N; }
took() { awk -v from="$1" -v to="$(seconds)" -v unit="${2:-1}" 'BEGIN { printf "%.1f", (to - from) / unit }'; }

part_structure() {
    local measured machines pattern
    measured=$($cargo run --quiet --locked -p halfgate-house -- measure)
    # The last number but one of the lines that begin with $1: the most of them.
    count() {
        awk -v title="$1" 'index($0, title) == 1 { n = $(NF - 1); if (!lines++ || n > most) most = n }
            END { if (!lines) exit 1; print most }' <<<"$measured" ||
            { echo "house: halfgate-house measure prints no line '$1'" >&2; exit 1; }
    }
    local how='halfgate-house measure'
    local outside named functions files circles tree
    outside=$(count 'lines outside machines/')
    named=$(count 'lines in crates/')
    functions=$(count 'long functions')
    files=$(count 'long files')
    circles=$(count 'circles of')
    machines=$(for folder in machines/*/; do basename "$folder"; done | paste -sd '|')
    pattern="^(halfgate-($machines|machine|verilated)|cobs|spidev|serialport|clap)(-model)? "
    tree=$($cargo tree --locked --package halfgate --edges normal --prefix none)
    row "lines to add outside a new machine's folder, most of any machine" lines 2 "$outside" \
        "$how: lines that name a package of the machine, all in machines/registry"
    row "lines of crates/, scripts/ and Makefile that name a machine" lines 0 "$named" "$how"
    row "functions over 80 lines" functions 5 "$functions" "$how"
    row "files over 500 lines" files 0 "$files" "$how: all but the reference, which is one file by design"
    row "circles of imports between modules that are not parent and child" circles 5 "$circles" "$how"
    row "lines of README.md" lines 250 "$(wc -l <README.md)" "wc -l"
    row "lines of ARCHITECTURE.md" lines 200 "$(wc -l <ARCHITECTURE.md)" "wc -l"
    row "lines of comments beyond column 100" lines 0 "$(count 'lines of comments')" "$how"
    row "identifiers that the glossary refuses" identifiers 0 "$(count identifiers)" \
        "$how: words of docs/glossary.toml, in identifiers of up to four words"
    row "waivers of lint in hardware descriptions" waivers 40 "$(count 'waivers of lint in')" "$how"
    printf '%s\t%s\tat_least\t%s\t%s\t%s\n' "formal properties, each with a mutant that breaks it" \
        properties 20 "$(cat {rtl,machines/*/rtl}/formal/proofs.toml | grep -c '^change = ')" \
        "lines of proofs.toml; make prove proves them and breaks each"
    row "errors of engines that carry text" constructions 0 "$(count 'errors of engines')" "$how"
    row "packages of machines, cobs, serial and SPI code below halfgate" packages 0 \
        "$(grep -cE "$pattern" <<<"$tree" || true)" "cargo tree -p halfgate"
}

# Seconds of `make quick` after an edit of the file $1, in a tree that was built since the one
# before.
quick_after() {
    local from
    edited_quick "$1"
    from=$(seconds)
    edited_quick "$1"
    took "$from"
    git checkout --quiet "$1"
}

edited_quick() {
    printf '\n' >>"$1"
    make quick >target/house-quick.log 2>&1 || {
        git checkout --quiet "$1"
        tail -n 40 target/house-quick.log >&2
        exit 1
    }
}

part_quick() {
    local file took
    [ -z "$(git status --porcelain)" ] || { echo "house: quick edits files: commit first" >&2; exit 1; }
    for file in machines/*/model/src/lib.rs; do
        took=$(quick_after "$file")
        row "make quick, warm, after touching $file" s 60 "$took" "scripts/house.sh quick"
    done
    file=crates/circuit/src/builder.rs
    took=$(quick_after "$file")
    row "make quick, warm, after touching $file" s 180 "$took" "scripts/house.sh quick"
}

part_pages() {
    local log=target/house-pages.log
    $cargo build --release --quiet --locked -p halfgate-cli
    PAGES_RTL=1 scripts/page-examples.sh >$log 2>&1 || { tail -n 40 $log >&2; exit 1; }
    row "commands of pages that no test runs" commands 0 "$(grep -c 'NOT RUN' $log || true)" \
        "scripts/page-examples.sh with PAGES_RTL=1: $(sed -n 's/.*checked: \([0-9]*\).*/\1/p' $log) run; the others build, or need a device or a tool"
}

# Minutes that a command takes in a fresh clone; its output is in target/house-$1.log.
in_a_clone() {
    local name=$1 clone from
    shift
    clone=$(mktemp -d)
    # shellcheck disable=SC2064 # The folder is known here and not when the shell ends.
    trap "rm -rf '$clone'" EXIT
    git clone --quiet . "$clone"
    from=$(seconds)
    (cd "$clone" && env -u CARGO_TARGET_DIR "$@") >"target/house-$name.log" 2>&1 ||
        { tail -n 40 "target/house-$name.log" >&2; exit 1; }
    took "$from" 60
}

part_demo() {
    local minutes
    minutes=$(in_a_clone demo make demo)
    row "make demo in a fresh clone, to its end" min 2 "$minutes" \
        "scripts/house.sh demo: build caches empty, crates fetched before"
}

part_readers() {
    local how="judged by a reader who had nothing but the tree; entered by hand"
    row "files with a sentence that must be read twice, of 20 drawn at random" files 4 \
        "${READ_TWICE:?of 20 files, how many}" "$how"
    row "half gate, life of a label, adding a machine: the longest until its page is found" min 1 \
        "${QUESTION_MINUTES:?minutes until the page is found}" "$how; reading it is not included"
}

part_ci() {
    local minutes
    minutes=$(in_a_clone ci .ci/run)
    row ".ci/run in a fresh clone, build caches empty, packages installed" min 15 "$minutes" \
        "scripts/house.sh ci"
}

mkdir -p target
# All parts measure before any is recorded, since a record is a change of the tree.
rows=
for part in "$@"; do
    [ "$(type -t "part_$part")" = function ] || { echo "house: there is no part $part" >&2; exit 2; }
    echo "house: $part" >&2
    measured=$("part_$part")
    rows+=$measured$'\n'
done
printf '%s' "$rows" | $cargo run --quiet --locked -p halfgate-record --example record -- "$out"
column -t -s $'\t' <<<"$rows" 2>/dev/null || printf '%s' "$rows"
